package dev.muster.mesh.collective;

import java.util.Arrays;

/// A failure as ranks tell it each other: kind, ranks that are missing, and the sentence.
///
/// @since 0.1
public final class FailureNote {
    private static final int FIELDS = 3;

    private FailureNote() {}

    /// The failure as text.
    public static String write(MeshException failure) {
        return failure.error().code() + "\n" + RankList.write(failure.missingRanks()) + "\n" + failure.getMessage();
    }

    /// The failure that another rank wrote. What cannot be read is a failure all the same.
    ///
    /// @param writer the rank of the world that wrote it
    public static MeshException read(String note, int writer) {
        String[] parts = note.split("\n", FIELDS);
        if (parts.length < FIELDS) {
            return new MeshException(MeshError.ABORTED, "rank " + writer + " failed");
        }
        MeshError error = Arrays.stream(MeshError.values())
                .filter(value -> value.code().equals(parts[0]))
                .findFirst()
                .orElse(MeshError.ABORTED);
        return new MeshException(error, parts[2] + " (found by rank " + writer + ")", RankList.read(parts[1]));
    }
}
