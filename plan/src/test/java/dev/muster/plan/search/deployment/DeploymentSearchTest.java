// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.ServingTerms;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.serving.Speculation;
import dev.muster.plan.simulate.SimulatedRun;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Deployments under load, against every one of the space played through to its end.
class DeploymentSearchTest {
    private static final DeploymentSearch SEARCH = DeploymentSearch.of(CoefficientTable.builtIn(), RentalOffers.NONE);
    private static final List<ServingGoal> GOALS =
            List.of(ServingGoal.DEVICES, ServingGoal.DEVICES, ServingGoal.LATENCY, ServingGoal.THROUGHPUT);

    /// A case that may be kept or not.
    private record Drawn(SimulationRequest asked, Slo slo, DevicePool pool, ServingEngine software) {
        static Drawn of(Random random) {
            ServingGoal goal = ServingTerms.any(GOALS, random);
            String model = ServingTerms.any(List.of("llama-3.1-8b", "qwen3-30b-a3b", "qwen3-32b"), random);
            ServingRequest request = ServingTerms.request(model, "bf16", 1, goal)
                    .withTokens(random.nextInt(16, 3000), random.nextInt(1, 60));
            ServingLoad load = random.nextBoolean()
                    ? new ServingLoad.Users(random.nextInt(1, 40))
                    : new ServingLoad.Rate(random.nextDouble(0.5, 30));
            SimulationRequest asked = SimulationRequest.of(request, load)
                    .withRequests(random.nextInt(20, 80))
                    .withSpread(ServingTerms.any(List.of(SimulationRequest.SPREAD, 0.3, 1.0), random))
                    .withWarmUp(random.nextInt(8) == 0 ? SimulationRequest.STEADY : random.nextInt(5))
                    .withPrefixHit(random.nextInt(4) == 0 ? 0.5 : 0)
                    .withSpeculation(new Speculation(random.nextInt(4) == 0 ? 3 : 0, 0.6))
                    .withSeed(random.nextInt(100));
            List<Objective> objectives = new ArrayList<>();
            for (LatencyMetric metric : LatencyMetric.values()) {
                if (random.nextInt(3) > 0) {
                    LatencyStatistic statistic = ServingTerms.any(List.of(LatencyStatistic.values()), random);
                    double least = switch (metric) {
                        case TTFT -> 0.06;
                        case TPOT -> 0.004;
                        case LATENCY -> 0.3;
                    };
                    objectives.add(Objective.of(metric, statistic, least * Math.exp(random.nextDouble(0, 3))));
                }
            }
            return new Drawn(
                    asked,
                    new Slo(objectives),
                    ServingTerms.pool("h100-sxm", random.nextInt(1, 4)),
                    ServingTerms.any(
                            List.of(ServingEngine.VLLM, ServingEngine.SGLANG, ServingEngine.TENSORRT_LLM), random));
        }

        List<DeploymentUnit> units() {
            return DeploymentSpace.of(ServingSearch.of(CoefficientTable.builtIn()), asked, pool, software)
                    .find()
                    .orElseThrow();
        }
    }

    /// The best of all, found by simulating all.
    private static final class BruteForce {
        private final Drawn drawn;
        private final List<DeploymentUnit> units;
        private final LoadShare loads;

        BruteForce(Drawn drawn) {
            this.drawn = drawn;
            this.units = drawn.units();
            this.loads = new LoadShare(drawn.asked, drawn.slo);
        }

        Optional<double[]> best() {
            double[] best = null;
            boolean isFixed = drawn.asked.serving().goal() != ServingGoal.DEVICES;
            for (DeploymentUnit unit : units) {
                for (int count : isFixed ? List.of(unit.room) : DeploymentSpace.counts(unit.room)) {
                    if (count > 0) {
                        double[] rank = rank(unit, count);
                        boolean isBetter = best == null || Arrays.compare(rank, best) < 0;
                        best = isBetter && keeps(unit, count) ? rank : best;
                    }
                }
            }
            return Optional.ofNullable(best);
        }

        private SimulatedRun share(DeploymentUnit unit, int count) {
            return loads.run(
                    count,
                    SimulatedLoad.deployment(drawn.asked, unit.replica, unit.policy, unit.prefill, unit.decode),
                    Slo.NONE);
        }

        private boolean keeps(DeploymentUnit unit, int count) {
            return keeps(share(unit, count))
                    && (count == 1
                            || keeps(loads.runWhole(
                                    count,
                                    SimulatedLoad.deployment(
                                            drawn.asked,
                                            unit.replica,
                                            unit.policy,
                                            count * unit.prefill,
                                            count * unit.decode),
                                    Slo.NONE)));
        }

        private boolean keeps(SimulatedRun run) {
            Figures figures = run.figures(drawn.slo);
            return run.rejected() == 0
                    && figures.isStable()
                    && drawn.slo.missed(figures).isEmpty();
        }

        double[] rank(DeploymentUnit unit, int count) {
            Figures figures = share(unit, count).figures(drawn.slo);
            double tokens = figures.seconds() == 0 ? 0 : figures.outputTokens() * count / figures.seconds();
            double tpot = figures.timePerOutputToken().p50();
            double devices = count * unit.devices();
            double loss = switch (drawn.asked.serving().goal()) {
                case DEVICES -> devices;
                case THROUGHPUT -> -tokens;
                case LATENCY -> tpot;
                case COST, MEMORY, ENERGY -> throw new IllegalStateException("not drawn");
            };
            return new double[] {loss, devices, unit.changes, -tokens, tpot};
        }

        /// The rank of a plan that was found, by its unit.
        double[] rank(DeploymentPlan plan) {
            for (DeploymentUnit unit : units) {
                int count = plan.plan().replicas() / unit.replicas();
                if (unit.model.layout().equals(plan.plan().layout())
                        && unit.request.kvBits() == plan.plan().request().kvBits()
                        && unit.options.equals(plan.options())
                        && count * unit.prefill == plan.simulation().replicas()
                        && count * unit.decode == plan.simulation().decodeReplicas()) {
                    return rank(unit, count);
                }
            }
            throw new AssertionError("not of the space: " + plan);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void findsWhatTryingEverythingFinds(long seed) {
        Random random = new Random(seed);
        int kept = 0;
        for (int i = 0; i < 12; i++) {
            Drawn drawn = Drawn.of(random);
            PlanAnswer<DeploymentPlan> answer = SEARCH.find(drawn.asked, drawn.slo, drawn.pool, drawn.software)
                    .find()
                    .orElseThrow();
            BruteForce all = new BruteForce(drawn);
            Optional<double[]> best = all.best();
            assertThat(answer.isFeasible()).as("%s", drawn).isEqualTo(best.isPresent());
            if (best.isPresent()) {
                kept++;
                assertThat(all.rank(answer.findFirst().orElseThrow()))
                        .as("%s", drawn)
                        .isEqualTo(best.get());
            }
        }
        assertThat(kept).isPositive();
    }

    /// No step that decodes a sequence among others is shorter than one that decodes it alone: the bound rests on it.
    @Test
    void aStepIsNeverShorterWithMoreSequences() {
        for (String model : List.of("llama-3.1-8b", "qwen3-30b-a3b", "deepseek-v3", "gpt-oss-120b")) {
            SimulationRequest asked = SimulationRequest.of(
                    ServingTerms.request(model, "fp8", 1, ServingGoal.DEVICES), new ServingLoad.Users(1));
            for (DeploymentUnit unit :
                    new Drawn(asked, Slo.NONE, ServingTerms.pool("h200-sxm", 8), ServingEngine.VLLM).units()) {
                double alone = unit.replica.times().sequences(1)
                        + 1000 * unit.replica.times().contextToken(1);
                double before = unit.replica.times().rows(1);
                for (int n = 2; n <= 512; n += n / 2) {
                    double more = unit.replica.times().sequences(n)
                            + 1000 * n * unit.replica.times().contextToken(n);
                    assertThat(more).isGreaterThanOrEqualTo(alone * (1 - 1e-9));
                    assertThat(unit.replica.times().rows(n)).isGreaterThanOrEqualTo(before * (1 - 1e-9));
                    before = unit.replica.times().rows(n);
                }
            }
        }
    }

    @Test
    void saysWhatWouldDoWhereNothingKeepsTheTargets() {
        SimulationRequest asked = SimulationRequest.of(
                ServingTerms.request("llama-3.1-8b", "bf16", 1, ServingGoal.DEVICES), new ServingLoad.Users(64));
        Slo slo = new Slo(List.of(Objective.of(LatencyMetric.TTFT, LatencyStatistic.P99, 0.33)));
        PlanAnswer<DeploymentPlan> answer = SEARCH.find(
                        asked, slo, ServingTerms.pool("h100-sxm", 1), ServingEngine.VLLM)
                .find()
                .orElseThrow();
        PlanAnswer.Infeasible<DeploymentPlan> none = (PlanAnswer.Infeasible<DeploymentPlan>) answer;
        assertThat(none.closest().missed()).isEqualTo(slo.objectives());
        assertThat(none.remedies()).hasSize(3);
        assertThat(none.remedies().get(0)).isInstanceOfSatisfying(Remedy.Change.class, change -> {
            assertThat(change.key()).isEqualTo("ttft");
            assertThat(change.instead()).isEqualTo(slo.objectives().getFirst());
        });
        assertThat(none.remedies().get(1)).isInstanceOfSatisfying(Remedy.Change.class, change -> {
            assertThat(change.key()).isEqualTo("users");
            assertThat(change.instead()).isEqualTo(new ServingLoad.Users(64));
        });
        assertThat(none.remedies().get(2))
                .isInstanceOfSatisfying(
                        Remedy.MoreDevices.class,
                        more -> assertThat(more.instead()).isEqualTo(1));
    }

    @Test
    void refusesGoalsThatALoadDoesNotKnow() {
        SimulationRequest asked = SimulationRequest.of(
                ServingTerms.request("llama-3.1-8b", "bf16", 1, ServingGoal.MEMORY), new ServingLoad.Users(1));
        assertThatThrownBy(() -> SEARCH.find(asked, Slo.NONE, ServingTerms.pool("h100-sxm", 1), ServingEngine.VLLM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not for memory");
    }
}
