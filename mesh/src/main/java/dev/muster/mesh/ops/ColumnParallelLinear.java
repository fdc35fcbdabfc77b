package dev.muster.mesh.ops;

import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps.Shard;
import java.util.Arrays;

/// A linear layer whose outputs are divided among ranks: each has some rows of the weight (`outputs x
/// inputs`) and the bias that goes with them. All ranks give the same input, and each gets its columns
/// of the output, which a [RowParallelLinear] takes as they are. Immutable as long as nobody changes the
/// arrays; the group's rules hold for calls.
///
/// @since 0.1
public final class ColumnParallelLinear {
    private final DistributedOps ops;
    private final Matrix weight;
    private final Matrix bias;
    private final int outputs;

    private ColumnParallelLinear(DistributedOps ops, Matrix weight, Matrix bias, int outputs) {
        this.ops = ops;
        this.weight = weight;
        this.bias = bias;
        this.outputs = outputs;
    }

    /// This rank's part of a layer that all ranks know in full.
    ///
    /// @param weight `outputs x inputs`
    /// @param bias one row of `outputs`
    public static ColumnParallelLinear shard(DistributedOps ops, Matrix weight, Matrix bias) {
        Shard part = Shard.of(weight.rows(), ops.size(), ops.rank());
        return new ColumnParallelLinear(ops, weight.rows(part), bias.columns(part), weight.rows());
    }

    /// This rank's columns of the output. Talks to nobody.
    public Matrix forward(Matrix input) {
        return input.timesTransposed(weight).plusRow(bias);
    }

    /// The whole output, from the columns of all ranks.
    public Matrix gather(Matrix output) {
        long[] counts = ops.pieces(outputs);
        long[] elements = new long[counts.length];
        for (int rank = 0; rank < counts.length; rank++) {
            elements[rank] = counts[rank] * output.rows();
        }
        float[] pieces = new float[Math.multiplyExact(outputs, output.rows())];
        ops.allGather(output.values(), elements, pieces);
        Matrix whole = Matrix.zeros(output.rows(), outputs);
        int from = 0;
        for (int rank = 0; rank < counts.length; rank++) {
            int columns = (int) counts[rank];
            float[] piece = Arrays.copyOfRange(pieces, from * output.rows(), (from + columns) * output.rows());
            whole.put(Matrix.of(output.rows(), columns, piece), from);
            from += columns;
        }
        return whole;
    }

    /// The gradients, from that of this rank's columns of the output. That of the input is the sum over
    /// all ranks and the same on all.
    public LinearGradients backward(Matrix input, Matrix outputGradient) {
        Matrix inputGradient = outputGradient.times(weight);
        ops.allReduce(inputGradient.values(), ReduceOp.SUM);
        return new LinearGradients(inputGradient, outputGradient.transposedTimes(input), outputGradient.sumOfRows());
    }

    /// How the loss changes with what a linear layer was given and has, as far as a rank has it.
    ///
    /// @param input with the input, in its shape
    /// @param weight with the weight, in its shape
    /// @param bias with the bias, in its shape
    /// @since 0.1
    public record LinearGradients(Matrix input, Matrix weight, Matrix bias) {}
}
