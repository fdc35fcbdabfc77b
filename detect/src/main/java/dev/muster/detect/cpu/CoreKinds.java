// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import dev.muster.detect.text.Amount;
import java.util.Arrays;
import java.util.Optional;

/// Counts cores by capacity, the kernel's figure for how much a core computes beside the strongest one. Confined to
/// one thread.
///
/// Cores of one kind differ a little where each has a fastest clock of its own: on a GB10, four have 1017 and one
/// 1024. Capacities up to 1 % above the lowest of a kind count to it; the clusters of the same machine are 2 % apart,
/// and stay apart. Machines of the usual kind come here at every start: docs/decisions/0004 says what is not done.
final class CoreKinds {
    /// The kernel's rating of the strongest core.
    private static final int STRONGEST = 1024;

    private static final int PERCENT = 100;

    private int[] capacities = new int[16];
    private int size;

    static Optional<Integer> parseCapacity(String text) {
        return Amount.count(text, STRONGEST).filter(capacity -> capacity > 0).map(Long::intValue);
    }

    void add(int capacity, int count) {
        if (size + count > capacities.length) {
            capacities = Arrays.copyOf(capacities, 2 * (size + count));
        }
        Arrays.fill(capacities, size, size + count, capacity);
        size += count;
    }

    /// The kinds, the weakest first, such as `4 x 512, 4 x 1017-1024`.
    String text() {
        StringBuilder text = new StringBuilder();
        Arrays.sort(capacities, 0, size);
        int start = 0;
        for (int i = 1; i <= size; i++) {
            if (i == size || capacities[i] * PERCENT > capacities[start] * (PERCENT + 1)) {
                append(text, i - start, capacities[start], capacities[i - 1]);
                start = i;
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, int count, int lowest, int highest) {
        text.append(text.isEmpty() ? "" : ", ").append(count).append(" x ").append(lowest);
        if (highest > lowest) {
            text.append('-').append(highest);
        }
    }
}
