package dev.muster.mesh.ops;

import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.ColumnParallelLinear.LinearGradients;
import dev.muster.mesh.ops.DistributedOps.Shard;

/// A linear layer whose inputs are divided among ranks: each has some columns of the weight (`outputs x
/// inputs`) and gives the columns of the input that go with them, as a [ColumnParallelLinear] leaves
/// them. All ranks get the same, whole output. Immutable as long as nobody changes the arrays; the
/// group's rules hold for calls.
///
/// @since 0.1
public final class RowParallelLinear {
    private final DistributedOps ops;
    private final Matrix weight;
    private final Matrix bias;

    private RowParallelLinear(DistributedOps ops, Matrix weight, Matrix bias) {
        this.ops = ops;
        this.weight = weight;
        this.bias = bias;
    }

    /// This rank's part of a layer that all ranks know in full. The bias is added once, after the sum.
    ///
    /// @param weight `outputs x inputs`
    /// @param bias one row of `outputs`
    public static RowParallelLinear shard(DistributedOps ops, Matrix weight, Matrix bias) {
        return new RowParallelLinear(ops, weight.columns(Shard.of(weight.columns(), ops.size(), ops.rank())), bias);
    }

    /// The whole output, from this rank's columns of the input.
    public Matrix forward(Matrix input) {
        Matrix partial = input.timesTransposed(weight);
        ops.allReduce(partial.values(), ReduceOp.SUM);
        return partial.plusRow(bias);
    }

    /// The gradients, from that of the whole output; that of the input is of this rank's columns. Talks
    /// to nobody.
    public LinearGradients backward(Matrix input, Matrix outputGradient) {
        return new LinearGradients(
                outputGradient.times(weight), outputGradient.transposedTimes(input), outputGradient.sumOfRows());
    }
}
