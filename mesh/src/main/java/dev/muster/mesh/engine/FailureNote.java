// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.engine;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A failure as ranks tell it each other: kind, ranks that are missing, and the sentence.
public final class FailureNote {
    private static final int FIELDS = 3;

    private FailureNote() {}

    /// The failure as text.
    public static String write(GroupException failure) {
        return failure.code().text() + "\n" + writeRanks(failure.missingRanks()) + "\n" + failure.getMessage();
    }

    /// The failure that another rank wrote. What cannot be read is a failure all the same.
    ///
    /// @param writer the rank of the world that wrote it
    public static GroupException read(String note, int writer) {
        String[] parts = note.split("\n", FIELDS);
        if (parts.length < FIELDS) {
            return new GroupException(GroupError.ABORTED, "rank " + writer + " failed");
        }
        GroupError error = Arrays.stream(GroupError.values())
                .filter(value -> value.text().equals(parts[0]))
                .findFirst()
                .orElse(GroupError.ABORTED);
        return new GroupException(error, parts[2] + " (found by rank " + writer + ")", readRanks(parts[1]));
    }

    /// Ranks as text between processes: numbers with commas.
    public static String writeRanks(List<Integer> ranks) {
        return ranks.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /// The ranks of a text that another process wrote; other words are left out.
    public static List<Integer> readRanks(String text) {
        return Arrays.stream(text.split(","))
                .filter(rank -> rank.matches("[0-9]{1,9}"))
                .map(Integer::valueOf)
                .toList();
    }
}
