// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import dev.muster.mesh.collective.FlightDump.FlightRecord;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Ranks that talk to each other. Every member calls the same operations in the same order with the same counts; a
/// member that does not is found out, and all get an error that says so.
///
/// Buffers are segments outside the Java heap and are taken whole: their size says how many elements there are. Input
/// and output may be the same segment; parts of one that overlap otherwise are not looked for. Each call has a limit,
/// 60 s unless [#withLimit(Duration)] says otherwise. After a failure the group is of no use; every later call gets
/// that failure again.
///
/// Safe for use by several threads: operations take place one after the other, in the order of the calls; those
/// handed to [#start(Consumer)] run on the group's own thread. In steady state calls leave no garbage.
///
/// @since 0.1
public final class ProcessGroup implements AutoCloseable {
    /// The default limit of a call.
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(60);

    private final GroupCore core;
    private final Duration limit;

    private ProcessGroup(GroupCore core, Duration limit) {
        this.core = core;
        this.limit = limit;
    }

    /// A group whose operations an engine carries out. Closing the group closes the engine.
    ///
    /// @param onFailure is told the first failure, once, by the thread that met it, and says what to throw: it
    ///     may know of one that came before
    public static ProcessGroup of(
            GroupIdentity identity, Engine engine, Duration limit, UnaryOperator<GroupException> onFailure) {
        return new ProcessGroup(new GroupCore(identity, engine, onFailure), limit);
    }

    /// The same group with another limit for each call; zero means none.
    public ProcessGroup withLimit(Duration other) {
        if (other.isNegative()) {
            throw new IllegalArgumentException("a limit must not be negative: " + other);
        }
        return new ProcessGroup(core, other);
    }

    /// Returns the limit of each call; zero means unlimited.
    public Duration limit() {
        return limit;
    }

    /// Name and members.
    public GroupIdentity identity() {
        return core.identity;
    }

    /// The rank of this process within the group.
    public int rank() {
        return core.identity.rank();
    }

    /// Returns the number of members.
    public int size() {
        return core.identity.size();
    }

    /// The engine that carries the operations out: `shm`, `tcp`.
    public String engine() {
        return core.engine.name();
    }

    /// Counts of the calls so far.
    public Metrics metrics() {
        return core.recorder.metrics();
    }

    /// The last calls, oldest first.
    public List<FlightRecord> recording() {
        return core.recorder.records();
    }

    /// The failure that made the group unusable, if there was one.
    public Optional<GroupException> failure() {
        return Optional.ofNullable(core.failure());
    }

    /// Fails the group: what is under way ends with that reason, here and on the other members.
    public void fail(GroupException reason) {
        core.fail(reason);
    }

    /// Hands operations to the group's own thread and returns at once. Work runs in the order of submission; a blocking
    /// call that comes later waits for it. Buffers belong to the work until it has ended.
    public Work start(Consumer<ProcessGroup> operations) {
        core.messages.begin();
        return core.queue.submit(() -> operations.accept(this));
    }

    /// Waits until all members have come.
    public void barrier() {
        run(Operation.BARRIER, DType.UINT8, MemorySegment.NULL, MemorySegment.NULL, 0, ReduceOp.SUM, 0);
    }

    /// Reduces the buffers of all members, in place.
    public void allReduce(MemorySegment buffer, DType type, ReduceOp op) {
        allReduce(buffer, buffer, type, op);
    }

    /// Reduces the inputs of all members into the output of each.
    public void allReduce(MemorySegment input, MemorySegment output, DType type, ReduceOp op) {
        long count = Buffers.elements("input", input, type);
        Buffers.requireOutput(output, type, count);
        Buffers.requireReducible(op, type);
        run(Operation.ALL_REDUCE, type, input, output, count, op, 0);
    }

    /// Reduces the inputs of all members into the output of one. Others may pass [MemorySegment#NULL] as output.
    public void reduce(MemorySegment input, MemorySegment output, DType type, ReduceOp op, int root) {
        long count = Buffers.elements("input", input, type);
        Buffers.requireReducible(op, type);
        if (isRoot(root)) {
            Buffers.requireOutput(output, type, count);
        }
        run(Operation.REDUCE, type, input, output, count, op, root);
    }

    /// Gives all members what the root has.
    public void broadcast(MemorySegment buffer, DType type, int root) {
        long count = Buffers.elements("buffer", buffer, type);
        if (!isRoot(root)) {
            Buffers.requireWritable(buffer);
        }
        run(Operation.BROADCAST, type, buffer, buffer, count, ReduceOp.SUM, root);
    }

    private boolean isRoot(int root) {
        Buffers.requireRank("root", root, size());
        return rank() == root;
    }

    private void run(
            Operation operation,
            DType type,
            MemorySegment input,
            MemorySegment output,
            long count,
            ReduceOp op,
            int root) {
        fill(operation, type, input, output, count, op, root);
        core.run(limit);
    }

    /// Waits for this thread's turn and fills the call.
    private GroupCall fill(
            Operation operation,
            DType type,
            MemorySegment input,
            MemorySegment output,
            long count,
            ReduceOp op,
            int root) {
        GroupCall call = core.take(limit);
        call.set(operation, type, input, output, count);
        call.reducing(op);
        call.rootedAt(root);
        return call;
    }

    /// Gives all members the inputs of all, in the order of ranks.
    public void allGather(MemorySegment input, MemorySegment output, DType type) {
        gather(Operation.ALL_GATHER, input, output, null, type, 0);
    }

    /// Gives all members the inputs of all, which have that many elements each; all members pass the same counts.
    public void allGatherUneven(MemorySegment input, MemorySegment output, long[] counts, DType type) {
        gather(Operation.ALL_GATHER, input, output, counts, type, 0);
    }

    /// Reduces the inputs of all members and gives each the piece of its rank. Inputs stay as they are.
    public void reduceScatter(MemorySegment input, MemorySegment output, DType type, ReduceOp op) {
        Buffers.requireReducible(op, type);
        scatter(Operation.REDUCE_SCATTER, input, output, null, type, op, 0);
    }

    /// Reduces the inputs of all members and gives each a piece with its count; all members pass the same counts.
    public void reduceScatterUneven(MemorySegment input, MemorySegment output, long[] counts, DType type, ReduceOp op) {
        Buffers.requireReducible(op, type);
        scatter(Operation.REDUCE_SCATTER, input, output, counts, type, op, 0);
    }

    /// Gives one member the inputs of all, in the order of ranks. Others may pass [MemorySegment#NULL] as output.
    public void gather(MemorySegment input, MemorySegment output, DType type, int root) {
        gather(Operation.GATHER, input, output, null, type, root);
    }

    /// Gives one member the inputs of all, which have that many elements each; all members pass the same counts.
    public void gatherUneven(MemorySegment input, MemorySegment output, long[] counts, DType type, int root) {
        gather(Operation.GATHER, input, output, counts, type, root);
    }

    /// Gives each member a piece of what the root has. Others may pass [MemorySegment#NULL] as input.
    public void scatter(MemorySegment input, MemorySegment output, DType type, int root) {
        scatter(Operation.SCATTER, input, output, null, type, ReduceOp.SUM, root);
    }

    /// Gives each member a piece with its count of what the root has; all members pass the same counts.
    public void scatterUneven(MemorySegment input, MemorySegment output, long[] counts, DType type, int root) {
        scatter(Operation.SCATTER, input, output, counts, type, ReduceOp.SUM, root);
    }

    /// @param counts of the piece of each rank; null where all have as many elements
    private void gather(
            Operation operation,
            MemorySegment input,
            MemorySegment output,
            long @Nullable [] counts,
            DType type,
            int root) {
        long count = counts == null ? Buffers.elements("input", input, type) : Buffers.total(counts, size());
        if (counts != null) {
            Buffers.requireInput(input, type, counts[rank()]);
        }
        if (!operation.hasRoot() || isRoot(root)) {
            Buffers.requireOutput(output, type, counts == null ? Math.multiplyExact(count, size()) : count);
        }
        fill(operation, type, input, output, count, ReduceOp.SUM, root).pieces(counts);
        core.run(limit);
    }

    /// @param counts of the piece of each rank; null where all have as many elements
    private void scatter(
            Operation operation,
            MemorySegment input,
            MemorySegment output,
            long @Nullable [] counts,
            DType type,
            ReduceOp op,
            int root) {
        long count = counts == null ? Buffers.elements("output", output, type) : Buffers.total(counts, size());
        Buffers.requireOutput(output, type, counts == null ? count : counts[rank()]);
        if (!operation.hasRoot() || isRoot(root)) {
            Buffers.requireInput(input, type, counts == null ? Math.multiplyExact(count, size()) : count);
        }
        fill(operation, type, input, output, count, op, root).pieces(counts);
        core.run(limit);
    }

    /// Sends a piece of the input to each member and gets one from each, in the order of ranks.
    public void allToAll(MemorySegment input, MemorySegment output, DType type) {
        long total = Buffers.elements("input", input, type);
        Buffers.requireOutput(output, type, total);
        if (total % size() != 0) {
            throw new IllegalArgumentException(total + " elements do not divide among " + size()
                    + " ranks; pass the count for each with allToAllUneven");
        }
        GroupCall call = core.take(limit);
        call.set(Operation.ALL_TO_ALL, type, input, output, total / size());
        call.columns(null, null);
        core.run(limit);
    }

    /// Sends pieces of different sizes to each member and gets them from each; what one sends another is what that one
    /// awaits. Input and output are different segments.
    public void allToAllUneven(
            MemorySegment input, long[] sendCounts, MemorySegment output, long[] receiveCounts, DType type) {
        Buffers.requireInput(input, type, Buffers.total(sendCounts, size()));
        Buffers.requireOutput(output, type, Buffers.total(receiveCounts, size()));
        Buffers.requireCount("own piece of the output", receiveCounts[rank()], sendCounts[rank()]);
        GroupCall call = core.take(limit);
        call.set(Operation.ALL_TO_ALL, type, input, output, 0);
        call.columns(sendCounts, receiveCounts);
        core.run(limit);
    }

    /// Sends a message to a member, which receives it with [#receive(MemorySegment, int)].
    public void send(MemorySegment buffer, int to) {
        Buffers.elements("buffer", buffer, DType.UINT8);
        Buffers.requireRank("receiver", to, size());
        GroupCall call = core.take(limit);
        core.pair[0].toSend(to, buffer, 0, buffer.byteSize());
        exchange(call, buffer, buffer, core.pair, 1);
    }

    /// Receives a message of a member. It has the size of the buffer.
    public void receive(MemorySegment buffer, int from) {
        Buffers.elements("buffer", buffer, DType.UINT8);
        Buffers.requireRank("sender", from, size());
        Buffers.requireWritable(buffer);
        GroupCall call = core.take(limit);
        core.pair[0].toReceive(from, buffer, 0, buffer.byteSize());
        exchange(call, buffer, buffer, core.pair, 1);
    }

    /// Sends a message to one member while receiving one of another, or of the same.
    public void sendReceive(MemorySegment sent, int to, MemorySegment received, int from) {
        Buffers.elements("sent buffer", sent, DType.UINT8);
        Buffers.elements("received buffer", received, DType.UINT8);
        Buffers.requireRank("receiver", to, size());
        Buffers.requireRank("sender", from, size());
        Buffers.requireWritable(received);
        GroupCall call = core.take(limit);
        core.pair[0].toSend(to, sent, 0, sent.byteSize());
        core.pair[1].toReceive(from, received, 0, received.byteSize());
        exchange(call, sent, received, core.pair, 2);
    }

    /// Moves several messages at once; none waits for another, except those between the same two ranks.
    public void exchange(List<Message> messages) {
        Transfer[] transfers = new Transfer[messages.size()];
        for (int i = 0; i < transfers.length; i++) {
            Message message = messages.get(i);
            MemorySegment buffer = message.buffer();
            Buffers.elements("buffer", buffer, DType.UINT8);
            Buffers.requireRank("peer", message.peer(), size());
            transfers[i] = message.sends()
                    ? new Transfer().toSend(message.peer(), buffer, 0, buffer.byteSize())
                    : new Transfer().toReceive(message.peer(), buffer, 0, buffer.byteSize());
        }
        exchange(core.take(limit), MemorySegment.NULL, MemorySegment.NULL, transfers, transfers.length);
    }

    /// Starts to send a message and returns at once. Messages that are started one after the other move at once
    /// and end together; they begin when one of them is awaited, its [future][Work#toFuture()] is requested, or the
    /// group is called otherwise.
    public Work startSend(MemorySegment buffer, int to) {
        Buffers.elements("buffer", buffer, DType.UINT8);
        Buffers.requireRank("receiver", to, size());
        return core.messages.add(Message.send(buffer, to), this::exchange);
    }

    /// Starts to receive a message and returns at once, as [#startSend(MemorySegment, int)] does.
    public Work startReceive(MemorySegment buffer, int from) {
        Buffers.elements("buffer", buffer, DType.UINT8);
        Buffers.requireRank("sender", from, size());
        Buffers.requireWritable(buffer);
        return core.messages.add(Message.receive(buffer, from), this::exchange);
    }

    private void exchange(
            GroupCall call, MemorySegment sent, MemorySegment received, Transfer[] transfers, int number) {
        call.set(Operation.EXCHANGE, DType.UINT8, sent, received, 0);
        call.moving(transfers, number);
        core.run(limit);
    }

    /// Frees what the group holds. Work that waits is cancelled; members that wait for this rank are told that it left.
    @Override
    public void close() {
        core.close();
    }

    /// Counts of the calls of a group so far.
    ///
    /// @param calls number of operations that ended, well or not
    /// @param failures number of those that failed
    /// @param bytes number of bytes that this rank gave to them
    /// @param nanos their total time, waiting included
    /// @since 0.1
    public record Metrics(long calls, long failures, long bytes, long nanos) {}

    /// A message of a batch. Messages between the same two ranks arrive in the order in which they were sent.
    ///
    /// @param sends true if this rank sends it
    /// @param peer the rank within the group at the other end
    /// @param buffer bytes to send, or room for them; both ends have the same size
    /// @since 0.1
    public record Message(boolean sends, int peer, MemorySegment buffer) {
        /// A message to a rank.
        public static Message send(MemorySegment buffer, int to) {
            return new Message(true, to, buffer);
        }

        /// A message from a rank.
        public static Message receive(MemorySegment buffer, int from) {
            return new Message(false, from, buffer);
        }
    }
}
