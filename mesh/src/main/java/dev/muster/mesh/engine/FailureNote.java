package dev.muster.mesh.engine;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import java.util.Arrays;

/// A failure as ranks tell it each other: kind, ranks that are missing, and the sentence.
public final class FailureNote {
    private static final int FIELDS = 3;

    private FailureNote() {}

    /// The failure as text.
    public static String write(GroupException failure) {
        return failure.code().text() + "\n" + RankList.write(failure.missingRanks()) + "\n" + failure.getMessage();
    }

    /// The failure that another rank wrote. What cannot be read is a failure all the same.
    ///
    /// @param writer the rank of the world that wrote it
    public static GroupException read(String note, int writer) {
        String[] parts = note.split("\n", FIELDS);
        if (parts.length < FIELDS) {
            return new GroupException(Code.ABORTED, "rank " + writer + " failed");
        }
        Code error = Arrays.stream(Code.values())
                .filter(value -> value.text().equals(parts[0]))
                .findFirst()
                .orElse(Code.ABORTED);
        return new GroupException(error, parts[2] + " (found by rank " + writer + ")", RankList.read(parts[1]));
    }
}
