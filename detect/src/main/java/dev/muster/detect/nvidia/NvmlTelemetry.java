// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.util.function.Supplier;

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

    private static final int SERIAL_LENGTH = 30;
    /// `nvmlPlatformInfo_v2_t`; not verified on hardware.
    private static final int PLATFORM_SIZE = 44;

    private static final int VERSION_SHIFT = 24;
    private static final int CHASSIS_AT = 20;
    private static final int CHASSIS_LENGTH = 16;
    /// `NVML_TEMPERATURE_THRESHOLD_SLOWDOWN`.
    private static final int SLOWDOWN = 1;
    /// Total, free and used, in this order.
    private static final int BAR_USED_AT = 2 * Long.BYTES;

    private static final double MILLI = 1000.0;
    private static final double PERCENT = 100.0;
    private static final double KILOBYTES_PER_GIGABYTE = 1e6;

    /// Asks a GPU.
    ///
    /// @param isDivided true in MIG mode
    static void read(NvmlDevice device, boolean isDivided, AcceleratorProfile.ProfileBuilder profile) {
        NvmlActivity activity = isDivided ? null : NvmlActivity.begin(device);
        new NvmlTelemetry(device).read(profile);
        if (activity != null) {
            activity.end(profile);
        }
    }

    private void read(AcceleratorProfile.ProfileBuilder profile) {
        profile.with(DeviceFact.ENERGY, energy())
                .with(DeviceFact.MEMORY_UTILIZATION, utilization("nvmlDeviceGetUtilizationRates", Integer.BYTES))
                .with(DeviceFact.ENCODER_UTILIZATION, utilization("nvmlDeviceGetEncoderUtilization", 0))
                .with(DeviceFact.DECODER_UTILIZATION, utilization("nvmlDeviceGetDecoderUtilization", 0));
        nvlink(profile);
        profile.with(DeviceFact.PCIE_SENT, throughput(SENT)).with(DeviceFact.PCIE_RECEIVED, throughput(RECEIVED));
        board(profile);
    }

    private void board(AcceleratorProfile.ProfileBuilder profile) {
        NvmlLibrary nvml = device.nvml();
        profile.with(DeviceFact.FAN, device.number("nvmlDeviceGetFanSpeed").map(share -> new Ratio(share / PERCENT)))
                .with(
                        DeviceFact.PERFORMANCE_STATE,
                        device.number("nvmlDeviceGetPerformanceState").map(state -> "P" + state))
                .with(
                        DeviceFact.PERSISTENCE_MODE,
                        device.number("nvmlDeviceGetPersistenceMode").map(mode -> mode == 1))
                .with(DeviceFact.SERIAL, device.text("nvmlDeviceGetSerial", SERIAL_LENGTH))
                .with(DeviceFact.MODULE, device.number("nvmlDeviceGetModuleId").map(String::valueOf))
                .with(DeviceFact.CHASSIS, chassis())
                .with(
                        DeviceFact.TEMPERATURE_LIMIT,
                        device.number("nvmlDeviceGetTemperatureThreshold", SLOWDOWN)
                                .map(Celsius::new))
                .with(DeviceFact.PCIE_REPLAYS, device.number("nvmlDeviceGetPcieReplayCounter"));
        String limits = "nvmlDeviceGetPowerManagementLimitConstraints";
        int status = nvml.call(limits, device.handle(), nvml.address(0), nvml.address(Integer.BYTES));
        profile.with(DeviceFact.POWER_LIMIT_MIN, answer(limits, status, () -> watts(0)))
                .with(DeviceFact.POWER_LIMIT_MAX, answer(limits, status, () -> watts(Integer.BYTES)));
        String bar = "nvmlDeviceGetBAR1MemoryInfo";
        status = nvml.call(bar, device.handle(), nvml.address(0));
        profile.with(DeviceFact.BAR_SIZE, answer(bar, status, () -> new Bytes(nvml.longAt(0))))
                .with(DeviceFact.BAR_USED, answer(bar, status, () -> new Bytes(nvml.longAt(BAR_USED_AT))));
    }

    private Reading<String> chassis() {
        NvmlLibrary nvml = device.nvml();
        nvml.clear(PLATFORM_SIZE);
        nvml.putInt(0, PLATFORM_SIZE | 2 << VERSION_SHIFT);
        Reading<String> serial = nvml.ask(
                device.source(),
                "nvmlDeviceGetPlatformInfo",
                () -> nvml.textAt(CHASSIS_AT, CHASSIS_LENGTH).strip(),
                device.handle(),
                nvml.address(0));
        return serial.matches(String::isEmpty) ? Reading.notSupported("NVML reports no chassis") : serial;
    }

    private Watts watts(int offset) {
        return new Watts(Integer.toUnsignedLong(device.nvml().intAt(offset)) / MILLI);
    }

    private <T> Reading<T> answer(String function, int status, Supplier<T> value) {
        return status == NvmlLibrary.SUCCESS
                ? Reading.known(value.get(), device.source())
                : NvmlStatus.unknown(function, status);
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
}
