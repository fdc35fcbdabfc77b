// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.rules;

/// The classes of devices in the table of quantizations, as indices of an array.
final class MemoryHolder {
    static final int NONE = -1;
    static final int TPU = 0;
    static final int GAUDI = 1;
    static final int GPU = 2;
    static final int NPU = 3;
    static final int CPU = 4;
    static final int COUNT = 5;

    private MemoryHolder() {}

    /// Returns the display name of a class.
    static String name(int holder) {
        return switch (holder) {
            case TPU -> "TPU";
            case GAUDI -> "Gaudi";
            case GPU -> "GPU";
            case NPU -> "NPU";
            default -> "CPU";
        };
    }
}
