// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

/// Words for how the remapping of memory rows goes.
final class NvidiaRemapping {
    private NvidiaRemapping() {}

    /// The word for both marks: one that failed is worse than one that waits for a reset.
    static String text(boolean pending, boolean failed) {
        if (failed) {
            return "failed";
        }
        return pending ? "pending" : "ok";
    }
}
