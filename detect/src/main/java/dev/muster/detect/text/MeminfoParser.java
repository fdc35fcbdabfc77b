// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import dev.muster.core.unit.Bytes;
import java.util.Optional;

/// Reads `/proc/meminfo` and its twin of each NUMA node: lines of a key, a colon, a number and the unit `kB`, which
/// means KiB there. The twin has `Node 0` before each key.
public final class MeminfoParser {
    private static final String UNIT = "kB";
    private static final long MAX_KIB = 999_999_999_999_999L;

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
        return value.endsWith(UNIT)
                ? Amount.count(value.substring(0, value.length() - UNIT.length()), MAX_KIB)
                        .map(Bytes::ofKib)
                : Optional.empty();
    }
}
