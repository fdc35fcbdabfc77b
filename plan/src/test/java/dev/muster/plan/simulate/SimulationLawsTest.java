// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.Slo;
import java.util.Arrays;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Laws of every simulation, for any engine and load.
class SimulationLawsTest {
    private static final int CASES = 500;

    private static void ofAll(BiConsumer<DrawnCase, SimulatedRun> law) {
        for (int seed = 10_000; seed < 10_000 + CASES; seed++) {
            DrawnCase drawn = DrawnCase.draw(new Random(seed));
            law.accept(drawn, Simulator.run(drawn.load(), drawn.deployment()));
        }
    }

    private static Figures figures(SimulatedRun run) {
        return run.figures(Slo.NONE);
    }

    @Test
    void everyRequestIsAnsweredOnceOrRefused() {
        ofAll((drawn, run) -> {
            int answered = 0;
            long tokens = 0;
            for (int i = 0; i < run.size(); i++) {
                if (run.isAnswered(i)) {
                    answered++;
                    tokens += drawn.load().output[i];
                    assertThat(run.sent(i)).isLessThanOrEqualTo(run.first(i));
                    assertThat(run.first(i)).isLessThanOrEqualTo(run.finished(i));
                }
            }
            assertThat(answered + run.rejected()).isEqualTo(run.size());
            assertThat(figures(run).answered()).isEqualTo(answered);
            assertThat(figures(run).outputTokens()).isEqualTo(tokens);
        });
    }

    @Test
    void cachesAndBatchesAreNeverOverfull() {
        ofAll((drawn, run) -> {
            assertThat(run.mostKvUse()).isLessThanOrEqualTo(1);
            int most = drawn.deployment().workers().policy().maxSequences();
            int decoding = drawn.deployment().isApart()
                    ? drawn.deployment().decode().policy().maxSequences()
                    : most;
            assertThat(run.mostRunning()).isLessThanOrEqualTo(Math.max(most, decoding));
        });
    }

    /// Little's law: if all users wait all the time, the number of requests in flight is the number of users. At the
    /// end they leave, at most one latency before the last.
    @Test
    void asManyRequestsAreUnderWayAsThereAreUsers() {
        ofAll((drawn, run) -> {
            if (!drawn.load().isClosedLoop() || run.rejected() > 0) {
                return;
            }
            double users = Math.min(drawn.load().users, drawn.load().size());
            Figures figures = figures(run);
            double longest = 0;
            for (int i = 0; i < run.size(); i++) {
                longest = Math.max(longest, StepTicks.seconds(run.finished(i) - run.sent(i)));
            }
            double underWay = figures.answered() * figures.latency().mean();
            assertThat(underWay).isLessThanOrEqualTo(users * figures.seconds() * (1 + 1e-9));
            assertThat(underWay).isGreaterThanOrEqualTo(users * (figures.seconds() - longest) * (1 - 1e-9));
        });
    }

    @Test
    void theFirstTokenTakesAtLeastItsOwnPrefill() {
        ofAll((drawn, run) -> {
            StepTimes times = drawn.deployment().workers().times();
            boolean hasCache = drawn.load().hasBlocks() || drawn.deployment().prefixHit() > 0;
            for (int i = 0; i < run.size(); i++) {
                if (run.isAnswered(i) && !hasCache) {
                    int input = drawn.load().input[i];
                    double own = times.rows(input) + times.prompt(0, input) + times.promptStep();
                    double ttft = StepTicks.seconds(run.first(i) - run.sent(i));
                    assertThat(ttft).isGreaterThanOrEqualTo(own * (1 - 1e-6));
                }
            }
        });
    }

    @Test
    void stepsTwiceAsFastGiveTwiceTheTokens() {
        ofAll((drawn, run) -> {
            Deployment slow = drawn.deployment().withClient(Deployment.ClientDelay.NONE);
            if (!drawn.load().isClosedLoop() || slow.isApart() || run.rejected() == run.size()) {
                return;
            }
            DrawnCase.Times times = (DrawnCase.Times) slow.workers().times();
            Deployment fast = new Deployment(
                    new Deployment.Workers(
                            times.faster(2),
                            slow.workers().policy(),
                            slow.workers().room(),
                            slow.workers().replicas()),
                    slow.decode(),
                    slow.router(),
                    slow.speculation(),
                    slow.prefixHit(),
                    slow.client(),
                    slow.transfer());
            double before = figures(Simulator.run(drawn.load(), slow)).tokensPerSecond();
            double after = figures(Simulator.run(drawn.load(), fast)).tokensPerSecond();
            assertThat(after).isGreaterThan(1.5 * before);
        });
    }

    /// Of equal requests whose steps cost the same for each sequence, beside the cost of each step: more of them at
    /// once share more of that.
    @Test
    void moreRoomNeverGivesFewerTokens() {
        Random random = new Random(7);
        for (int i = 0; i < CASES / 5; i++) {
            int users = 1 + random.nextInt(30);
            int[] input = new int[users * 10];
            int[] output = new int[users * 10];
            Arrays.fill(input, 1 + random.nextInt(300));
            Arrays.fill(output, 2 + random.nextInt(100));
            DrawnCase.Times times = new DrawnCase.Times(
                    5e-3 * random.nextDouble() + 1e-4, 2e-5 * random.nextDouble(), 0, 1e-5, 0, 1e-9, 0);
            SchedulerPolicy policy = new SchedulerPolicy(
                    "drawn", "1", SchedulerPolicy.Prompts.MIXED, true, 100_000, 64, 1, 1, 1, 0, 0, 1, "drawn");
            Workload load = Workload.closedLoop(users, input, output);
            double before = 0;
            for (int sequences = 1; sequences <= users; sequences++) {
                long room = (long) sequences * (input[0] + output[0]);
                double now = figures(Simulator.run(load, Deployment.of(times, policy, room)))
                        .tokensPerSecond();
                // Each part of a step is rounded to a tick.
                assertThat(now).as("case %d, room for %d", i, sequences).isGreaterThanOrEqualTo(before * (1 - 1e-7));
                before = now;
            }
        }
    }

    @Test
    void oneLoadGivesOneAnswer() {
        ofAll((drawn, run) -> {
            SimulatedRun again = Simulator.run(drawn.load(), drawn.deployment());
            assertThat(again.toString()).isEqualTo(run.toString());
        });
    }

    /// A queue with one server and constant service, which has a known mean wait (Pollaczek and Khinchine).
    @Test
    void waitsAreThoseOfQueueingTheory() {
        double service = 0.1;
        StepTimes times = new DrawnCase.Times(service, 0, 0, 0, 0, 0, 0);
        SchedulerPolicy policy = new SchedulerPolicy(
                "drawn", "1", SchedulerPolicy.Prompts.BATCH, false, 1000, 1, 0, 0, 1, 0, 0, 1, "drawn");
        int count = 400_000;
        int[] ones = new int[count];
        Arrays.fill(ones, 1);
        double rate = 7;
        double[] sent = new double[count];
        Random random = new Random(3);
        for (int i = 1; i < count; i++) {
            sent[i] = sent[i - 1] - Math.log(1 - random.nextDouble()) / rate;
        }
        SimulatedRun run = Simulator.run(Workload.timed(sent, ones, ones), Deployment.of(times, policy, 1000));
        double busy = rate * service;
        double expected = service + busy * service / (2 * (1 - busy));
        assertThat(figures(run).timeToFirstToken().mean()).isCloseTo(expected, within(0.02 * expected));
    }

    @Test
    void quantilesAreThoseOfSortedValues() {
        Random random = new Random(5);
        for (int i = 0; i < CASES; i++) {
            double[] values = random.doubles(1 + random.nextInt(40))
                    .map(one -> Math.rint(20 * one))
                    .toArray();
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            var spread = Statistics.spread(values, values.length);
            assertThat(new double[] {spread.p50(), spread.p90(), spread.p99()})
                    .containsExactly(at(sorted, 0.5), at(sorted, 0.9), at(sorted, 0.99));
        }
    }

    private static double at(double[] sorted, double share) {
        double rank = share * (sorted.length - 1);
        int below = (int) rank;
        int above = Math.min(sorted.length - 1, below + 1);
        return rank == below ? sorted[below] : sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
    }
}
