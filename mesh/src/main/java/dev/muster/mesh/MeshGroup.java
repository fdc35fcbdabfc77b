// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.OptionalInt;

/// Ranks that communicate with each other. A group of a plan owns no communicator; one is attached where
/// the mesh runs. Immutable.
///
/// @param name its name within the mesh; not blank
/// @param ranks its ranks in order
/// @param backend its backend
/// @since 0.1
public record MeshGroup(String name, RankSequence ranks, GroupBackend backend) {
    /// Checks the name.
    public MeshGroup {
        if (name.isBlank()) {
            throw new MeshPlanException(MeshPlanError.BAD_NAME, "a group has a name that is not blank");
        }
    }

    /// Returns the number of ranks in it.
    public int size() {
        return ranks.size();
    }

    /// The rank in the world of its member at a position, from 0.
    public int rank(int position) {
        return ranks.rank(position);
    }

    /// Reports whether a rank of the world is a member.
    public boolean contains(int rank) {
        return ranks.contains(rank);
    }

    /// The position of a rank of the world in the group; empty if it is not a member.
    public OptionalInt findPosition(int rank) {
        return ranks.findPosition(rank);
    }

    /// The group for people, such as `tp_0 [0,1]`.
    @Override
    public String toString() {
        return name + " [" + ranks + "]";
    }
}
