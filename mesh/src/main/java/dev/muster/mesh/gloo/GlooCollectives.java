package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.engine.OwnMessages;
import dev.muster.mesh.engine.Reducer;
import java.lang.foreign.MemorySegment;

/// The operations of a group by what Gloo can do. Confined to one thread at a time.
final class GlooCollectives {
    private final GroupIdentity group;
    private final Operations operations;
    private final RankOrderReduction inOrder;
    private final Reducer reducer = new Reducer();
    private final boolean inRankOrder;
    private final MemorySegment[] source = new MemorySegment[1];
    private final long[] start = new long[1];
    private final int ranks;
    private final int own;

    /// @param inRankOrder whether reductions of floats always take ranks in ascending order
    GlooCollectives(GroupIdentity group, Operations operations, boolean inRankOrder) {
        this.group = group;
        this.operations = operations;
        this.inRankOrder = inRankOrder;
        this.inOrder = new RankOrderReduction(operations, reducer);
        this.ranks = operations.ranks();
        this.own = operations.own();
    }

    void run(Call call) {
        operations.begin(call);
        if (ranks == 1) {
            alone(call);
            return;
        }
        long bytes = call.count() * call.type().bytes();
        switch (call.operation()) {
            case BARRIER -> operations.barrier();
            case BROADCAST -> operations.broadcast(call.output(), bytes, call.root());
            case ALL_REDUCE -> allReduce(call);
            case REDUCE -> reduce(call, bytes);
            case REDUCE_SCATTER -> inOrder.reduceScatter(call);
            case ALL_GATHER -> allGather(call);
            case GATHER -> gather(call, bytes);
            case SCATTER -> scatter(call, bytes);
            case ALL_TO_ALL -> allToAll(call);
            case EXCHANGE -> exchange(call);
        }
    }

    /// Gloo takes no group of one: it wants a connection to the next member.
    private void alone(Call call) {
        switch (call.operation()) {
            case BARRIER, BROADCAST -> {}
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> {
                source[0] = call.input();
                long count = call.output().byteSize() / call.type().bytes();
                reducer.reduce(call.type(), call.reduceOp(), source, start, 1, call.output(), 0, count);
            }
            case ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL ->
                MemorySegment.copy(
                        call.input(), 0, call.output(), 0, call.output().byteSize());
            case EXCHANGE -> exchange(call);
        }
    }

    /// Partial sums of halves would be rounded, those of whole numbers to be divided would wrap, and sums of floats
    /// depend on their order.
    private boolean needsRankOrder(DType type, ReduceOp op) {
        boolean chooses = op.equals(ReduceOp.MIN) || op.equals(ReduceOp.MAX);
        boolean floats = type.equals(DType.FLOAT32) || type.equals(DType.FLOAT64);
        return type.isNarrow() || (floats && inRankOrder && !chooses) || (!floats && op.equals(ReduceOp.AVERAGE));
    }

    private void allReduce(Call call) {
        if (needsRankOrder(call.type(), call.reduceOp())) {
            inOrder.allReduce(call);
        } else {
            operations.allReduce(call.type(), call.reduceOp(), call.input(), call.output(), call.count());
            divide(call);
        }
    }

    private void divide(Call call) {
        if (call.reduceOp().equals(ReduceOp.AVERAGE)) {
            reducer.divide(call.type(), call.output(), 0, call.count(), ranks);
        }
    }

    private void reduce(Call call, long bytes) {
        boolean isRoot = own == call.root();
        if (needsRankOrder(call.type(), call.reduceOp())) {
            inOrder.reduce(call);
            return;
        }
        MemorySegment output = isRoot ? call.output() : operations.scratch(bytes);
        operations.reduce(call.type(), call.reduceOp(), call.input(), output, call.count(), call.root());
        if (isRoot) {
            divide(call);
        }
    }

    private void allGather(Call call) {
        int size = call.type().bytes();
        if (call.offset(ranks) > 0) {
            for (int rank = 0; rank < ranks; rank++) {
                operations.piece(rank, 0, call.pieceCount(rank) * size);
            }
            operations.allGather(call.input(), call.output(), 0);
        }
    }

    private void gather(Call call, long bytes) {
        if (!call.isUneven()) {
            operations.gather(call.input(), 0, call.output(), bytes, call.root());
            return;
        }
        int size = call.type().bytes();
        if (own == call.root()) {
            MemorySegment.copy(call.input(), 0, call.output(), call.offset(own) * size, call.pieceCount(own) * size);
            for (int rank = 0; rank < ranks; rank++) {
                receive(rank, call.output(), call.offset(rank) * size, call.pieceCount(rank) * size);
            }
        } else {
            send(call.root(), call.input(), 0, call.pieceCount(own) * size);
        }
        operations.exchange();
    }

    private void scatter(Call call, long bytes) {
        if (!call.isUneven()) {
            operations.scatter(call.input(), call.output(), bytes, call.root());
            return;
        }
        int size = call.type().bytes();
        if (own == call.root()) {
            MemorySegment.copy(call.input(), call.offset(own) * size, call.output(), 0, call.pieceCount(own) * size);
            for (int rank = 0; rank < ranks; rank++) {
                send(rank, call.input(), call.offset(rank) * size, call.pieceCount(rank) * size);
            }
        } else {
            receive(call.root(), call.output(), 0, call.pieceCount(own) * size);
        }
        operations.exchange();
    }

    /// Uneven pieces go as messages: what one sends and another awaits are known to those two alone, and Gloo does not
    /// survive it if they differ.
    private void allToAll(Call call) {
        int size = call.type().bytes();
        MemorySegment input = call.input().equals(call.output()) ? copyOfInput(call) : call.input();
        if (!call.isUneven()) {
            long bytes = call.count() * size;
            for (int rank = 0; rank < ranks; rank++) {
                operations.piece(rank, bytes, bytes);
            }
            if (bytes > 0) {
                operations.allToAll(input, 0, call.output());
            }
            return;
        }
        MemorySegment.copy(
                input,
                call.offset(own) * size,
                call.output(),
                call.receiveOffset(own) * size,
                call.pieceCount(own) * size);
        for (int rank = 0; rank < ranks; rank++) {
            send(rank, input, call.offset(rank) * size, call.pieceCount(rank) * size);
            receive(rank, call.output(), call.receiveOffset(rank) * size, call.receiveCount(rank) * size);
        }
        operations.exchange();
    }

    private MemorySegment copyOfInput(Call call) {
        MemorySegment copy = operations.scratch(call.input().byteSize());
        MemorySegment.copy(call.input(), 0, copy, 0, call.input().byteSize());
        return copy;
    }

    private void send(int peer, MemorySegment segment, long offset, long bytes) {
        if (peer != own && bytes > 0) {
            operations.messages().send(peer, segment, offset, bytes);
        }
    }

    private void receive(int peer, MemorySegment segment, long offset, long bytes) {
        if (peer != own && bytes > 0) {
            operations.messages().receive(peer, segment, offset, bytes);
        }
    }

    private void exchange(Call call) {
        int taken = 0;
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer message = call.transfer(i);
            if (message.peer() == own) {
                taken = message.sends() ? OwnMessages.deliver(group, call, message, taken) : taken;
            } else if (message.sends()) {
                operations.messages().send(message.peer(), message.segment(), message.position(), message.bytes());
            } else {
                operations.messages().receive(message.peer(), message.segment(), message.position(), message.bytes());
            }
        }
        if (operations.messages().count() > 0) {
            operations.exchange();
        }
    }
}
