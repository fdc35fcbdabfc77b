package dev.muster.mesh.tcp;

import dev.muster.mesh.collective.Call;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.collective.Reducer;
import dev.muster.mesh.collective.Scratch;
import java.lang.foreign.MemorySegment;

/// Collectives over connections between all members; which way they go depends on how many there are, how much there is
/// to move, and whether the order of the reduction matters.
final class TcpEngine implements Engine {
    /// Up to so many members everyone talks to everyone: the connections are there, and nothing is faster.
    private static final int DIRECT_RANKS = 8;

    private final MessageMover mover;
    private final Reducer reducer = new Reducer();
    private final Scratch scratch = new Scratch();
    private final DirectCollectives direct;
    private final StepwiseCollectives stepwise;
    private final TreeCollectives tree;
    private final MemorySegment[] own = new MemorySegment[1];
    private final long[] start = new long[1];
    private final boolean inRankOrder;

    /// @param inRankOrder whether reductions always take ranks in ascending order, whatever it costs
    TcpEngine(MessageMover mover, boolean inRankOrder) {
        this.mover = mover;
        this.inRankOrder = inRankOrder;
        this.direct = new DirectCollectives(mover, reducer, scratch);
        this.stepwise = new StepwiseCollectives(mover, reducer, scratch);
        this.tree = new TreeCollectives(mover);
    }

    @Override
    public String name() {
        return "tcp";
    }

    @Override
    public void execute(Call call) {
        mover.begin(call);
        if (call.operation().hasRoot()) {
            mover.compareRound();
        }
        switch (call.operation()) {
            case BARRIER -> tree.barrier(call);
            case BROADCAST -> tree.broadcast(call);
            case ALL_REDUCE -> allReduce(call);
            case REDUCE -> reduce(call);
            case REDUCE_SCATTER -> direct.reduceScatter(call);
            case ALL_GATHER -> {
                if (mover.ranks() <= DIRECT_RANKS) {
                    direct.allGather(call);
                } else {
                    stepwise.allGather(call);
                }
            }
            case GATHER -> direct.gather(call);
            case SCATTER -> direct.scatter(call);
            case ALL_TO_ALL -> direct.allToAll(call);
            case EXCHANGE -> mover.exchange(call);
        }
    }

    private void allReduce(Call call) {
        if (mover.ranks() == 1) {
            reduceOwn(call);
        } else if (mover.ranks() <= DIRECT_RANKS || needsRankOrder(call.type(), call.reduceOp())) {
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
        if (mover.ranks() == 1) {
            reduceOwn(call);
        } else {
            direct.reduce(call);
        }
    }

    private void reduceOwn(Call call) {
        own[0] = call.input();
        reducer.reduce(call.type(), call.reduceOp(), own, start, 1, call.output(), 0, call.count());
    }

    @Override
    public void abort(MeshException reason) {
        mover.stop(reason);
    }

    @Override
    public void close() {
        mover.close();
        scratch.close();
    }
}
