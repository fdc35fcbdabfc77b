// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

/// Pages of a GPU's memory that are out of use. The driver lists them as `0x00000000 : 0x00001000 : R`: page,
/// size, and `R` where it is retired, `P` where it will be, `F` where it could not be.
///
/// @param retired those out of use
/// @param pending those that will be
/// @param failed those that should be and cannot
record BadPages(long retired, long pending, long failed) {
    static BadPages parse(String text) {
        long retired = 0;
        long pending = 0;
        long failed = 0;
        for (String line : text.split("\n")) {
            String mark = line.substring(line.lastIndexOf(':') + 1).strip();
            retired += mark.equals("R") ? 1 : 0;
            pending += mark.equals("P") ? 1 : 0;
            failed += mark.equals("F") ? 1 : 0;
        }
        return new BadPages(retired, pending, failed);
    }

    /// Returns the state of page retirement.
    String state() {
        if (failed > 0) {
            return "failed";
        }
        return pending > 0 ? "pending" : "ok";
    }
}
