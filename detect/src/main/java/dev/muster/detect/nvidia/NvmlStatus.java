// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;

/// The error codes of NVML. Numbers from nvml.h (driver 580).
final class NvmlStatus {
    static final int NOT_SUPPORTED = 3;
    static final int NO_PERMISSION = 4;
    static final int DRIVER_NOT_LOADED = 9;
    static final int TIMEOUT = 10;
    static final int GPU_IS_LOST = 15;
    static final int RESET_REQUIRED = 16;
    static final int VERSION_MISMATCH = 18;

    private NvmlStatus() {}

    /// A fact that was asked for in vain.
    static <T> Reading<T> unknown(String function, int status) {
        return Reading.unknown(reason(status), function + ": " + text(status));
    }

    private static UnknownReason reason(int status) {
        return switch (status) {
            case NOT_SUPPORTED, NvmlLibrary.FUNCTION_NOT_FOUND -> UnknownReason.NOT_SUPPORTED;
            case NO_PERMISSION -> UnknownReason.NOT_PERMITTED;
            case TIMEOUT -> UnknownReason.TIMED_OUT;
            default -> UnknownReason.UNREADABLE;
        };
    }

    /// The status in words.
    static String text(int status) {
        return switch (status) {
            case NOT_SUPPORTED -> "not supported";
            case NO_PERMISSION -> "no permission";
            case DRIVER_NOT_LOADED -> "the driver is not loaded";
            case TIMEOUT -> "timed out";
            case NvmlLibrary.FUNCTION_NOT_FOUND -> "this driver does not support it";
            case GPU_IS_LOST -> "the GPU has fallen off the bus";
            case RESET_REQUIRED -> "the GPU needs a reset";
            case VERSION_MISMATCH -> "driver and library have different versions; reboot to finish the update";
            default -> "status " + status;
        };
    }
}
