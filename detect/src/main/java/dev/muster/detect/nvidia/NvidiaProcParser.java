package dev.muster.detect.nvidia;

import dev.muster.core.unit.Bytes;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads the files below `/proc/driver/nvidia`: lines such as `GPU UUID: GPU-…`.
final class NvidiaProcParser {
    private static final long MAX_NODE = 65_535;
    private static final int MAX_HEX_DIGITS = 15;
    private static final int HEXADECIMAL = 16;

    private NvidiaProcParser() {}

    /// The value of a line; blank where there is none. A GPU that nobody has opened yet has question marks for values.
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

    /// The `numa_status` file. Its size is hexadecimal without the `0x` that would say so.
    static Optional<NvidiaNumaStatus> findNumaStatus(String text) {
        OptionalLong node = NvidiaValue.wholeNumber(value(text, "Node"));
        if (node.isEmpty() || node.getAsLong() > MAX_NODE) {
            return Optional.empty();
        }
        Bytes size = findHex(value(text, "Size")).map(Bytes::of).orElse(null);
        return Optional.of(new NvidiaNumaStatus(node.getAsLong(), value(text, "Status"), size));
    }

    private static Optional<Long> findHex(String digits) {
        boolean number = !digits.isEmpty() && digits.length() <= MAX_HEX_DIGITS;
        for (int i = 0; number && i < digits.length(); i++) {
            number = digits.charAt(i) < 128 && Character.digit(digits.charAt(i), HEXADECIMAL) >= 0;
        }
        return number ? Optional.of(Long.parseLong(digits, HEXADECIMAL)) : Optional.empty();
    }
}
