package dev.muster.detect.cpu;

import dev.muster.detect.text.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Counts cores by capacity, the kernel's figure for how much a core computes beside the strongest one. Confined to
/// one thread.
///
/// Cores of one kind differ a little where each has a fastest clock of its own: on a GB10, four have 1017 and one
/// 1024. Capacities up to 1 % above the lowest of a kind count to it; the clusters of the same machine are 2 % apart,
/// and stay apart.
final class CoreKinds {
    /// What the kernel gives the strongest core.
    private static final long STRONGEST = 1024;

    private static final int PERCENT = 100;

    private final Map<Integer, Integer> counts = new TreeMap<>();

    static Optional<Integer> parseCapacity(String text) {
        return Quantity.findCount(text, STRONGEST)
                .filter(capacity -> capacity > 0)
                .map(Long::intValue);
    }

    void add(int capacity) {
        counts.put(capacity, counts.getOrDefault(capacity, 0) + 1);
    }

    /// The kinds, the weakest first, such as `4 x 512, 4 x 1017-1024`.
    String text() {
        StringBuilder text = new StringBuilder();
        int lowest = 0;
        int highest = 0;
        int count = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            int capacity = entry.getKey();
            if (count > 0 && capacity * PERCENT > lowest * (PERCENT + 1)) {
                append(text, count, lowest, highest);
                count = 0;
            }
            lowest = count == 0 ? capacity : lowest;
            highest = capacity;
            count += entry.getValue();
        }
        append(text, count, lowest, highest);
        return text.toString();
    }

    private static void append(StringBuilder text, int count, int lowest, int highest) {
        text.append(text.isEmpty() ? "" : ", ").append(count).append(" x ").append(lowest);
        if (highest > lowest) {
            text.append('-').append(highest);
        }
    }
}
