package dev.muster.detect.text;

import dev.muster.core.unit.Bytes;
import java.util.Optional;

/// Reads `/proc/meminfo` and its twin of each NUMA node: lines of a key, a colon, a number and the unit `kB`, which
/// means KiB there. The twin has `Node 0` before each key.
public final class MeminfoParser {
    private static final int MAX_DIGITS = 15;

    private MeminfoParser() {}

    /// The value of a key, such as `MemTotal`.
    public static Optional<Bytes> find(String text, String key) {
        String start = key + ":";
        for (String line : text.split("\n")) {
            String entry = withoutNode(line);
            if (entry.startsWith(start)) {
                return toBytes(entry.substring(start.length()).strip());
            }
        }
        return Optional.empty();
    }

    private static String withoutNode(String line) {
        int end = line.startsWith("Node ") ? line.indexOf(' ', "Node ".length()) : -1;
        return end < 0 ? line : line.substring(end + 1);
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
