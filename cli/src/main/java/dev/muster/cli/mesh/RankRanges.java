package dev.muster.cli.mesh;

import java.util.List;

/// Ranks for people: `0-3,8`.
final class RankRanges {
    private RankRanges() {}

    /// The ranks with neighbours joined.
    ///
    /// @param ranks ascending
    static String of(List<Integer> ranks) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < ranks.size()) {
            int end = at;
            while (end + 1 < ranks.size() && ranks.get(end + 1) == ranks.get(end) + 1) {
                end++;
            }
            text.append(text.isEmpty() ? "" : ",").append(ranks.get(at));
            text.append(end == at ? "" : "-" + ranks.get(end));
            at = end + 1;
        }
        return text.toString();
    }
}
