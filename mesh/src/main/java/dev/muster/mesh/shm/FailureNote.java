package dev.muster.mesh.shm;

import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The first failure of a group, as members write it for each other: kind, ranks that are missing, and the sentence.
final class FailureNote {
    private FailureNote() {}

    static String write(MeshException failure) {
        String missing =
                failure.missingRanks().stream().map(String::valueOf).collect(Collectors.joining(","));
        return failure.error().code() + "\n" + missing + "\n" + failure.getMessage();
    }

    /// What another member's note means here.
    static MeshException read(String note, GroupIdentity group, int writer) {
        String[] parts = note.split("\n", 3);
        if (parts.length < 3) {
            return new MeshException(MeshError.ABORTED, "group " + group.name() + ": a member failed");
        }
        MeshError error = Arrays.stream(MeshError.values())
                .filter(value -> value.code().equals(parts[0]))
                .findFirst()
                .orElse(MeshError.ABORTED);
        String message = parts[2] + " (found by rank " + group.worldRank(writer) + ")";
        return new MeshException(error, message, missing(parts[1], group));
    }

    private static List<Integer> missing(String list, GroupIdentity group) {
        return group.worldRanks().stream()
                .filter(rank -> List.of(list.split(",")).contains(String.valueOf(rank)))
                .toList();
    }
}
