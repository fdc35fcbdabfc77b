// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.mesh.MeshSpec;
import dev.muster.mesh.RankSequence;
import java.util.List;

/// The ranks of a mesh that form groups: those that differ in some axes alone, in blocks of so many. Experts, for
/// one, lie on some neighbours among the ranks of TP, CP and DP together. Immutable.
///
/// @param axes names of the mesh's axes
/// @param members ranks of a group
public record RankGroup(List<String> axes, int members) {
    /// Copies the names.
    public RankGroup {
        axes = List.copyOf(axes);
        if (axes.isEmpty() || members < 2) {
            throw new IllegalArgumentException("a group lies along an axis and has at least 2 ranks");
        }
    }

    void requireIn(MeshSpec mesh) {
        long size = 1;
        for (String axis : axes) {
            size *= mesh.size(axis);
        }
        if (size % members != 0) {
            throw new IllegalArgumentException("groups of " + members + " do not divide the " + size + " ranks along "
                    + String.join(" and ", axes) + " of " + mesh);
        }
    }

    /// The group of a rank, in the order of its members.
    int[] ranksOf(MeshSpec mesh, int rank) {
        RankSequence all = mesh.along(axes).groupOf(rank).ranks();
        int first = all.findPosition(rank).orElseThrow() / members * members;
        int[] ranks = new int[members];
        for (int i = 0; i < members; i++) {
            ranks[i] = all.rank(first + i);
        }
        return ranks;
    }
}
