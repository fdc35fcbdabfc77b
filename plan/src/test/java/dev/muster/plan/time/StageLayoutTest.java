// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class StageLayoutTest {
    private static final double CLOSE = 1e-12;

    @Test
    void putsTheHeadBesideTheLayersOfTheLastStage() {
        assertEquals(13.5 * 8 / 97.5, new StageLayout(96).fullest(8, 1.5), CLOSE);
    }

    @Test
    void leavesRoomForAHeadWhereLayersDoNotDivide() {
        assertEquals(128 / 127.0, new StageLayout(126).fullest(16, 1), CLOSE);
    }

    @Test
    void waitsForNobodyInOneStage() {
        assertEquals(1, new StageLayout(31.7).fullest(1, 2), CLOSE);
        assertEquals(1, StageLayout.filling(1, 1, 1), CLOSE);
    }

    /// The search rules out by the least.
    @Test
    void isNeverBelowTheLeast() {
        for (int layers = 1; layers <= 128; layers++) {
            StageLayout layout = new StageLayout(layers);
            for (int stages = 1; stages <= layers; stages++) {
                for (double head = 0; head <= 6; head += 0.25) {
                    double fullest = layout.fullest(stages, head);
                    assertTrue(
                            fullest >= layout.least(stages) - CLOSE,
                            layers + " layers, " + stages + " stages, head " + head);
                }
            }
        }
    }
}
