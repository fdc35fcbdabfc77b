// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StageLayersTest {
    @Test
    void theEndsHaveFewerWhereLayersDoNotDivide() {
        assertThat(counts(new StageLayers(126, 8))).containsExactly(15, 16, 16, 16, 16, 16, 16, 15);
        assertThat(counts(new StageLayers(32, 5))).containsExactly(6, 7, 7, 6, 6);
        assertThat(counts(new StageLayers(8, 4))).containsExactly(2, 2, 2, 2);
    }

    @Test
    void allLayersAreThereAndNoStageHasTwoMoreThanAnother() {
        for (int layers = 1; layers <= 130; layers++) {
            for (int stages = 1; stages <= layers; stages++) {
                int[] counts = counts(new StageLayers(layers, stages));
                assertThat(IntStream.of(counts).sum()).isEqualTo(layers);
                assertThat(IntStream.of(counts).max().orElseThrow()
                                - IntStream.of(counts).min().orElseThrow())
                        .isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void aStageWithoutALayerIsRefused() {
        assertThatThrownBy(() -> new StageLayers(3, 4)).isInstanceOf(IllegalArgumentException.class);
    }

    private static int[] counts(StageLayers layers) {
        return IntStream.range(0, layers.stages()).map(layers::count).toArray();
    }
}
