// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.MeshPlanError;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The ranks of a group in their order, each once. Immutable. Ranks of a mesh are computed when they are
/// asked for, so that a group of a million takes no more room than a group of two. Equal are sequences
/// of the same ranks.
///
/// @since 0.1
public abstract sealed class RankSequence {
    /// More ranks than these are shortened when a sequence is printed.
    private static final int MOST_PRINTED = 16;

    RankSequence() {}

    /// Consecutive ranks.
    ///
    /// @throws MeshPlanException if the first is negative, or there are none
    public static RankSequence range(int first, int count) {
        return StridedRanks.of(first, new int[] {count}, new int[] {1});
    }

    /// Those ranks, in that order.
    ///
    /// @throws MeshPlanException if there are none, or one is negative or stands there twice
    public static RankSequence of(Collection<Integer> ranks) {
        return ListedRanks.copyOf(ranks);
    }

    /// Returns the number of ranks; at least 1.
    public abstract int size();

    /// The rank at a position, from 0.
    ///
    /// @throws IndexOutOfBoundsException if the position does not exist
    public abstract int rank(int position);

    /// Returns the position of a rank; empty if it is not a member.
    public abstract OptionalInt findPosition(int rank);

    /// Reports whether a rank is a member.
    public final boolean contains(int rank) {
        return findPosition(rank).isPresent();
    }

    /// The largest rank.
    abstract int largest();

    /// All ranks in order.
    public final IntStream stream() {
        return IntStream.range(0, size()).map(this::rank);
    }

    /// The ranks as a list that computes them when they are asked for.
    public final List<Integer> asList() {
        return new View(this);
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof RankSequence that
                && size() == that.size()
                && IntStream.range(0, size()).allMatch(i -> rank(i) == that.rank(i));
    }

    @Override
    public final int hashCode() {
        return 31 * (31 * size() + rank(0)) + rank(size() - 1);
    }

    /// The ranks with commas between; of many, the first ones, the last one and their count.
    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder();
        int shown = size() <= MOST_PRINTED ? size() : MOST_PRINTED - 2;
        for (int i = 0; i < shown; i++) {
            text.append(i == 0 ? "" : ",").append(rank(i));
        }
        return shown == size() ? text.toString() : text + ",…," + rank(size() - 1) + " (" + size() + ")";
    }

    static MeshPlanException empty() {
        return new MeshPlanException(MeshPlanError.EMPTY_GROUP, "a group has at least one rank");
    }

    static MeshPlanException negative(int rank) {
        return new MeshPlanException(MeshPlanError.RANK_OUT_OF_BOUNDS, "a rank must not be negative: " + rank);
    }

    private static final class View extends AbstractList<Integer> {
        private final RankSequence ranks;

        View(RankSequence ranks) {
            this.ranks = ranks;
        }

        @Override
        public Integer get(int index) {
            return ranks.rank(index);
        }

        @Override
        public int size() {
            return ranks.size();
        }

        @Override
        public boolean contains(@Nullable Object o) {
            return o instanceof Integer rank && ranks.contains(rank);
        }

        @Override
        public int indexOf(@Nullable Object o) {
            return o instanceof Integer rank ? ranks.findPosition(rank).orElse(-1) : -1;
        }

        @Override
        public int lastIndexOf(@Nullable Object o) {
            return indexOf(o);
        }
    }

    /// Ranks that were chosen one by one.
    private static final class ListedRanks extends RankSequence {
        private final int[] ranks;
        /// Rank in the upper half, position in the lower one, sorted: membership is a binary search.
        private final long[] byRank;

        private ListedRanks(int[] ranks, long[] byRank) {
            this.ranks = ranks;
            this.byRank = byRank;
        }

        static ListedRanks copyOf(Collection<Integer> members) {
            int[] ranks = members.stream().mapToInt(Integer::intValue).toArray();
            if (ranks.length == 0) {
                throw empty();
            }
            long[] byRank = new long[ranks.length];
            for (int i = 0; i < ranks.length; i++) {
                if (ranks[i] < 0) {
                    throw negative(ranks[i]);
                }
                byRank[i] = (long) ranks[i] << Integer.SIZE | i;
            }
            Arrays.sort(byRank);
            for (int i = 1; i < byRank.length; i++) {
                int rank = (int) (byRank[i] >>> Integer.SIZE);
                if (rank == (int) (byRank[i - 1] >>> Integer.SIZE)) {
                    throw new MeshPlanException(
                            MeshPlanError.DUPLICATE_RANK, "rank " + rank + " is listed twice in the group");
                }
            }
            return new ListedRanks(ranks, byRank);
        }

        @Override
        public int size() {
            return ranks.length;
        }

        @Override
        public int rank(int position) {
            return ranks[position];
        }

        @Override
        public OptionalInt findPosition(int rank) {
            int found = Arrays.binarySearch(byRank, (long) rank << Integer.SIZE);
            int index = found < 0 ? -found - 1 : found;
            return index < byRank.length && (int) (byRank[index] >>> Integer.SIZE) == rank
                    ? OptionalInt.of((int) byRank[index])
                    : OptionalInt.empty();
        }

        @Override
        int largest() {
            return (int) (byRank[byRank.length - 1] >>> Integer.SIZE);
        }
    }

    /// Ranks along dimensions of a mesh: a first one, and for each dimension how many there are and how far
    /// apart. The first dimension varies fastest, and each stride is a multiple of all that lies below it.
    static final class StridedRanks extends RankSequence {
        private final int first;
        private final int[] sizes;
        private final int[] strides;
        private final int count;

        private StridedRanks(int first, int[] sizes, int[] strides, int count) {
            this.first = first;
            this.sizes = sizes;
            this.strides = strides;
            this.count = count;
        }

        /// Takes the arrays as they are; callers keep no reference.
        static StridedRanks of(int first, int[] sizes, int[] strides) {
            if (first < 0) {
                throw negative(first);
            }
            int count = 1;
            for (int size : sizes) {
                if (size < 1) {
                    throw empty();
                }
                count = Math.multiplyExact(count, size);
            }
            return new StridedRanks(first, sizes, strides, count);
        }

        @Override
        public int size() {
            return count;
        }

        @Override
        public int rank(int position) {
            int rest = Objects.checkIndex(position, count);
            int rank = first;
            for (int i = 0; i < sizes.length; i++) {
                rank += rest % sizes[i] * strides[i];
                rest /= sizes[i];
            }
            return rank;
        }

        @Override
        public OptionalInt findPosition(int rank) {
            int rest = rank - first;
            if (rank < 0 || rest < 0) {
                return OptionalInt.empty();
            }
            int position = 0;
            int below = 1;
            for (int i = 0; i < sizes.length; i++) {
                int index = rest / strides[i] % sizes[i];
                rest -= index * strides[i];
                position += index * below;
                below *= sizes[i];
            }
            return rest == 0 ? OptionalInt.of(position) : OptionalInt.empty();
        }

        @Override
        int largest() {
            return rank(count - 1);
        }
    }
}
