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
    private static final String ROWS = "remapped_rows/remapped_row_";

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
                .with(DeviceFact.REMAPPED_ROWS, remappedRows())
                .with(DeviceFact.ROW_REMAPPING, remapping())
                .build();
    }

    private Reading<Bandwidth> throughput(String path) {
        return gpu.value(path)
                .count("KB/s", MOST_KILOBYTES)
                .map(kilobytes -> new Bandwidth(kilobytes / KILOBYTES_PER_GIGABYTE));
    }

    private Reading<Long> remappedRows() {
        Reading<Long> corrected = gpu.value(ROWS + "corr").count("", Integer.MAX_VALUE);
        Reading<Long> uncorrected = gpu.value(ROWS + "unc").count("", Integer.MAX_VALUE);
        long first = corrected.find().orElse(0L);
        return corrected.isKnown() ? uncorrected.map(second -> first + second) : corrected;
    }

    private Reading<String> remapping() {
        Reading<String> pending = gpu.value(ROWS + "pending").text();
        boolean failed = gpu.value(ROWS + "failure").text().matches("Yes"::equals);
        return pending.map(text -> NvidiaRemapping.text(text.equals("Yes"), failed));
    }
}
