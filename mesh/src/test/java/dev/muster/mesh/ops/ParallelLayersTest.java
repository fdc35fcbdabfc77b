// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.mesh.ops.DistributedOps.Share;
import dev.muster.mesh.ops.ParallelLayers.ColumnParallelLinear;
import dev.muster.mesh.ops.ParallelLayers.LinearGradients;
import dev.muster.mesh.ops.ParallelLayers.RowParallelLinear;
import dev.muster.mesh.ops.ParallelLayers.SequenceParallel;
import dev.muster.mesh.ops.ParallelLayers.VocabularyParallelEmbedding;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers that are divided among ranks give what the undivided ones give; sizes do not divide evenly.
class ParallelLayersTest {
    private static final int ROWS = 5;
    private static final int INPUTS = 11;
    private static final int HIDDEN = 7;
    private static final int OUTPUTS = 6;

    private static Matrix drawn(int rows, int columns, long seed) {
        Random random = new Random(seed);
        float[] values = new float[rows * columns];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return Matrix.of(rows, columns, values);
    }

    private static void assertNear(Matrix actual, Matrix expected) {
        assertThat(actual).hasToString(expected.toString());
        for (int i = 0; i < expected.values().length; i++) {
            assertThat(actual.values()[i]).isCloseTo(expected.values()[i], within(1e-4f));
        }
    }

    /// Two layers one after the other, the first by columns and the second by rows, as in the feed-forward part of a
    /// transformer; with all gradients.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void columnsThenRowsGiveWhatTheUndividedLayersGive(int ranks) throws Exception {
        Matrix input = drawn(ROWS, INPUTS, 1);
        Matrix upWeight = drawn(HIDDEN, INPUTS, 2);
        Matrix upBias = drawn(1, HIDDEN, 3);
        Matrix downWeight = drawn(OUTPUTS, HIDDEN, 4);
        Matrix downBias = drawn(1, OUTPUTS, 5);
        Matrix gradient = drawn(ROWS, OUTPUTS, 6);
        Matrix hidden = input.timesTransposed(upWeight).plusRow(upBias);
        Matrix output = hidden.timesTransposed(downWeight).plusRow(downBias);
        Matrix hiddenGradient = gradient.times(downWeight);
        Threads.run(ranks, ops -> {
            ColumnParallelLinear up = ColumnParallelLinear.shard(ops, upWeight, upBias);
            RowParallelLinear down = RowParallelLinear.shard(ops, downWeight, downBias);
            Share part = Share.of(HIDDEN, ranks, ops.rank());
            Matrix ownHidden = up.forward(input);
            assertNear(ownHidden, hidden.columns(part));
            assertNear(up.gather(ownHidden), hidden);
            assertNear(down.forward(ownHidden), output);
            LinearGradients ofDown = down.backward(ownHidden, gradient);
            assertNear(ofDown.input(), hiddenGradient.columns(part));
            assertNear(ofDown.weight(), gradient.transposedTimes(hidden).columns(part));
            assertNear(ofDown.bias(), gradient.sumOfRows());
            LinearGradients ofUp = up.backward(input, ofDown.input());
            assertNear(ofUp.input(), hiddenGradient.times(upWeight));
            assertNear(ofUp.weight(), hiddenGradient.transposedTimes(input).rows(part));
            assertNear(ofUp.bias(), hiddenGradient.sumOfRows().columns(part));
            return 0;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void embeddingsGiveWhatTheUndividedTableGives(int ranks) throws Exception {
        Matrix table = drawn(13, 4, 7);
        int[] tokens = {12, 0, 5, 5, 3};
        Matrix gradient = drawn(tokens.length, 4, 8);
        Matrix expected = Matrix.zeros(tokens.length, 4);
        Matrix expectedGradient = Matrix.zeros(13, 4);
        for (int i = 0; i < tokens.length; i++) {
            expected.addRow(i, 1, table, tokens[i]);
            expectedGradient.addRow(tokens[i], 1, gradient, i);
        }
        Threads.run(ranks, ops -> {
            VocabularyParallelEmbedding embedding = VocabularyParallelEmbedding.shard(ops, table);
            assertThat(embedding.forward(tokens).values()).isEqualTo(expected.values());
            assertThat(embedding.backward(tokens, gradient).values())
                    .isEqualTo(expectedGradient
                            .rows(Share.of(13, ranks, ops.rank()))
                            .values());
            assertThatThrownBy(() -> embedding.forward(13)).isInstanceOf(IllegalArgumentException.class);
            return 0;
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void sequencesAreGatheredAndScattered(int ranks) throws Exception {
        Matrix whole = drawn(9, 3, 9);
        Threads.run(ranks, ops -> {
            SequenceParallel sequence = SequenceParallel.of(ops, 9);
            Matrix own = sequence.scatter(whole);
            assertThat(sequence.gather(own).values()).isEqualTo(whole.values());
            assertThat(sequence.scatterBackward(own).values()).isEqualTo(whole.values());
            Matrix summed = sequence.reduceScatter(whole);
            Matrix expected = Matrix.zeros(own.rows(), 3);
            for (int row = 0; row < own.rows(); row++) {
                expected.addRow(row, ranks, own, row);
            }
            assertNear(summed, expected);
            assertNear(sequence.gatherBackward(whole), expected);
            assertThat(sequence.reduceScatterBackward(own).values()).isEqualTo(whole.values());
            return 0;
        });
    }
}
