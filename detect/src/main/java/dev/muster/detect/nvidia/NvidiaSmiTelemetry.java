// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.List;

/// The telemetry in `nvidia-smi -q -x`. It lacks energy and the traffic of NVLinks.
///
/// @param gpu the GPU's block
record NvidiaSmiTelemetry(NvidiaSmiGpu gpu) {
    private static final long MOST_KILOBYTES = 1_000_000_000_000L;
    private static final double KILOBYTES_PER_GIGABYTE = 1e6;

    /// The devices of a document, where the whole GPUs among them say what was measured.
    static List<AcceleratorProfile> complete(NvidiaSmiLog log, List<AcceleratorProfile> devices) {
        List<NvidiaElement> blocks = log.gpus();
        List<AcceleratorProfile> completed = new ArrayList<>();
        for (AcceleratorProfile device : devices) {
            int index = (int) device.accelerator().deviceId();
            completed.add(
                    device.partition().isPresent()
                            ? device
                            : new NvidiaSmiTelemetry(new NvidiaSmiGpu(log, blocks.get(index), index)).complete(device));
        }
        return completed;
    }

    private AcceleratorProfile complete(AcceleratorProfile device) {
        return device.toBuilder()
                .with(
                        DeviceFact.MEMORY_UTILIZATION,
                        gpu.value("utilization/memory_util").percent())
                .with(
                        DeviceFact.ENCODER_UTILIZATION,
                        gpu.value("utilization/encoder_util").percent())
                .with(
                        DeviceFact.DECODER_UTILIZATION,
                        gpu.value("utilization/decoder_util").percent())
                .with(DeviceFact.PCIE_SENT, throughput("pci/tx_util"))
                .with(DeviceFact.PCIE_RECEIVED, throughput("pci/rx_util"))
                .with(DeviceFact.FAN, gpu.value("fan_speed").percent())
                .with(
                        DeviceFact.PERFORMANCE_STATE,
                        gpu.value("performance_state").text())
                .with(DeviceFact.PERSISTENCE_MODE, gpu.value("persistence_mode").enabled())
                .with(DeviceFact.SERIAL, gpu.value("serial").text())
                .with(DeviceFact.MODULE, gpu.value("platformInfo/module_id").text())
                .with(
                        DeviceFact.CHASSIS,
                        gpu.value("platformInfo/chassis_serial_number").text())
                .with(DeviceFact.POWER_LIMIT_MIN, gpu.power("min_power_limit").watts())
                .with(DeviceFact.POWER_LIMIT_MAX, gpu.power("max_power_limit").watts())
                .with(
                        DeviceFact.TEMPERATURE_LIMIT,
                        gpu.value("temperature/gpu_temp_slow_threshold").celsius())
                .with(DeviceFact.BAR_SIZE, gpu.value("bar1_memory_usage/total").mebibytes())
                .with(DeviceFact.BAR_USED, gpu.value("bar1_memory_usage/used").mebibytes())
                .with(DeviceFact.PCIE_REPLAYS, gpu.value("pci/replay_counter").count("", Integer.MAX_VALUE))
                .build();
    }

    private Reading<Bandwidth> throughput(String path) {
        return gpu.value(path)
                .count("KB/s", MOST_KILOBYTES)
                .map(kilobytes -> new Bandwidth(kilobytes / KILOBYTES_PER_GIGABYTE));
    }
}
