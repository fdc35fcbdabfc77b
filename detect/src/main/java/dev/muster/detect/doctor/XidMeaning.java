// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import java.util.Optional;

/// The well-known Xid errors of NVIDIA's GPUs, with their usual meaning and remedy. NVIDIA's catalogue
/// (docs.nvidia.com/deploy/xid-errors) is the reference; the entries were not compared with it one by one.
enum XidMeaning {
    PROGRAM(
            "a program's kernel failed",
            "debug the program (compute-sanitizer); if many programs fail, test the GPU (dcgmi diag -r 3)",
            13,
            31,
            43),
    CLEAN_UP("cleanup after an earlier error or a terminated program", "check the log entries before it", 45),
    MEMORY_LOST(
            "uncorrectable memory errors",
            "end its programs and reset the GPU; replace it if they come back",
            48,
            95,
            140),
    MEMORY_CONTAINED(
            "an uncorrectable memory error that ended one program",
            "start that program again, and reset the GPU when it is idle",
            94),
    MEMORY_REMAPPED(
            "failing memory was retired",
            "reset the GPU when it is idle to complete it; see nvidia-smi -q -d ROW_REMAPPER,PAGE_RETIREMENT",
            63),
    MEMORY_NOT_REMAPPED("failing memory could not be retired", "reset the GPU; replace it if it comes back", 64),
    MEMORY_CORRECTED(
            "many corrected memory errors", "test the GPU (dcgmi diag -r 3), and replace it if they go on", 92),
    CONTROLLER(
            "the GPU's own controller failed", "reset the GPU or reboot; report it to NVIDIA if it comes back", 61, 62),
    FIRMWARE(
            "the GPU's firmware (GSP) did not answer",
            "reset the GPU or reboot, and use the newest driver of the branch",
            119,
            120),
    NVLINK(
            "an NVLink failed",
            "check nvidia-smi nvlink -s and -e and the fabric manager's log; reset the GPUs, and have links that fail"
                    + " again repaired",
            74,
            145,
            149),
    LOST(
            "the GPU has fallen off the bus",
            "reboot; then check its power, cooling and seating, and replace it if it is lost again",
            79);

    private final String text;
    private final String next;
    private final int[] numbers;

    XidMeaning(String text, String next, int... numbers) {
        this.text = text;
        this.next = next;
        this.numbers = numbers;
    }

    /// The meaning of a number, if it is one of the well-known.
    static Optional<XidMeaning> find(int number) {
        for (XidMeaning meaning : values()) {
            for (int own : meaning.numbers) {
                if (own == number) {
                    return Optional.of(meaning);
                }
            }
        }
        return Optional.empty();
    }

    String text() {
        return text;
    }

    String next() {
        return next;
    }
}
