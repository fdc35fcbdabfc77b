// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.ArrayList;
import java.util.List;

/// The reasons why a GPU runs below its clocks, in the words of `nvidia-smi`. Bits are those of
/// `nvmlClocksEventReason…` in nvml.h (driver 580).
final class NvidiaThrottling {
    /// The reasons that users did not ask for.
    static final List<String> REASONS = List.of(
            "sw power cap", "hw slowdown", "hw thermal slowdown", "hw power brake slowdown", "sw thermal slowdown");

    /// The bits of the reasons, in their order.
    private static final long[] BITS = {0x4, 0x8, 0x40, 0x80, 0x20};

    private NvidiaThrottling() {}

    static String text(List<String> reasons) {
        return reasons.isEmpty() ? "none" : String.join(", ", reasons);
    }

    /// The reasons in NVML's mask.
    static String text(long mask) {
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < BITS.length; i++) {
            if ((mask & BITS[i]) != 0) {
                reasons.add(REASONS.get(i));
            }
        }
        return text(reasons);
    }
}
