// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;

/// The telemetry of NVML. Confined to one thread.
///
/// @param device the GPU
record NvmlTelemetry(NvmlDevice device) {
    /// NVML_PCIE_UTIL_TX_BYTES and _RX_BYTES of nvml.h, as the GPU sees it. The driver measures each for 20 ms.
    private static final int SENT = 0;

    private static final int RECEIVED = 1;

    /// Values of nvml.h: NVLINK_THROUGHPUT_DATA_TX and _RX in KiB, and what replaces them from NVLink 5 on,
    /// NVLINK_COUNT_XMIT_BYTES and _RCV_BYTES.
    private static final int[] NVLINK = {138, 139, 202, 204};

    private static final int KIB = 1024;
    private static final int[] NVLINK_UNITS = {KIB, KIB, 1, 1};
    private static final int ALL_LINKS = -1;

    private static final int PENDING_AT = 2 * Integer.BYTES;
    private static final int FAILED_AT = 3 * Integer.BYTES;
    private static final double MILLI = 1000.0;
    private static final double PERCENT = 100.0;
    private static final double KILOBYTES_PER_GIGABYTE = 1e6;

    /// Asks a GPU.
    static void read(NvmlDevice device, AcceleratorProfile.ProfileBuilder profile) {
        new NvmlTelemetry(device).read(profile);
    }

    private void read(AcceleratorProfile.ProfileBuilder profile) {
        profile.with(DeviceFact.ENERGY, energy())
                .with(DeviceFact.MEMORY_UTILIZATION, utilization("nvmlDeviceGetUtilizationRates", Integer.BYTES))
                .with(DeviceFact.ENCODER_UTILIZATION, utilization("nvmlDeviceGetEncoderUtilization", 0))
                .with(DeviceFact.DECODER_UTILIZATION, utilization("nvmlDeviceGetDecoderUtilization", 0));
        nvlink(profile);
        remappedRows(profile);
        profile.with(DeviceFact.PCIE_SENT, throughput(SENT)).with(DeviceFact.PCIE_RECEIVED, throughput(RECEIVED));
    }

    private Reading<Joules> energy() {
        NvmlLibrary nvml = device.nvml();
        return nvml.ask(
                        device.source(),
                        "nvmlDeviceGetTotalEnergyConsumption",
                        () -> nvml.longAt(0),
                        device.handle(),
                        nvml.address(0))
                .map(millijoules -> new Joules(millijoules / MILLI));
    }

    /// A share in percent out of two numbers; functions with one answer ignore the second place, or put the time
    /// there over which they looked.
    private Reading<Ratio> utilization(String function, int offset) {
        NvmlLibrary nvml = device.nvml();
        return nvml.ask(
                device.source(),
                function,
                () -> new Ratio(nvml.intAt(offset) / PERCENT),
                device.handle(),
                nvml.address(0),
                nvml.address(Integer.BYTES));
    }

    private Reading<Bandwidth> throughput(int direction) {
        return device.number("nvmlDeviceGetPcieThroughput", direction)
                .map(kilobytes -> new Bandwidth(kilobytes / KILOBYTES_PER_GIGABYTE));
    }

    private void nvlink(AcceleratorProfile.ProfileBuilder profile) {
        long[] counted = device.counters(NVLINK, ALL_LINKS);
        profile.with(DeviceFact.FABRIC_SENT, traffic(counted, 0)).with(DeviceFact.FABRIC_RECEIVED, traffic(counted, 1));
    }

    private Reading<Bytes> traffic(long[] counted, int direction) {
        for (int i = direction; i < NVLINK.length; i += 2) {
            if (counted[i] >= 0) {
                Bytes bytes = new Bytes(counted[i]).saturatingTimes(NVLINK_UNITS[i]);
                return Reading.known(bytes, device.source());
            }
        }
        return Reading.notSupported("NVML does not report NVLink traffic");
    }

    private void remappedRows(AcceleratorProfile.ProfileBuilder profile) {
        NvmlLibrary nvml = device.nvml();
        String function = "nvmlDeviceGetRemappedRows";
        int status = nvml.call(
                function,
                device.handle(),
                nvml.address(0),
                nvml.address(Integer.BYTES),
                nvml.address(PENDING_AT),
                nvml.address(FAILED_AT));
        if (status != NvmlLibrary.SUCCESS) {
            profile.with(DeviceFact.REMAPPED_ROWS, NvmlStatus.unknown(function, status))
                    .with(DeviceFact.ROW_REMAPPING, NvmlStatus.unknown(function, status));
            return;
        }
        long rows = Integer.toUnsignedLong(nvml.intAt(0)) + Integer.toUnsignedLong(nvml.intAt(Integer.BYTES));
        String state = NvidiaRemapping.text(nvml.intAt(PENDING_AT) != 0, nvml.intAt(FAILED_AT) != 0);
        profile.with(DeviceFact.REMAPPED_ROWS, Reading.known(rows, device.source()))
                .with(DeviceFact.ROW_REMAPPING, Reading.known(state, device.source()));
    }
}
