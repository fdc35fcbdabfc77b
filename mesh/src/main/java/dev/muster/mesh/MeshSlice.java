package dev.muster.mesh;

import java.util.OptionalInt;

/// A part of a mesh that is a mesh itself. Immutable.
///
/// @param spec its own shape, with ranks from 0
/// @param ranks the rank in the whole mesh of each of its ranks
/// @since 0.1
public record MeshSlice(MeshSpec spec, RankSequence ranks) {
    /// The rank in the whole mesh of one of the slice.
    public int toWorld(int rank) {
        return ranks.rank(rank);
    }

    /// The rank in the slice of one of the whole mesh; nothing if it is no part of the slice.
    public OptionalInt findFromWorld(int rank) {
        return ranks.findPosition(rank);
    }

    /// A slice of the slice; ranks still are those of the whole mesh.
    ///
    /// @param rank a rank of this slice
    /// @param names in the slice's order
    public MeshSlice slice(int rank, String... names) {
        MeshSlice inner = spec.slice(rank, names);
        return new MeshSlice(
                inner.spec(),
                RankSequence.of(inner.ranks().stream().map(ranks::rank).boxed().toList()));
    }
}
