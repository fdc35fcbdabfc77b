// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Operations of a group on Java arrays; a `short[]` has elements of bfloat16. Arrays are copied once to memory outside
/// the heap, which is
/// kept and used again, and the result is copied back. Ranks are those within the group; lengths are
/// checked as the group checks them, before any other rank is disturbed.
///
/// Safe for use by several threads: operations take place one after the other. The caller that made it closes
/// it, which frees the memory and leaves the group open.
///
/// @since 0.1
public final class DistributedOps implements AutoCloseable {
    private final @Nullable ProcessGroup group;
    private final Scratch scratch = new Scratch();

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

    /// Returns the number of members of the group.
    public int size() {
        return connected().size();
    }

    private ProcessGroup connected() {
        if (group == null) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "No communication backend configured: join a mesh and take the operations of one of its groups");
        }
        return group;
    }

    /// Waits until all members have come.
    public void barrier() {
        connected().barrier();
    }

    /// Reduces the arrays of all members, in place.
    public void allReduce(float[] values, ReduceOp op) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.allReduce(buffer, DType.FLOAT32, op));
    }

    /// Reduces the arrays of all members, in place.
    public void allReduce(int[] values, ReduceOp op) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.allReduce(buffer, DType.INT32, op));
    }

    /// Reduces the arrays of all members, in place.
    public void allReduce(double[] values, ReduceOp op) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.allReduce(buffer, DType.FLOAT64, op));
    }

    /// Reduces the arrays of all members, in place.
    public void allReduce(long[] values, ReduceOp op) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.allReduce(buffer, DType.INT64, op));
    }

    /// Reduces the arrays of all members, in place.
    public void allReduce(short[] values, ReduceOp op) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.allReduce(buffer, DType.BFLOAT16, op));
    }

    /// Gives all members what the root has.
    public void broadcast(float[] values, int root) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.broadcast(buffer, DType.FLOAT32, root));
    }

    /// Gives all members what the root has.
    public void broadcast(int[] values, int root) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.broadcast(buffer, DType.INT32, root));
    }

    /// Gives all members what the root has.
    public void broadcast(double[] values, int root) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.broadcast(buffer, DType.FLOAT64, root));
    }

    /// Gives all members what the root has.
    public void broadcast(long[] values, int root) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.broadcast(buffer, DType.INT64, root));
    }

    /// Gives all members what the root has.
    public void broadcast(short[] values, int root) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.broadcast(buffer, DType.BFLOAT16, root));
    }

    /// Receives an array of that length from a member.
    public void receive(float[] values, int from) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.receive(buffer, from));
    }

    /// Receives an array of that length from a member.
    public void receive(int[] values, int from) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.receive(buffer, from));
    }

    /// Receives an array of that length from a member.
    public void receive(double[] values, int from) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.receive(buffer, from));
    }

    /// Receives an array of that length from a member.
    public void receive(long[] values, int from) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.receive(buffer, from));
    }

    /// Receives an array of that length from a member.
    public void receive(short[] values, int from) {
        inPlace(MemorySegment.ofArray(values), (open, buffer) -> open.receive(buffer, from));
    }

    /// Sends an array to a member, which receives it.
    public void send(float[] values, int to) {
        send(MemorySegment.ofArray(values), to);
    }

    /// Sends an array to a member, which receives it.
    public void send(int[] values, int to) {
        send(MemorySegment.ofArray(values), to);
    }

    /// Sends an array to a member, which receives it.
    public void send(double[] values, int to) {
        send(MemorySegment.ofArray(values), to);
    }

    /// Sends an array to a member, which receives it.
    public void send(long[] values, int to) {
        send(MemorySegment.ofArray(values), to);
    }

    /// Sends an array to a member, which receives it.
    public void send(short[] values, int to) {
        send(MemorySegment.ofArray(values), to);
    }

    private synchronized void send(MemorySegment values, int to) {
        ProcessGroup open = connected();
        open.send(copyOf(values, scratch.ofBytes(values.byteSize()), 0), to);
    }

    /// Gives all members what each has, in the order of ranks.
    ///
    /// @param all has room for the arrays of all
    public void allGather(float[] local, float[] all) {
        move(local, all, (open, input, output) -> open.allGather(input, output, DType.FLOAT32));
    }

    /// Gives all members what each has, in the order of ranks.
    ///
    /// @param all has room for the arrays of all
    public void allGather(int[] local, int[] all) {
        move(local, all, (open, input, output) -> open.allGather(input, output, DType.INT32));
    }

    /// Gives all members what each has, in the order of ranks.
    public void allGather(double[] local, double[] all) {
        move(
                MemorySegment.ofArray(local),
                MemorySegment.ofArray(all),
                (open, input, output) -> open.allGather(input, output, DType.FLOAT64));
    }

    /// Gives all members what each has, in the order of ranks.
    public void allGather(long[] local, long[] all) {
        move(
                MemorySegment.ofArray(local),
                MemorySegment.ofArray(all),
                (open, input, output) -> open.allGather(input, output, DType.INT64));
    }

    /// Gives all members what each has, in the order of ranks.
    public void allGather(short[] local, short[] all) {
        move(
                MemorySegment.ofArray(local),
                MemorySegment.ofArray(all),
                (open, input, output) -> open.allGather(input, output, DType.BFLOAT16));
    }

    /// Gives all members what each has, which has that many elements each; all members pass the same counts.
    public void allGather(float[] local, long[] counts, float[] all) {
        move(local, all, (open, input, output) -> open.allGatherUneven(input, output, counts, DType.FLOAT32));
    }

    /// Gives all members what each has, which has that many elements each; all members pass the same counts.
    public void allGather(int[] local, long[] counts, int[] all) {
        move(local, all, (open, input, output) -> open.allGatherUneven(input, output, counts, DType.INT32));
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public void reduceScatter(float[] values, float[] piece, ReduceOp op) {
        move(values, piece, (open, input, output) -> open.reduceScatter(input, output, DType.FLOAT32, op));
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public void reduceScatter(int[] values, int[] piece, ReduceOp op) {
        move(values, piece, (open, input, output) -> open.reduceScatter(input, output, DType.INT32, op));
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public void reduceScatter(double[] values, double[] piece, ReduceOp op) {
        move(
                MemorySegment.ofArray(values),
                MemorySegment.ofArray(piece),
                (open, input, output) -> open.reduceScatter(input, output, DType.FLOAT64, op));
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public void reduceScatter(long[] values, long[] piece, ReduceOp op) {
        move(
                MemorySegment.ofArray(values),
                MemorySegment.ofArray(piece),
                (open, input, output) -> open.reduceScatter(input, output, DType.INT64, op));
    }

    /// Reduces the arrays of all members and gives each the piece of its rank. The input stays as it is.
    public void reduceScatter(short[] values, short[] piece, ReduceOp op) {
        move(
                MemorySegment.ofArray(values),
                MemorySegment.ofArray(piece),
                (open, input, output) -> open.reduceScatter(input, output, DType.BFLOAT16, op));
    }

    /// Reduces the arrays of all members and gives each a piece with its count; all members pass the same counts.
    public void reduceScatter(float[] values, long[] counts, float[] piece, ReduceOp op) {
        move(
                values,
                piece,
                (open, input, output) -> open.reduceScatterUneven(input, output, counts, DType.FLOAT32, op));
    }

    /// Reduces the arrays of all members and gives each a piece with its count; all members pass the same counts.
    public void reduceScatter(int[] values, long[] counts, int[] piece, ReduceOp op) {
        move(values, piece, (open, input, output) -> open.reduceScatterUneven(input, output, counts, DType.INT32, op));
    }

    /// Gives each member its piece of what the root has; only pieces travel. Others may pass an empty array as data.
    public void scatter(float[] data, float[] piece, int root) {
        MemorySegment input = MemorySegment.ofArray(rank() == root ? data : new float[0]);
        move(input, MemorySegment.ofArray(piece), (open, in, out) -> open.scatter(in, out, DType.FLOAT32, root));
    }

    /// Gives each member its piece of what the root has; only pieces travel. Others may pass an empty array as data.
    public void scatter(int[] data, int[] piece, int root) {
        MemorySegment input = MemorySegment.ofArray(rank() == root ? data : new int[0]);
        move(input, MemorySegment.ofArray(piece), (open, in, out) -> open.scatter(in, out, DType.INT32, root));
    }

    /// Gives the root what each has, in the order of ranks. The arrays of others stay as they are; they may be
    /// empty.
    public void gather(float[] local, float[] all, int root) {
        MemorySegment output = MemorySegment.ofArray(rank() == root ? all : new float[0]);
        move(MemorySegment.ofArray(local), output, (open, in, out) -> open.gather(in, out, DType.FLOAT32, root));
    }

    /// Gives the root what each has, in the order of ranks. The arrays of others stay as they are; they may be
    /// empty.
    public void gather(int[] local, int[] all, int root) {
        MemorySegment output = MemorySegment.ofArray(rank() == root ? all : new int[0]);
        move(MemorySegment.ofArray(local), output, (open, in, out) -> open.gather(in, out, DType.INT32, root));
    }

    /// An operation on one buffer.
    private interface InPlace {
        void run(ProcessGroup open, MemorySegment buffer);
    }

    /// An operation from one buffer to another.
    private interface Move {
        void run(ProcessGroup open, MemorySegment input, MemorySegment output);
    }

    private synchronized void inPlace(MemorySegment values, InPlace operation) {
        ProcessGroup open = connected();
        MemorySegment buffer = copyOf(values, scratch.ofBytes(values.byteSize()), 0);
        operation.run(open, buffer);
        values.copyFrom(buffer);
    }

    private void move(float[] from, float[] to, Move operation) {
        move(MemorySegment.ofArray(from), MemorySegment.ofArray(to), operation);
    }

    private void move(int[] from, int[] to, Move operation) {
        move(MemorySegment.ofArray(from), MemorySegment.ofArray(to), operation);
    }

    private synchronized void move(MemorySegment from, MemorySegment to, Move operation) {
        ProcessGroup open = connected();
        MemorySegment memory = scratch.ofBytes(from.byteSize() + to.byteSize());
        MemorySegment output = memory.asSlice(0, to.byteSize());
        operation.run(open, copyOf(from, memory, to.byteSize()), output);
        to.copyFrom(output);
    }

    private static MemorySegment copyOf(MemorySegment values, MemorySegment memory, long offset) {
        return memory.asSlice(offset, values.byteSize()).copyFrom(values);
    }

    /// Splits a count as evenly as possible and returns each member's share.
    long[] pieces(long length) {
        int ranks = size();
        long[] counts = new long[ranks];
        Arrays.setAll(counts, rank -> Share.of(length, ranks, rank).count());
        return counts;
    }

    /// Frees the memory. The group stays open.
    @Override
    public synchronized void close() {
        scratch.close();
    }

    /// The part of something that a rank has: so many consecutive ones from a place on.
    ///
    /// @param from the first
    /// @param count number of elements; none where there are fewer than ranks
    /// @since 0.1
    public record Share(long from, long count) {
        /// The part of a rank when a total is divided as evenly as can be; sizes differ by one at most.
        ///
        /// @throws IllegalArgumentException if the rank does not exist, or the total is negative
        public static Share of(long total, int ranks, int rank) {
            if (total < 0 || rank < 0 || rank >= ranks) {
                throw new IllegalArgumentException("rank " + rank + " of " + ranks + " cannot have a part of " + total);
            }
            long small = total / ranks;
            long larger = total % ranks;
            return new Share(small * rank + Math.min(rank, larger), small + (rank < larger ? 1 : 0));
        }

        /// The one after the last.
        public long end() {
            return from + count;
        }

        /// Reports whether it is in this part.
        public boolean contains(long index) {
            return index >= from && index < end();
        }
    }
}
