// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Reading;
import java.util.Locale;

/// Asks NVML for the facts that decide whether a GPU may be used. Offsets are those of nvml.h (driver 580); the SRAM
/// status was not verified on hardware.
///
/// @param device the GPU
record NvmlHealth(NvmlDevice device) {
    private static final int PENDING_AT = 2 * Integer.BYTES;
    private static final int FAILED_AT = 3 * Integer.BYTES;
    /// `nvmlEccSramErrorStatus_v1_t`: a version, eleven counters, a flag.
    private static final int SRAM_SIZE = 104;

    private static final int SRAM_VERSION = SRAM_SIZE | 1 << 24;
    private static final int SRAM_EXCEEDED_AT = 96;
    private static final int UNCORRECTED = 1;
    private static final String[] COMPUTE_MODES = {"default", "exclusive thread", "prohibited", "exclusive process"};

    void read(AcceleratorProfile.ProfileBuilder profile) {
        profile.with(
                        DeviceFact.COMPUTE_MODE,
                        device.number("nvmlDeviceGetComputeMode").map(NvmlHealth::computeMode))
                .with(DeviceFact.ECC_UNCORRECTED_LIFETIME, device.eccErrorsOfLife(UNCORRECTED))
                .with(DeviceFact.SRAM_THRESHOLD_EXCEEDED, sramThreshold());
        readRemapping(profile);
    }

    private static String computeMode(long number) {
        return number < COMPUTE_MODES.length ? COMPUTE_MODES[(int) number] : "mode " + number;
    }

    private Reading<Boolean> sramThreshold() {
        NvmlLibrary nvml = device.nvml();
        nvml.clear(SRAM_SIZE);
        nvml.putInt(0, SRAM_VERSION);
        return nvml.ask(
                device.source(),
                "nvmlDeviceGetSramEccErrorStatus",
                () -> nvml.intAt(SRAM_EXCEEDED_AT) != 0,
                device.handle(),
                nvml.address(0));
    }

    private void readRemapping(AcceleratorProfile.ProfileBuilder profile) {
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
        String state = remapping(nvml.intAt(PENDING_AT) != 0, nvml.intAt(FAILED_AT) != 0);
        profile.with(DeviceFact.REMAPPED_ROWS, Reading.known(rows, device.source()))
                .with(DeviceFact.ROW_REMAPPING, Reading.known(state, device.source()));
    }

    /// The word for both marks: one that failed is worse than one that waits for a reset.
    static String remapping(boolean pending, boolean failed) {
        if (failed) {
            return "failed";
        }
        return pending ? "pending" : "ok";
    }

    /// `Exclusive_Process` of `nvidia-smi` as NVML's modes are written here.
    static String computeMode(String word) {
        return word.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
