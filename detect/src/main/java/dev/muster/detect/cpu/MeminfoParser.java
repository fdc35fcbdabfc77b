package dev.muster.detect.cpu;

import dev.muster.core.unit.Bytes;
import java.util.Optional;

/// Reads `/proc/meminfo`: lines of a key, a colon, a number and the unit `kB`, which means KiB there.
final class MeminfoParser {
    private static final int MAX_DIGITS = 15;

    private MeminfoParser() {}

    static Optional<Bytes> find(String text, String key) {
        String start = key + ":";
        for (String line : text.split("\n")) {
            if (line.startsWith(start)) {
                return toBytes(line.substring(start.length()).strip());
            }
        }
        return Optional.empty();
    }

    private static Optional<Bytes> toBytes(String value) {
        int digits = 0;
        while (digits < value.length() && value.charAt(digits) >= '0' && value.charAt(digits) <= '9') {
            digits++;
        }
        boolean kib = value.substring(digits).strip().equals("kB");
        return digits == 0 || digits > MAX_DIGITS || !kib
                ? Optional.empty()
                : Optional.of(Bytes.ofKib(Long.parseLong(value.substring(0, digits))));
    }
}
