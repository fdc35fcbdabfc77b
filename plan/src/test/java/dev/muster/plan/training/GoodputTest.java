// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;

class GoodputTest {
    private static final long SEED = Long.getLong("tests.seed", 20_261_119L);
    private static final double HOUR = 3600;

    @Test
    void isThatOfASimulationOfFailures() {
        Random random = new Random(SEED);
        for (int drawn = 0; drawn < 20; drawn++) {
            double failure = HOUR * Math.exp(5 * random.nextDouble());
            double checkpoint = Math.exp(6 * random.nextDouble());
            double restart = 30 * Math.exp(4 * random.nextDouble());
            Goodput goodput = new Goodput(failure, checkpoint, restart);
            double interval = drawn % 2 == 0 ? goodput.bestInterval() : failure * (0.05 + random.nextDouble());
            String what = "seed " + SEED + ", " + goodput + ", interval " + interval;

            assertThat(goodput.at(interval))
                    .as(what)
                    .isCloseTo(simulated(random, failure, checkpoint, restart, interval), withPercentage(3));
            assertThat(goodput.best()).as(what).isGreaterThanOrEqualTo(goodput.at(interval) - 1e-9);
        }
    }

    /// Returns the useful share of the time, event by event, over 20,000 failures.
    private static double simulated(Random random, double failure, double checkpoint, double restart, double interval) {
        double now = 0;
        double saved = 0;
        int failures = 0;
        double next = exponential(random, failure);
        while (failures < 20_000) {
            double segmentEnd = now + interval + checkpoint;
            if (segmentEnd <= next) {
                now = segmentEnd;
                saved += interval;
                continue;
            }
            // The work since the last checkpoint is lost; a failure during the restart begins it anew.
            boolean isUp = false;
            while (!isUp) {
                failures++;
                now = next;
                next = now + exponential(random, failure);
                isUp = now + restart <= next;
            }
            now += restart;
        }
        return saved / now;
    }

    private static double exponential(Random random, double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    @Test
    void theBestIntervalIsThatOfYoungWhereFailuresAreRare() {
        Goodput goodput = new Goodput(1000 * HOUR, 60, 600);

        assertThat(goodput.bestInterval()).isCloseTo(Math.sqrt(2 * 60 * 1000 * HOUR), withPercentage(2));
    }

    /// Llama 3 405B: 16,384 H100, 419 unexpected interruptions in 54 days, more than 90 % effective training time
    /// (arXiv 2407.21783, section 3.3.4); checkpoints at up to 2 TB/s (section 3.3.1).
    @Test
    void thatOfLlama3IsAsPublished() {
        double failure = 54 * 24 * HOUR / 419;
        double checkpoint = 405e9 * 14 / 2e12;

        double goodput = new Goodput(failure, checkpoint, TrainingLimits.USUAL_RESTART_SECONDS).best();

        assertThat(goodput).isBetween(0.90, 0.99);
        assertThat(failure * 16_384 / HOUR).isCloseTo(TrainingLimits.USUAL_MTBF_HOURS, withPercentage(3));
    }

    @Test
    void withoutCheckpointsOnlyRestartsCost() {
        assertThat(new Goodput(HOUR, 0, 0).best()).isEqualTo(1);
        assertThat(new Goodput(HOUR, 0, 0).bestInterval()).isZero();
    }
}
