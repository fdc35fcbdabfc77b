package dev.muster.detect.amd;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Reads `properties` files of the compute driver's topology: lines such as `simd_count 152`. Numbers are unsigned and
/// fill 64 bits. Lines that are no such pair are passed over.
final class KfdNodeParser {
    private static final int MAX_PROPERTIES = 256;
    private static final int MAX_NODE = 4096;

    private KfdNodeParser() {}

    /// A node.
    static KfdNode parse(int number, String text) {
        return new KfdNode(number, properties(text));
    }

    /// A link; nothing where an end is missing.
    static Optional<KfdLink> parseLink(String text) {
        Map<String, Long> values = properties(text);
        Optional<Integer> from = node(values, "node_from");
        Optional<Integer> to = node(values, "node_to");
        return from.isPresent() && to.isPresent()
                ? Optional.of(new KfdLink(
                        values.getOrDefault("type", 0L),
                        from.get(),
                        to.get(),
                        values.getOrDefault("weight", 0L),
                        values.getOrDefault("max_bandwidth", 0L)))
                : Optional.empty();
    }

    private static Optional<Integer> node(Map<String, Long> values, String key) {
        return Optional.ofNullable(values.get(key))
                .filter(value -> value >= 0 && value <= MAX_NODE)
                .map(Long::intValue);
    }

    /// All pairs of a file.
    static Map<String, Long> properties(String text) {
        Map<String, Long> values = new HashMap<>();
        for (String line : text.split("\n")) {
            int blank = line.indexOf(' ');
            if (blank > 0 && values.size() < MAX_PROPERTIES) {
                unsigned(line.substring(blank + 1).replace("\0", "").strip())
                        .ifPresent(value -> values.put(line.substring(0, blank), value));
            }
        }
        return values;
    }

    private static Optional<Long> unsigned(String text) {
        try {
            return Optional.of(Long.parseUnsignedLong(text));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }
}
