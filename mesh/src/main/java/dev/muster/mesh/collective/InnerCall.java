package dev.muster.mesh.collective;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// The steps of a call that an engine made of engines hands to one of them. A step has an operation and
/// buffers of its own; type, number and limit are those of the call, and what members show each other is
/// the call, so that they agree on it and errors speak of it. Each method fills the same step anew and
/// leaves no garbage. Confined to one thread.
///
/// Steps are done in stages, and later stages get a little more time than the call has: when the limit
/// passes, the member that waits directly for a missing one is the first to know, and names the right
/// one.
///
/// @since 0.1
public final class InnerCall {
    private static final long LARGEST_GRACE_NANOS = Duration.ofMillis(250).toNanos();
    private static final int GRACE_SHARE = 16;

    private final Call step;
    private final Transfer[] message = {new Transfer()};

    /// Steps among so many members.
    public InnerCall(int ranks) {
        this.step = new Call(ranks);
    }

    private Call at(Call call, int stage) {
        long grace = Math.min(LARGEST_GRACE_NANOS, call.limit().toNanos() / GRACE_SHARE);
        step.within(call, grace * stage);
        return step;
    }

    /// A barrier.
    public Call barrier(Call call, int stage) {
        step.set(Operation.BARRIER, call.type(), MemorySegment.NULL, MemorySegment.NULL, 0);
        return at(call, stage);
    }

    /// An all-reduce of as many elements as the call has.
    public Call allReduce(Call call, int stage, MemorySegment input, MemorySegment output, ReduceOp op) {
        step.set(Operation.ALL_REDUCE, call.type(), input, output, call.count());
        step.reducing(op);
        return at(call, stage);
    }

    /// A reduce of as many elements as the call has.
    public Call reduce(Call call, int stage, MemorySegment input, MemorySegment output, ReduceOp op, int root) {
        step.set(Operation.REDUCE, call.type(), input, output, call.count());
        step.reducing(op);
        step.rootedAt(root);
        return at(call, stage);
    }

    /// A broadcast of that many elements.
    public Call broadcast(Call call, int stage, MemorySegment buffer, long count, int root) {
        step.set(Operation.BROADCAST, call.type(), buffer, buffer, count);
        step.rootedAt(root);
        return at(call, stage);
    }

    /// A gather by the first member.
    ///
    /// @param bounds where the piece of each rank begins and that of the last ends, in pieces of the
    ///     call's count
    public Call gather(Call call, int stage, MemorySegment input, MemorySegment output, int[] bounds) {
        step.set(Operation.GATHER, call.type(), input, output, call.count());
        step.pieces(bounds, call.count());
        return at(call, stage);
    }

    /// An all-gather.
    ///
    /// @param bounds where the piece of each rank begins and that of the last ends, in pieces of the
    ///     call's count
    public Call allGather(Call call, int stage, MemorySegment input, MemorySegment output, int[] bounds) {
        step.set(Operation.ALL_GATHER, call.type(), input, output, call.count());
        step.pieces(bounds, call.count());
        return at(call, stage);
    }

    /// A message of that many bytes to a member.
    public Call send(Call call, int stage, MemorySegment segment, long bytes, int to) {
        message[0].toSend(to, segment, 0, bytes);
        return exchange(call, stage);
    }

    /// A message of that many bytes from a member.
    public Call receive(Call call, int stage, MemorySegment segment, long bytes, int from) {
        message[0].toReceive(from, segment, 0, bytes);
        return exchange(call, stage);
    }

    private Call exchange(Call call, int stage) {
        step.set(Operation.EXCHANGE, call.type(), MemorySegment.NULL, MemorySegment.NULL, 0);
        step.moving(message, 1);
        return at(call, stage);
    }
}
