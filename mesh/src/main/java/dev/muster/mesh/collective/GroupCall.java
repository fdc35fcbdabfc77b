// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.collective;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// One operation of a group as an engine gets it: checked, numbered and with a deadline. Counts are of elements. Made
/// once per group and filled anew for each operation, so that calls leave no garbage. Confined to the thread whose turn
/// it is.
///
/// @since 0.1
public final class GroupCall {
    private final long[] offsets;
    private final long[] receiveOffsets;
    private Operation operation = Operation.BARRIER;
    private DType type = DType.UINT8;
    private ReduceOp reduceOp = ReduceOp.SUM;
    private int root;
    private boolean uneven;
    private MemorySegment input = MemorySegment.NULL;
    private MemorySegment output = MemorySegment.NULL;
    private long count;
    private Transfer[] transfers = {};
    private int transferCount;
    private long sequence;
    private long start;
    private Duration limit = Duration.ZERO;
    private long deadline;
    /// The call that this one is a step of.
    private @Nullable GroupCall outer;

    GroupCall(int ranks) {
        this.offsets = new long[ranks + 1];
        this.receiveOffsets = new long[ranks + 1];
    }

    void set(Operation operation, DType type, MemorySegment input, MemorySegment output, long count) {
        this.operation = operation;
        this.type = type;
        this.reduceOp = ReduceOp.SUM;
        this.root = 0;
        this.uneven = false;
        this.input = input;
        this.output = output;
        this.count = count;
    }

    void reducing(ReduceOp op) {
        reduceOp = op;
    }

    void rootedAt(int rank) {
        root = rank;
    }

    void moving(Transfer[] all, int number) {
        transfers = all;
        transferCount = number;
    }

    /// @param counts of the piece of each rank; null where all have the call's count
    void pieces(long @Nullable [] counts) {
        uneven = counts != null;
        fill(offsets, counts, count);
    }

    void columns(long @Nullable [] sendCounts, long @Nullable [] receiveCounts) {
        uneven = sendCounts != null;
        fill(offsets, sendCounts, count);
        fill(receiveOffsets, receiveCounts, count);
    }

    /// Gives each rank as many elements as lie between two bounds, counted in pieces of that many elements.
    void pieces(int[] bounds, long each) {
        for (int rank = 0; rank < offsets.length; rank++) {
            offsets[rank] = bounds[rank] * each;
        }
    }

    private static void fill(long[] offsets, long @Nullable [] counts, long even) {
        for (int rank = 0; rank < offsets.length - 1; rank++) {
            offsets[rank + 1] = offsets[rank] + (counts == null ? even : counts[rank]);
        }
    }

    void begin(long number, long now, Duration allowed) {
        sequence = number;
        start = now;
        limit = allowed;
        deadline = allowed.isZero() ? Long.MAX_VALUE : now + allowed.toNanos();
    }

    /// Makes it a step of another call, which may take so much longer than that.
    void within(GroupCall whole, long graceNanos) {
        outer = whole;
        sequence = whole.sequence;
        start = whole.start;
        limit = whole.limit;
        deadline = whole.deadline == Long.MAX_VALUE ? Long.MAX_VALUE : whole.deadline + graceNanos;
    }

    /// Returns the operation.
    public Operation operation() {
        return operation;
    }

    /// The type of the elements.
    public DType type() {
        return type;
    }

    /// Returns the operator, of reductions.
    public ReduceOp reduceOp() {
        return reduceOp;
    }

    /// The rank within the group that gives or gets; of operations with a root.
    public int root() {
        return root;
    }

    /// Reports whether ranks have pieces of different sizes.
    public boolean isUneven() {
        return uneven;
    }

    /// Returns the input of this rank.
    public MemorySegment input() {
        return input;
    }

    /// Returns the output of this rank.
    public MemorySegment output() {
        return output;
    }

    /// Returns the number of elements that a rank gives, or gets; meaningless for uneven operations.
    public long count() {
        return count;
    }

    /// Returns the offset of the piece of a rank, in elements; that of the rank after the last is the number of all. Of
    /// all-to-all these are the pieces that are sent.
    public long offset(int rank) {
        return offsets[rank];
    }

    /// Returns the number of elements in the piece of a rank.
    public long pieceCount(int rank) {
        return offsets[rank + 1] - offsets[rank];
    }

    /// Returns the offset of the piece from a rank in the output of all-to-all, in elements.
    public long receiveOffset(int rank) {
        return receiveOffsets[rank];
    }

    /// Returns the number of elements that come from a rank in all-to-all.
    public long receiveCount(int rank) {
        return receiveOffsets[rank + 1] - receiveOffsets[rank];
    }

    /// A message of an exchange.
    public Transfer transfer(int index) {
        return transfers[index];
    }

    /// Returns the number of messages of the exchange.
    public int transferCount() {
        return transferCount;
    }

    /// The number of the call within its group, from 1.
    public long sequence() {
        return sequence;
    }

    /// Returns the start of the call, by [System#nanoTime()].
    public long start() {
        return start;
    }

    /// Returns the limit of the call; zero means unlimited.
    public Duration limit() {
        return limit;
    }

    /// Reports whether its time has run out.
    public boolean isOverdue(long now) {
        return deadline != Long.MAX_VALUE && now - deadline >= 0;
    }

    /// Returns the call in 64 bits that all ranks must agree on: operation, type, operator, root. Steps of a
    /// call show that call.
    public long what() {
        if (outer != null) {
            return outer.what();
        }
        return CallDescription.what(operation, type, reduceOp, root, uneven);
    }

    /// Returns the size in 64 bits that all ranks must agree on: the count, or a mixture of the counts.
    public long howMuch() {
        if (outer != null) {
            return outer.howMuch();
        }
        if (!uneven) {
            return count;
        }
        long mixed = 0;
        if (!operation.equals(Operation.ALL_TO_ALL)) {
            for (long offset : offsets) {
                mixed = mixed * 0x9E37_79B9_7F4A_7C15L + offset;
            }
        }
        return mixed;
    }

    /// Describes another rank's call for people, from what it shows.
    public static String text(long what, long howMuch) {
        return CallDescription.text(what, howMuch);
    }

    /// Describes the call for people.
    public String text() {
        return CallDescription.text(what(), howMuch());
    }

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
    public static final class Inner {
        private static final long LARGEST_GRACE_NANOS = Duration.ofMillis(250).toNanos();
        private static final int GRACE_SHARE = 16;

        private final GroupCall step;
        private final Transfer[] message = {new Transfer()};

        /// Steps among so many members.
        public Inner(int ranks) {
            this.step = new GroupCall(ranks);
        }

        private GroupCall at(GroupCall call, int stage) {
            long grace = Math.min(LARGEST_GRACE_NANOS, call.limit().toNanos() / GRACE_SHARE);
            step.within(call, grace * stage);
            return step;
        }

        /// A barrier.
        public GroupCall barrier(GroupCall call, int stage) {
            step.set(Operation.BARRIER, call.type(), MemorySegment.NULL, MemorySegment.NULL, 0);
            return at(call, stage);
        }

        /// A reduce or an all-reduce of as many elements as the call has.
        public GroupCall reduce(
                Operation operation,
                GroupCall call,
                int stage,
                MemorySegment input,
                MemorySegment output,
                ReduceOp op,
                int root) {
            step.set(operation, call.type(), input, output, call.count());
            step.reducing(op);
            step.rootedAt(root);
            return at(call, stage);
        }

        /// A broadcast of that many elements.
        public GroupCall broadcast(GroupCall call, int stage, MemorySegment buffer, long count, int root) {
            step.set(Operation.BROADCAST, call.type(), buffer, buffer, count);
            step.rootedAt(root);
            return at(call, stage);
        }

        /// A gather by the first member, or an all-gather.
        ///
        /// @param bounds offsets of the piece of each rank and of the end of the last, in pieces of the
        ///     call's count
        public GroupCall gather(
                Operation operation,
                GroupCall call,
                int stage,
                MemorySegment input,
                MemorySegment output,
                int[] bounds) {
            step.set(operation, call.type(), input, output, call.count());
            step.pieces(bounds, call.count());
            return at(call, stage);
        }

        /// A message of that many bytes to a member.
        public GroupCall send(GroupCall call, int stage, MemorySegment segment, long bytes, int to) {
            message[0].toSend(to, segment, 0, bytes);
            return exchange(call, stage);
        }

        /// A message of that many bytes from a member.
        public GroupCall receive(GroupCall call, int stage, MemorySegment segment, long bytes, int from) {
            message[0].toReceive(from, segment, 0, bytes);
            return exchange(call, stage);
        }

        private GroupCall exchange(GroupCall call, int stage) {
            step.set(Operation.EXCHANGE, call.type(), MemorySegment.NULL, MemorySegment.NULL, 0);
            step.moving(message, 1);
            return at(call, stage);
        }
    }
}
