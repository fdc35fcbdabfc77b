package dev.muster.mesh.ops;

/// The part of something that a rank has: so many consecutive ones from a place on.
///
/// @param from the first
/// @param count how many; none where there are fewer than ranks
/// @since 0.1
public record Shard(long from, long count) {
    /// The part of a rank when a total is divided as evenly as can be; sizes differ by one at most.
    ///
    /// @throws IllegalArgumentException if there is no such rank, or the total is negative
    public static Shard of(long total, int ranks, int rank) {
        if (total < 0 || rank < 0 || rank >= ranks) {
            throw new IllegalArgumentException("rank " + rank + " of " + ranks + " cannot have a part of " + total);
        }
        long small = total / ranks;
        long larger = total % ranks;
        return new Shard(small * rank + Math.min(rank, larger), small + (rank < larger ? 1 : 0));
    }

    /// The one after the last.
    public long end() {
        return from + count;
    }

    /// Whether it is in this part.
    public boolean contains(long index) {
        return index >= from && index < end();
    }
}
