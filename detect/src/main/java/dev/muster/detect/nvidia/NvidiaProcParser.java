// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.Optional;

/// Reads the files below `/proc/driver/nvidia`: lines such as `GPU UUID: GPU-…`.
final class NvidiaProcParser {
    private NvidiaProcParser() {}

    /// Returns the value of a line; blank if there is none. A GPU that was not opened yet has question marks for
    /// values.
    static String value(String text, String key) {
        for (String line : text.split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
                String value = line.substring(colon + 1).strip();
                return value.contains("??") || value.equals("Unknown") ? "" : value;
            }
        }
        return "";
    }

    /// The driver's version, out of the sentence in `/proc/driver/nvidia/version`:
    /// `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build …`.
    static Optional<String> findDriverVersion(String text) {
        for (String word : value(text, "NVRM version").split(" ")) {
            if (isVersion(word)) {
                return Optional.of(word);
            }
        }
        return Optional.empty();
    }

    /// Digits with points between.
    private static boolean isVersion(String word) {
        boolean point = false;
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            point |= c == '.' && i > 0;
            if (c != '.' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return point && !word.endsWith(".");
    }
}
