// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import java.util.Collection;
import java.util.Optional;

/// Finds the known word nearest to a misspelled one.
public final class NearestMatch {
    private NearestMatch() {}

    /// The candidate that takes the fewest changes, if they are few: one in three letters.
    public static Optional<String> find(String word, Collection<String> candidates) {
        String best = "";
        int fewest = Math.max(1, word.length() / 3) + 1;
        for (String candidate : candidates) {
            int changes = countChanges(word, candidate);
            if (changes < fewest) {
                fewest = changes;
                best = candidate;
            }
        }
        return best.isEmpty() ? Optional.empty() : Optional.of(best);
    }

    /// Letters inserted, dropped, changed, or swapped with their neighbour.
    private static int countChanges(String from, String to) {
        int[][] changes = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            changes[i][0] = i;
        }
        for (int j = 0; j <= to.length(); j++) {
            changes[0][j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            for (int j = 1; j <= to.length(); j++) {
                int swap = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                int least = Math.min(changes[i - 1][j] + 1, changes[i][j - 1] + 1);
                least = Math.min(least, changes[i - 1][j - 1] + swap);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    least = Math.min(least, changes[i - 2][j - 2] + 1);
                }
                changes[i][j] = least;
            }
        }
        return changes[from.length()][to.length()];
    }
}
