// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SimulatorTest {
    private static final int CASES = 1000;

    /// To the tick, which is less than 1e-9 of any time here.
    @Test
    void agreesWithASimulationOfEveryStep() {
        int preempted = 0;
        int refused = 0;
        for (int seed = 0; seed < CASES; seed++) {
            DrawnCase drawn = DrawnCase.draw(new Random(seed));
            SteppedSimulator stepped = new SteppedSimulator(drawn.load(), drawn.deployment());
            List<SteppedSimulator.Job> jobs = stepped.run();
            SimulatedRun run = Simulator.run(drawn.load(), drawn.deployment());
            for (SteppedSimulator.Job job : jobs) {
                assertThat(new long[] {run.sent(job.number), run.first(job.number), run.finished(job.number)})
                        .as("request %d of case %d: %s", job.number, seed, drawn.deployment())
                        .containsExactly(job.sentAt, job.firstAt, job.finishedAt);
            }
            assertThat(run.rejected()).isEqualTo(stepped.rejected);
            assertThat(run.preemptions()).isEqualTo(stepped.preemptions);
            preempted += run.preemptions() > 0 ? 1 : 0;
            refused += run.rejected() > 0 ? 1 : 0;
        }
        assertThat(preempted).as("cases in which sequences gave way").isGreaterThan(CASES / 20);
        assertThat(refused).as("cases with requests that no replica can hold").isGreaterThan(CASES / 20);
    }
}
