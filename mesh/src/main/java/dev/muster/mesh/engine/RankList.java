package dev.muster.mesh.engine;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Ranks as text between processes: numbers with commas.
public final class RankList {
    private RankList() {}

    /// The ranks as text.
    public static String write(List<Integer> ranks) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// The ranks of a text that another process wrote; what is no rank is left out.
    public static List<Integer> read(String text) {
        return Arrays.stream(text.split(","))
                .filter(rank -> rank.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .toList();
    }
}
