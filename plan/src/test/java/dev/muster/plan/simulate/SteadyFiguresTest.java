// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import static dev.muster.testing.plan.PlanHosts.hosts;
import static dev.muster.testing.plan.PlanHosts.model;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.SimulationRequest;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Figures of steady loads.
class SteadyFiguresTest {
    private static final Planner ONE = Planner.of(hosts("h100-sxm:1"));
    private static final ServingRequest LLAMA =
            ServingRequest.of(model("llama-3.1-8b")).withTokens(1024, 256);

    private static Figures figures(SimulationRequest request) {
        PlanAnswer<ServingSimulation> answer =
                ONE.simulate(request, ServingChoices.USUAL.withEngine(ServingEngine.VLLM));
        return ((PlanAnswer.Feasible<ServingSimulation>) answer).best().figures();
    }

    private static SimulationRequest of(ServingLoad load) {
        return SimulationRequest.of(LLAMA, load);
    }

    @Test
    void moreRequestsChangeLittle() {
        Figures few = figures(of(new ServingLoad.Users(64)).withRequests(640));
        Figures many = figures(of(new ServingLoad.Users(64)).withRequests(25_600));
        assertThat(few.timeToFirstToken().p99())
                .isCloseTo(
                        many.timeToFirstToken().p99(),
                        within(0.15 * many.timeToFirstToken().p99()));
        assertThat(few.timePerOutputToken().mean())
                .isCloseTo(
                        many.timePerOutputToken().mean(),
                        within(0.03 * many.timePerOutputToken().mean()));
        assertThat(few.tokensPerSecond()).isCloseTo(many.tokensPerSecond(), within(0.03 * many.tokensPerSecond()));
    }

    @Test
    void theFirstBurstCountsOnlyWhereUsersBeginAtOnce() {
        SimulationRequest steady = of(new ServingLoad.Users(64));
        assertThat(figures(steady.asBenchmark()).timeToFirstToken().p99())
                .isGreaterThan(3 * figures(steady).timeToFirstToken().p99());
    }

    @Test
    void aRateBeyondTheCapacityIsUnstable() {
        Figures light = figures(of(new ServingLoad.Rate(10)));
        assertThat(light.isStable()).isTrue();
        assertThat(light.requestsPerSecond()).isCloseTo(10, within(0.5));
        Figures heavy = figures(of(new ServingLoad.Rate(60)));
        assertThat(heavy.isStable()).isFalse();
        Figures other = figures(of(new ServingLoad.Rate(40)));
        assertThat(other.isStable()).isFalse();
        assertThat(heavy.requestsPerSecond()).isCloseTo(other.requestsPerSecond(), within(2.0));
    }

    @Test
    void lengthsAreSpreadAroundTheNominalOnes() {
        Workload load = Loads.of(of(new ServingLoad.Rate(10)));
        int[] inputs = Arrays.copyOfRange(load.input, load.warmUp, load.end);
        Arrays.sort(inputs);
        assertThat(load.meanInput()).isCloseTo(1024, within(20.0));
        assertThat(load.meanOutput()).isCloseTo(256, within(5.0));
        assertThat(inputs[inputs.length / 10] / 1024.0).isCloseTo(0.17, within(0.03));
        assertThat(inputs[inputs.length / 2] / 1024.0).isCloseTo(0.81, within(0.05));
        assertThat(inputs[inputs.length * 9 / 10] / 1024.0).isCloseTo(2.15, within(0.1));
    }

    @Test
    void anIntervalSaysHowLikelyATargetIsKept() {
        ErrorInterval interval = new ErrorInterval(0.8, 1.5);
        assertThat(interval.probability(0.8)).isCloseTo(0.1, within(1e-6));
        assertThat(interval.probability(1)).isCloseTo(0.5, within(1e-6));
        assertThat(interval.probability(1.5)).isCloseTo(0.9, within(1e-6));
        assertThat(interval.multiple(0.9)).isCloseTo(1.5, within(1e-5));
        assertThat(new ErrorInterval(1.1, 1.4).probability(1.4)).isCloseTo(0.9, within(1e-6));
    }
}
