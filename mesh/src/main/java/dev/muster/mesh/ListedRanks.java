package dev.muster.mesh;

import dev.muster.mesh.MeshPlanException.Code;
import java.util.Arrays;
import java.util.Collection;
import java.util.OptionalInt;

/// Ranks that somebody chose one by one.
final class ListedRanks extends RankSequence {
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
                throw new MeshPlanException(Code.DUPLICATE_RANK, "rank " + rank + " stands twice in the group");
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
