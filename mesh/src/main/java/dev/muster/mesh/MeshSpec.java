// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.text.NearestMatch;
import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The shape of a mesh: named dimensions in the order of ranks, the fastest first. Immutable.
///
/// Ranks that differ in the first dimension alone follow each other; the stride of a dimension is the
/// product of the sizes before it. The order is part of the value: it is printed, compared and hashed,
/// never implied.
///
/// @since 0.1
public final class MeshSpec {
    /// The most ranks that a mesh can have.
    public static final int MOST_RANKS = Integer.MAX_VALUE;

    private static final int MOST_DIMENSIONS = 32;

    private final List<MeshDimension> dimensions;
    private final int[] strides;
    private final int worldSize;

    private MeshSpec(List<MeshDimension> dimensions) {
        if (dimensions.isEmpty() || dimensions.size() > MOST_DIMENSIONS) {
            throw new MeshPlanException(
                    MeshPlanError.BAD_SIZE,
                    "a mesh has 1 to " + MOST_DIMENSIONS + " dimensions, not " + dimensions.size());
        }
        this.dimensions = List.copyOf(dimensions);
        this.strides = new int[dimensions.size()];
        Set<String> names = new HashSet<>();
        long product = 1;
        for (int i = 0; i < strides.length; i++) {
            MeshDimension dimension = dimensions.get(i);
            if (!names.add(dimension.name())) {
                throw new MeshPlanException(MeshPlanError.BAD_NAME, "dimension " + dimension.name() + " appears twice");
            }
            strides[i] = (int) product;
            product *= dimension.size();
            if (product > MOST_RANKS) {
                throw new MeshPlanException(
                        MeshPlanError.BAD_SIZE,
                        "the mesh is too large: " + MeshSpecText.print(dimensions) + ": at most " + MOST_RANKS
                                + " ranks");
            }
        }
        this.worldSize = (int) product;
    }

    /// A mesh of those dimensions, the fastest first.
    ///
    /// @throws MeshPlanException if there are none, two have one name, or there are too many ranks
    public static MeshSpec of(MeshDimension... dimensions) {
        return of(Arrays.asList(dimensions));
    }

    /// A mesh of those dimensions, the fastest first.
    ///
    /// @throws MeshPlanException if there are none, two have one name, or there are too many ranks
    public static MeshSpec of(List<MeshDimension> dimensions) {
        return new MeshSpec(dimensions);
    }

    /// A mesh of those sizes in an order, such as `tp-cp-ep-dp-pp`, the fastest first. Names of the
    /// order without a size have the size 1; names of size 1 that the order leaves out come last, in the
    /// order of the sizes.
    ///
    /// @throws MeshPlanException if the order leaves out a larger dimension or names one twice
    public static MeshSpec of(Map<String, Integer> sizes, String order) {
        return MeshSpecText.ordered(
                sizes.entrySet().stream()
                        .map(entry -> new MeshDimension(entry.getKey(), entry.getValue()))
                        .toList(),
                order);
    }

    /// Reads a mesh as it is printed: `tp=2,pp=2,dp=2`, the fastest first.
    ///
    /// @throws MeshPlanException if the text describes no mesh
    public static MeshSpec parse(String text) {
        return of(MeshSpecText.parse(text));
    }

    /// The dimensions, the fastest first.
    public List<MeshDimension> dimensions() {
        return dimensions;
    }

    /// The names of the dimensions, the fastest first.
    public List<String> names() {
        return dimensions.stream().map(MeshDimension::name).toList();
    }

    /// The order of ranks, the fastest first: `tp-pp-dp`.
    public String order() {
        return String.join("-", names());
    }

    /// Returns the number of ranks of the mesh: the product of the sizes.
    public int worldSize() {
        return worldSize;
    }

    /// Reports whether there is a dimension with that name.
    public boolean has(String name) {
        return names().contains(name);
    }

    /// The size of a dimension.
    ///
    /// @throws MeshPlanException if the dimension does not exist
    public int size(String name) {
        return dimensions.get(index(name)).size();
    }

    /// Returns the distance between ranks that follow each other along a dimension.
    ///
    /// @throws MeshPlanException if the dimension does not exist
    public int stride(String name) {
        return strides[index(name)];
    }

    /// Returns the position of a rank along each dimension, in the order of [#dimensions()].
    ///
    /// @throws MeshPlanException if the mesh has no such rank
    public int[] coordinates(int rank) {
        requireRank(rank);
        int[] coordinates = new int[strides.length];
        for (int i = 0; i < strides.length; i++) {
            coordinates[i] = coordinate(rank, i);
        }
        return coordinates;
    }

    /// Returns the position of a rank along one dimension, from 0.
    ///
    /// @throws MeshPlanException if the mesh has no such rank or dimension
    public int coordinate(int rank, String name) {
        requireRank(rank);
        return coordinate(rank, index(name));
    }

    /// The rank that stands at those coordinates, given in the order of [#dimensions()].
    ///
    /// @throws MeshPlanException if there are too few or too many, or one lies outside
    public int rank(int... coordinates) {
        if (coordinates.length != strides.length) {
            throw new MeshPlanException(
                    MeshPlanError.SHAPE_MISMATCH,
                    "a rank of " + order() + " has " + strides.length + " coordinates, not " + coordinates.length);
        }
        int rank = 0;
        for (int i = 0; i < strides.length; i++) {
            MeshDimension dimension = dimensions.get(i);
            if (coordinates[i] < 0 || coordinates[i] >= dimension.size()) {
                throw new MeshPlanException(
                        MeshPlanError.RANK_OUT_OF_BOUNDS,
                        "dimension " + dimension + " has no coordinate " + coordinates[i]);
            }
            rank += coordinates[i] * strides[i];
        }
        return rank;
    }

    /// The rank behind another along a dimension; nothing behind the end of a chain.
    public OptionalInt findNext(int rank, String name, Wrap wrap) {
        return step(rank, name, 1, wrap);
    }

    /// The rank before another along a dimension; nothing before the start of a chain.
    public OptionalInt findPrevious(int rank, String name, Wrap wrap) {
        return step(rank, name, -1, wrap);
    }

    private OptionalInt step(int rank, String name, int by, Wrap wrap) {
        requireRank(rank);
        int index = index(name);
        int size = dimensions.get(index).size();
        int here = coordinate(rank, index);
        int there = Math.floorMod(here + by, size);
        boolean inside = there == here + by;
        return inside || wrap == Wrap.AROUND
                ? OptionalInt.of(rank + (there - here) * strides[index])
                : OptionalInt.empty();
    }

    /// The groups of ranks that differ in the named dimensions alone. Groups are counted, and members
    /// stand, with the dimension that comes first in the mesh's order varying fastest, in any order
    /// the names are given.
    ///
    /// @throws MeshPlanException if the dimension does not exist
    public GroupFamily along(String... names) {
        return along(Arrays.asList(names));
    }

    /// The groups of ranks that differ in the named dimensions alone.
    ///
    /// @throws MeshPlanException if the dimension does not exist
    public GroupFamily along(Collection<String> names) {
        return GroupFamily.along(this, names);
    }

    /// The part of the mesh that a rank shares with those who differ in the named dimensions alone.
    ///
    /// @param names in the mesh's order
    /// @throws MeshPlanException if a name is unknown or out of order, or the mesh has no such rank
    public Slice slice(int rank, String... names) {
        requireRank(rank);
        List<MeshDimension> kept = new ArrayList<>();
        int last = -1;
        for (String name : names) {
            int index = index(name);
            if (index <= last) {
                throw new MeshPlanException(
                        MeshPlanError.NOT_CONTIGUOUS,
                        "dimensions of a slice are named once and in the mesh's order, " + order() + ": "
                                + String.join(", ", names));
            }
            last = index;
            kept.add(dimensions.get(index));
        }
        return new Slice(of(kept), along(names).groupOf(rank).ranks());
    }

    /// The same ranks with some dimensions, next to each other, made one.
    ///
    /// @param names in the mesh's order
    /// @throws MeshPlanException if they are not next to each other, or the new name is taken
    public MeshSpec flatten(String newName, String... names) {
        if (names.length == 0) {
            throw new MeshPlanException(MeshPlanError.UNKNOWN_DIMENSION, "state the dimensions that become " + newName);
        }
        int first = index(names[0]);
        long size = 1;
        for (int i = 0; i < names.length; i++) {
            if (index(names[i]) != first + i) {
                throw new MeshPlanException(
                        MeshPlanError.NOT_CONTIGUOUS,
                        String.join(", ", names) + " do not follow each other in " + order());
            }
            size *= size(names[i]);
        }
        List<MeshDimension> flat = new ArrayList<>(dimensions);
        flat.subList(first, first + names.length).clear();
        flat.add(first, MeshDimension.of(newName, size));
        return of(flat);
    }

    /// The same ranks with one dimension made several, the fastest first.
    ///
    /// @throws MeshPlanException if the product of their sizes is another
    public MeshSpec split(String name, MeshDimension... parts) {
        int index = index(name);
        MeshSpec inner = of(parts);
        if (inner.worldSize() != dimensions.get(index).size()) {
            throw new MeshPlanException(
                    MeshPlanError.SHAPE_MISMATCH, dimensions.get(index) + " cannot be split into " + inner);
        }
        List<MeshDimension> split = new ArrayList<>(dimensions);
        split.remove(index);
        split.addAll(index, inner.dimensions());
        return of(split);
    }

    /// As many ranks in another shape.
    ///
    /// @throws MeshPlanException if there are not as many
    public MeshSpec reshape(MeshDimension... shape) {
        MeshSpec other = of(shape);
        if (other.worldSize() != worldSize) {
            throw new MeshPlanException(
                    MeshPlanError.SHAPE_MISMATCH,
                    other + " has " + other.worldSize() + " ranks and " + this + " has " + worldSize
                            + "; a new shape has as many");
        }
        return other;
    }

    /// The same dimensions in another order, such as `tp-dp-pp`; each rank then stands elsewhere.
    ///
    /// @throws MeshPlanException if the order leaves out a larger dimension, names one twice or one that
    ///     is not there
    public MeshSpec withOrder(String order) {
        MeshSpec ordered = MeshSpecText.ordered(dimensions, order);
        ordered.names().forEach(this::index);
        return ordered;
    }

    /// Returns the index of a dimension in the order.
    int index(String name) {
        for (int i = 0; i < strides.length; i++) {
            if (dimensions.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new MeshPlanException(
                MeshPlanError.UNKNOWN_DIMENSION,
                "mesh " + this + " has no dimension '" + name + "'"
                        + NearestMatch.find(name, names())
                                .map(near -> "; did you mean " + near + "?")
                                .orElse(""));
    }

    int stride(int index) {
        return strides[index];
    }

    private int coordinate(int rank, int index) {
        return rank / strides[index] % dimensions.get(index).size();
    }

    private void requireRank(int rank) {
        if (rank < 0 || rank >= worldSize) {
            throw new MeshPlanException(
                    MeshPlanError.RANK_OUT_OF_BOUNDS, "Rank " + rank + " out of bounds for world size " + worldSize);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MeshSpec that && dimensions.equals(that.dimensions);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(dimensions);
    }

    /// The mesh as it is read: `tp=2,pp=2,dp=2`, the fastest first.
    @Override
    public String toString() {
        return MeshSpecText.print(dimensions);
    }

    /// The first index behind the end of a dimension.
    ///
    /// @since 0.1
    public enum Wrap {
        /// The other end: the dimension is a ring.
        AROUND,
        /// Nothing: the dimension is a chain.
        STOP
    }

    /// A part of a mesh that is a mesh itself. Immutable.
    ///
    /// @param spec its own shape, with ranks from 0
    /// @param ranks the rank in the whole mesh of each of its ranks
    /// @since 0.1
    public record Slice(MeshSpec spec, RankSequence ranks) {
        /// The rank in the whole mesh of one of the slice.
        public int toWorld(int rank) {
            return ranks.rank(rank);
        }

        /// The rank in the slice of one of the whole mesh; empty if it is not part of the slice.
        public OptionalInt findFromWorld(int rank) {
            return ranks.findPosition(rank);
        }

        /// A slice of the slice; ranks still are those of the whole mesh.
        ///
        /// @param rank a rank of this slice
        /// @param names in the slice's order
        public Slice slice(int rank, String... names) {
            Slice inner = spec.slice(rank, names);
            return new Slice(
                    inner.spec(),
                    RankSequence.of(
                            inner.ranks().stream().map(ranks::rank).boxed().toList()));
        }
    }
}
