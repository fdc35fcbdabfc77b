// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps.Share;
import java.util.Arrays;

/// Layers of a model that are divided among ranks, forward and backward. Written to be read and compared with,
/// not to be fast. Each is immutable as long as the arrays do not change; the group's rules hold for calls.
///
/// @since 0.1
public final class ParallelLayers {
    private ParallelLayers() {}

    /// A linear layer whose outputs are divided among ranks: each has some rows of the weight (`outputs x
    /// inputs`) and the bias that goes with them. All ranks give the same input, and each gets its columns
    /// of the output, which a [RowParallelLinear] takes as they are.
    public static final class ColumnParallelLinear {
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
            Share part = Share.of(weight.rows(), ops.size(), ops.rank());
            return new ColumnParallelLinear(ops, weight.rows(part), bias.columns(part), weight.rows());
        }

        /// This rank's columns of the output. Does not communicate.
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
            return new LinearGradients(
                    inputGradient, outputGradient.transposedTimes(input), outputGradient.sumOfRows());
        }
    }

    /// A linear layer whose inputs are divided among ranks: each has some columns of the weight (`outputs x
    /// inputs`) and gives the columns of the input that go with them, as a [ColumnParallelLinear] leaves
    /// them. All ranks get the same, whole output.
    public static final class RowParallelLinear {
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
            return new RowParallelLinear(ops, weight.columns(Share.of(weight.columns(), ops.size(), ops.rank())), bias);
        }

        /// The whole output, from this rank's columns of the input.
        public Matrix forward(Matrix input) {
            Matrix partial = input.timesTransposed(weight);
            ops.allReduce(partial.values(), ReduceOp.SUM);
            return partial.plusRow(bias);
        }

        /// The gradients, from that of the whole output; that of the input is of this rank's columns. Talks
        /// with others.
        public LinearGradients backward(Matrix input, Matrix outputGradient) {
            return new LinearGradients(
                    outputGradient.times(weight), outputGradient.transposedTimes(input), outputGradient.sumOfRows());
        }
    }

    /// Activations whose rows, the positions of a sequence, are divided among ranks. Each way has the other
    /// for its gradient: what is gathered forward is reduced and scattered backward, and the other way
    /// round.
    public static final class SequenceParallel {
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
        public Share own() {
            return Share.of(positions, ops.size(), ops.rank());
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

        /// This rank's positions of a sequence that all ranks have. Does not communicate.
        public Matrix scatter(Matrix whole) {
            return whole.rows(own());
        }

        /// The gradient of what was divided.
        public Matrix scatterBackward(Matrix ownGradient) {
            return gather(ownGradient);
        }
    }

    /// An embedding whose vocabulary is divided among ranks: each has the rows of some tokens. All ranks
    /// give the same tokens and get the same rows.
    public static final class VocabularyParallelEmbedding {
        private final DistributedOps ops;
        private final Matrix table;
        private final Share part;
        private final int vocabulary;

        private VocabularyParallelEmbedding(DistributedOps ops, Matrix table, Share part, int vocabulary) {
            this.ops = ops;
            this.table = table;
            this.part = part;
            this.vocabulary = vocabulary;
        }

        /// This rank's part of a table that all ranks know in full, with a row for each token.
        public static VocabularyParallelEmbedding shard(DistributedOps ops, Matrix table) {
            Share part = Share.of(table.rows(), ops.size(), ops.rank());
            return new VocabularyParallelEmbedding(ops, table.rows(part), part, table.rows());
        }

        /// The rows of tokens. Each rank gives those that it has and zeros for the others; the sum is all of
        /// them.
        ///
        /// @throws IllegalArgumentException if a token is not in the vocabulary, before any other rank is
        ///     disturbed
        public Matrix forward(int... tokens) {
            Matrix rows = Matrix.zeros(tokens.length, table.columns());
            for (int i = 0; i < tokens.length; i++) {
                requireToken(tokens[i]);
                if (part.contains(tokens[i])) {
                    rows.addRow(i, 1, table, (int) (tokens[i] - part.from()));
                }
            }
            ops.allReduce(rows.values(), ReduceOp.SUM);
            return rows;
        }

        /// The gradient of this rank's rows of the table, from that of the output. Does not communicate.
        public Matrix backward(int[] tokens, Matrix outputGradient) {
            Matrix gradient = Matrix.zeros(table.rows(), table.columns());
            for (int i = 0; i < tokens.length; i++) {
                requireToken(tokens[i]);
                if (part.contains(tokens[i])) {
                    gradient.addRow((int) (tokens[i] - part.from()), 1, outputGradient, i);
                }
            }
            return gradient;
        }

        private void requireToken(int token) {
            if (token < 0 || token >= vocabulary) {
                throw new IllegalArgumentException("token " + token + " is not one of the " + vocabulary);
            }
        }
    }

    /// The gradients of the loss by the input and the weights of a linear layer, as far as a rank has them.
    ///
    /// @param input with the input, in its shape
    /// @param weight with the weight, in its shape
    /// @param bias with the bias, in its shape
    /// @since 0.1
    public record LinearGradients(Matrix input, Matrix weight, Matrix bias) {}
}
