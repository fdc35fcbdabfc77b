package dev.muster.mesh.message;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.collective.Transfer;
import dev.muster.mesh.engine.OwnMessages;
import dev.muster.mesh.engine.Reducer;
import dev.muster.mesh.engine.Scratch;
import java.lang.foreign.MemorySegment;

/// Every operation by messages; which way they go depends on how many members there are, how much there
/// is to move, and whether the order of the reduction matters. Confined to the thread whose call it is.
public final class MessageCollectives implements AutoCloseable {
    /// Up to so many members everyone talks to everyone: nothing is faster.
    private static final int DIRECT_RANKS = 8;

    private final GroupIdentity group;
    private final MessageMover mover;
    private final Reducer reducer = new Reducer();
    private final Scratch scratch = new Scratch();
    private final DirectCollectives direct;
    private final StepwiseCollectives stepwise;
    private final TreeCollectives tree;
    private final MemorySegment[] own = new MemorySegment[1];
    private final long[] start = new long[1];
    private final boolean inRankOrder;

    /// Operations of a group over what moves its messages.
    ///
    /// @param inRankOrder whether reductions always take ranks in ascending order, whatever it costs
    public MessageCollectives(GroupIdentity group, MessageMover mover, boolean inRankOrder) {
        this.group = group;
        this.mover = mover;
        this.inRankOrder = inRankOrder;
        this.direct = new DirectCollectives(group, mover, reducer, scratch);
        this.stepwise = new StepwiseCollectives(group, mover, reducer, scratch);
        this.tree = new TreeCollectives(group, mover);
    }

    /// Carries out an operation.
    public void execute(Call call) {
        mover.begin(call);
        if (call.operation().hasRoot()) {
            compareRound();
        }
        switch (call.operation()) {
            case BARRIER -> tree.barrier(call);
            case BROADCAST -> tree.broadcast(call);
            case ALL_REDUCE -> allReduce(call);
            case REDUCE -> reduce(call);
            case REDUCE_SCATTER -> direct.reduceScatter(call);
            case ALL_GATHER -> {
                if (group.size() <= DIRECT_RANKS) {
                    direct.allGather(call);
                } else {
                    stepwise.allGather(call);
                }
            }
            case GATHER -> direct.gather(call);
            case SCATTER -> direct.scatter(call);
            case ALL_TO_ALL -> direct.allToAll(call);
            case EXCHANGE -> exchange(call);
        }
    }

    /// Adds messages of no length round the ring, which carry nothing but what each member calls. For
    /// operations in which a member that calls something else might otherwise hear of nobody, and nobody
    /// of it.
    private void compareRound() {
        int ranks = group.size();
        if (ranks > 1) {
            mover.send((group.rank() + 1) % ranks, MemorySegment.NULL, 0, 0);
            mover.receive((group.rank() - 1 + ranks) % ranks, MemorySegment.NULL, 0, 0);
        }
    }

    private void allReduce(Call call) {
        if (group.size() == 1) {
            reduceOwn(call);
        } else if (group.size() <= DIRECT_RANKS || needsRankOrder(call.type(), call.reduceOp())) {
            direct.allReduce(call);
        } else {
            stepwise.allReduce(call);
        }
    }

    /// Partial sums of halves would be rounded, those of whole numbers to be divided would wrap.
    private boolean needsRankOrder(DType type, ReduceOp op) {
        boolean divides = op.equals(ReduceOp.AVERAGE);
        return inRankOrder
                || type.isNarrow()
                || (divides && !type.equals(DType.FLOAT32) && !type.equals(DType.FLOAT64));
    }

    private void reduce(Call call) {
        if (group.size() == 1) {
            reduceOwn(call);
        } else {
            direct.reduce(call);
        }
    }

    private void reduceOwn(Call call) {
        own[0] = call.input();
        reducer.reduce(call.type(), call.reduceOp(), own, start, 1, call.output(), 0, call.count());
    }

    private void exchange(Call call) {
        int taken = 0;
        for (int i = 0; i < call.transferCount(); i++) {
            Transfer message = call.transfer(i);
            if (message.peer() == group.rank()) {
                if (message.sends()) {
                    taken = OwnMessages.deliver(group, call, message, taken);
                }
            } else if (message.sends()) {
                mover.send(message.peer(), message.segment(), message.position(), message.bytes());
            } else {
                mover.receive(message.peer(), message.segment(), message.position(), message.bytes());
            }
        }
        mover.move(call);
    }

    /// Frees the memory for what arrives.
    @Override
    public void close() {
        scratch.close();
    }
}
