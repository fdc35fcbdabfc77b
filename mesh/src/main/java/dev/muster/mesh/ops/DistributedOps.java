package dev.muster.mesh.ops;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Operations of a group on Java arrays. Arrays are copied once to memory outside the heap, which is
/// kept and used again, and the result is copied back. Ranks are those within the group; lengths are
/// checked as the group checks them, before any other rank is disturbed.
///
/// Safe for use by several threads: operations take place one after the other. Whoever made it closes
/// it, which frees the memory and leaves the group open.
///
/// @since 0.1
public final class DistributedOps implements AutoCloseable {
    private final @Nullable ProcessGroup group;
    private final Staging staging = new Staging();

    private DistributedOps(@Nullable ProcessGroup group) {
        this.group = group;
    }

    /// Operations over a group.
    public static DistributedOps over(ProcessGroup group) {
        return new DistributedOps(group);
    }

    /// Operations of a mesh whose ranks are not connected: all of them fail and say so.
    public static DistributedOps unconnected() {
        return new DistributedOps(null);
    }

    /// The rank of this process within the group.
    public int rank() {
        return connected().rank();
    }

    /// How many members the group has.
    public int size() {
        return connected().size();
    }

    private ProcessGroup connected() {
        if (group == null) {
            throw new GroupException(
                    Code.UNAVAILABLE,
                    "No communication backend configured: join a mesh and take the operations of one of its groups");
        }
        return group;
    }

    /// Waits until all members have come.
    public void barrier() {
        connected().barrier();
    }

    /// Reduces the arrays of all members, in place.
    public synchronized void allReduce(float[] values, ReduceOp op) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        MemorySegment buffer = staging.copyOf(values);
        open.allReduce(buffer, DType.FLOAT32, op);
        Staging.copy(buffer, values);
    }

    /// Gives all members what the root has.
    public synchronized void broadcast(float[] values, int root) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        MemorySegment buffer = staging.copyOf(values);
        open.broadcast(buffer, DType.FLOAT32, root);
        Staging.copy(buffer, values);
    }

    /// Gives all members what each has, in the order of ranks.
    ///
    /// @param all has room for the arrays of all
    public synchronized void allGather(float[] local, float[] all) {
        ProcessGroup open = connected();
        staging.begin((long) local.length + all.length);
        MemorySegment output = staging.room(all.length);
        open.allGather(staging.copyOf(local), output, DType.FLOAT32);
        Staging.copy(output, all);
    }

    /// Gives all members what each has, which has that many elements each; all members pass the same
    /// counts.
    public synchronized void allGather(float[] local, long[] counts, float[] all) {
        ProcessGroup open = connected();
        staging.begin((long) local.length + all.length);
        MemorySegment output = staging.room(all.length);
        open.allGatherUneven(staging.copyOf(local), output, counts, DType.FLOAT32);
        Staging.copy(output, all);
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public synchronized void reduceScatter(float[] values, float[] piece, ReduceOp op) {
        ProcessGroup open = connected();
        staging.begin((long) values.length + piece.length);
        MemorySegment output = staging.room(piece.length);
        open.reduceScatter(staging.copyOf(values), output, DType.FLOAT32, op);
        Staging.copy(output, piece);
    }

    /// Reduces the arrays of all members and gives each a piece with its count; all members pass the
    /// same counts.
    public synchronized void reduceScatter(float[] values, long[] counts, float[] piece, ReduceOp op) {
        ProcessGroup open = connected();
        staging.begin((long) values.length + piece.length);
        MemorySegment output = staging.room(piece.length);
        open.reduceScatterUneven(staging.copyOf(values), output, counts, DType.FLOAT32, op);
        Staging.copy(output, piece);
    }

    /// Gives each member its piece of what the root has; only pieces travel. Others may pass an empty
    /// array as data.
    public synchronized void scatter(float[] data, float[] piece, int root) {
        ProcessGroup open = connected();
        boolean gives = open.rank() == root;
        staging.begin((long) piece.length + (gives ? data.length : 0));
        MemorySegment output = staging.room(piece.length);
        open.scatter(gives ? staging.copyOf(data) : MemorySegment.NULL, output, DType.FLOAT32, root);
        Staging.copy(output, piece);
    }

    /// Gives the root what each has, in the order of ranks. The arrays of others stay as they are; they
    /// may be empty.
    public synchronized void gather(float[] local, float[] all, int root) {
        ProcessGroup open = connected();
        boolean takes = open.rank() == root;
        staging.begin((long) local.length + (takes ? all.length : 0));
        MemorySegment output = takes ? staging.room(all.length) : MemorySegment.NULL;
        open.gather(staging.copyOf(local), output, DType.FLOAT32, root);
        if (takes) {
            Staging.copy(output, all);
        }
    }

    /// Sends an array to a member, which receives it.
    public synchronized void send(float[] values, int to) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        open.send(staging.copyOf(values), to);
    }

    /// Receives an array of that length from a member.
    public synchronized void receive(float[] values, int from) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        MemorySegment buffer = staging.copyOf(values);
        open.receive(buffer, from);
        Staging.copy(buffer, values);
    }

    /// Reduces the arrays of all members, in place.
    public synchronized void allReduce(int[] values, ReduceOp op) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        MemorySegment buffer = staging.copyOf(values);
        open.allReduce(buffer, DType.INT32, op);
        Staging.copy(buffer, values);
    }

    /// Gives all members what the root has.
    public synchronized void broadcast(int[] values, int root) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        MemorySegment buffer = staging.copyOf(values);
        open.broadcast(buffer, DType.INT32, root);
        Staging.copy(buffer, values);
    }

    /// Gives all members what each has, in the order of ranks.
    ///
    /// @param all has room for the arrays of all
    public synchronized void allGather(int[] local, int[] all) {
        ProcessGroup open = connected();
        staging.begin((long) local.length + all.length);
        MemorySegment output = staging.room(all.length);
        open.allGather(staging.copyOf(local), output, DType.INT32);
        Staging.copy(output, all);
    }

    /// Gives all members what each has, which has that many elements each; all members pass the same
    /// counts.
    public synchronized void allGather(int[] local, long[] counts, int[] all) {
        ProcessGroup open = connected();
        staging.begin((long) local.length + all.length);
        MemorySegment output = staging.room(all.length);
        open.allGatherUneven(staging.copyOf(local), output, counts, DType.INT32);
        Staging.copy(output, all);
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public synchronized void reduceScatter(int[] values, int[] piece, ReduceOp op) {
        ProcessGroup open = connected();
        staging.begin((long) values.length + piece.length);
        MemorySegment output = staging.room(piece.length);
        open.reduceScatter(staging.copyOf(values), output, DType.INT32, op);
        Staging.copy(output, piece);
    }

    /// Reduces the arrays of all members and gives each a piece with its count; all members pass the
    /// same counts.
    public synchronized void reduceScatter(int[] values, long[] counts, int[] piece, ReduceOp op) {
        ProcessGroup open = connected();
        staging.begin((long) values.length + piece.length);
        MemorySegment output = staging.room(piece.length);
        open.reduceScatterUneven(staging.copyOf(values), output, counts, DType.INT32, op);
        Staging.copy(output, piece);
    }

    /// Gives each member its piece of what the root has; only pieces travel. Others may pass an empty
    /// array as data.
    public synchronized void scatter(int[] data, int[] piece, int root) {
        ProcessGroup open = connected();
        boolean gives = open.rank() == root;
        staging.begin((long) piece.length + (gives ? data.length : 0));
        MemorySegment output = staging.room(piece.length);
        open.scatter(gives ? staging.copyOf(data) : MemorySegment.NULL, output, DType.INT32, root);
        Staging.copy(output, piece);
    }

    /// Gives the root what each has, in the order of ranks. The arrays of others stay as they are; they
    /// may be empty.
    public synchronized void gather(int[] local, int[] all, int root) {
        ProcessGroup open = connected();
        boolean takes = open.rank() == root;
        staging.begin((long) local.length + (takes ? all.length : 0));
        MemorySegment output = takes ? staging.room(all.length) : MemorySegment.NULL;
        open.gather(staging.copyOf(local), output, DType.INT32, root);
        if (takes) {
            Staging.copy(output, all);
        }
    }

    /// Sends an array to a member, which receives it.
    public synchronized void send(int[] values, int to) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        open.send(staging.copyOf(values), to);
    }

    /// Receives an array of that length from a member.
    public synchronized void receive(int[] values, int from) {
        ProcessGroup open = connected();
        staging.begin(values.length);
        MemorySegment buffer = staging.copyOf(values);
        open.receive(buffer, from);
        Staging.copy(buffer, values);
    }

    /// How much each member has of something that is divided among them as evenly as can be.
    long[] pieces(long length) {
        int ranks = size();
        long[] counts = new long[ranks];
        Arrays.setAll(counts, rank -> Shard.of(length, ranks, rank).count());
        return counts;
    }

    /// Frees the memory. The group stays open.
    @Override
    public synchronized void close() {
        staging.close();
    }

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
}
