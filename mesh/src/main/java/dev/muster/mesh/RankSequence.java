package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.Code;
import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The ranks of a group in their order, each once. Immutable. Ranks of a mesh are computed when they are asked for, so
/// that a group of a million takes no more room than a group of two. Equal are sequences of the same ranks.
///
/// @since 0.1
public abstract sealed class RankSequence permits StridedRanks, ListedRanks {
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

    /// How many ranks there are; at least 1.
    public abstract int size();

    /// The rank at a position, from 0.
    ///
    /// @throws IndexOutOfBoundsException if there is no such position
    public abstract int rank(int position);

    /// Where a rank stands; nothing if it is no member.
    public abstract OptionalInt findPosition(int rank);

    /// Whether a rank is a member.
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
        return new MeshPlanException(Code.EMPTY_GROUP, "a group has at least one rank");
    }

    static MeshPlanException negative(int rank) {
        return new MeshPlanException(Code.RANK_OUT_OF_BOUNDS, "a rank is not negative: " + rank);
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
}
