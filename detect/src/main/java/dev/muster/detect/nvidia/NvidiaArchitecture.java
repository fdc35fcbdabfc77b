// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.Optional;

/// The names and figures of NVIDIA's generations. Numbers from nvml.h (driver 580) and from the table of
/// compute capabilities in the CUDA C++ Programming Guide (2026-11).
final class NvidiaArchitecture {
    private NvidiaArchitecture() {}

    /// The name of an architecture number of NVML.
    static String name(long number) {
        return switch ((int) number) {
            case 2 -> "Kepler";
            case 3 -> "Maxwell";
            case 4 -> "Pascal";
            case 5 -> "Volta";
            case 6 -> "Turing";
            case 7 -> "Ampere";
            case 8 -> "Ada Lovelace";
            case 9 -> "Hopper";
            case 10 -> "Blackwell";
            default -> "architecture " + number;
        };
    }

    /// Returns the number of CUDA cores of a multiprocessor.
    ///
    /// @param capability such as `9.0`
    static Optional<Long> coresPerMultiprocessor(String capability) {
        return switch (capability) {
            case "6.0", "7.0", "7.2", "7.5", "8.0" -> Optional.of(64L);
            case "5.0",
                    "5.2",
                    "5.3",
                    "6.1",
                    "6.2",
                    "8.6",
                    "8.7",
                    "8.9",
                    "9.0",
                    "10.0",
                    "10.1",
                    "10.3",
                    "11.0",
                    "12.0",
                    "12.1" -> Optional.of(128L);
            default -> Optional.empty();
        };
    }
}
