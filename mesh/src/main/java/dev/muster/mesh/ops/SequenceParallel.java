package dev.muster.mesh.ops;

import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps.Shard;
import java.util.Arrays;

/// Activations whose rows, the positions of a sequence, are divided among ranks. Each way has the other
/// for its gradient: what is gathered forward is reduced and scattered backward, and the other way
/// round. Immutable; the group's rules hold for calls.
///
/// @since 0.1
public final class SequenceParallel {
    private final DistributedOps ops;
    private final int positions;

    private SequenceParallel(DistributedOps ops, int positions) {
        this.ops = ops;
        this.positions = positions;
    }

    /// Sequences of so many positions, divided as evenly as can be.
    public static SequenceParallel of(DistributedOps ops, int positions) {
        return new SequenceParallel(ops, positions);
    }

    /// The positions of this rank.
    public Shard own() {
        return Shard.of(positions, ops.size(), ops.rank());
    }

    private long[] elements(int columns) {
        return Arrays.stream(ops.pieces(positions))
                .map(count -> count * columns)
                .toArray();
    }

    /// The whole sequence, from the positions of all ranks: before a layer that needs all of them.
    public Matrix gather(Matrix own) {
        Matrix whole = Matrix.zeros(positions, own.columns());
        ops.allGather(own.values(), elements(own.columns()), whole.values());
        return whole;
    }

    /// The gradient of what was gathered: all ranks used all positions, so their gradients are summed.
    public Matrix gatherBackward(Matrix wholeGradient) {
        return reduceScatter(wholeGradient);
    }

    /// The sum of what ranks have of the whole sequence, divided: after a layer that leaves partial
    /// sums.
    public Matrix reduceScatter(Matrix partial) {
        Matrix own = Matrix.zeros((int) own().count(), partial.columns());
        ops.reduceScatter(partial.values(), elements(partial.columns()), own.values(), ReduceOp.SUM);
        return own;
    }

    /// The gradient of what was summed and divided.
    public Matrix reduceScatterBackward(Matrix ownGradient) {
        return gather(ownGradient);
    }

    /// This rank's positions of a sequence that all ranks have. Talks to nobody.
    public Matrix scatter(Matrix whole) {
        return whole.rows(own());
    }

    /// The gradient of what was divided.
    public Matrix scatterBackward(Matrix ownGradient) {
        return gather(ownGradient);
    }
}
