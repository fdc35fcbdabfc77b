// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.ServingTerms;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.time.CoefficientTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Deployments for a steady load, however the load is stated.
class SteadyLoadTest {
    private static final DeploymentSearch SEARCH = DeploymentSearch.of(CoefficientTable.builtIn(), RentalOffers.NONE);
    private static final int QUESTIONS = 200;

    /// A question that some of the devices answer.
    private record Question(ServingRequest request, int users, Slo slo, DevicePool pool) {
        static Question of(Random random) {
            ServingRequest request = ServingTerms.request(
                            ServingTerms.any(List.of("llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b"), random),
                            "bf16",
                            1,
                            ServingGoal.DEVICES)
                    .withTokens(random.nextInt(200, 2500), random.nextInt(50, 300));
            List<Objective> objectives = new ArrayList<>();
            objectives.add(Objective.of(
                    LatencyMetric.TTFT,
                    ServingTerms.any(
                            List.of(LatencyStatistic.MEAN, LatencyStatistic.P90, LatencyStatistic.P99), random),
                    Math.exp(random.nextDouble(-1.5, 1))));
            if (random.nextBoolean()) {
                objectives.add(Objective.of(
                        LatencyMetric.TPOT,
                        ServingTerms.any(
                                List.of(LatencyStatistic.MEAN, LatencyStatistic.P90, LatencyStatistic.P99), random),
                        Math.exp(random.nextDouble(-4.6, -3))));
            }
            return new Question(
                    request,
                    random.nextInt(4, 40),
                    new Slo(objectives),
                    ServingTerms.pool(ServingTerms.any(List.of("l4", "l40s", "rtx-4090"), random), 8));
        }

        Optional<DeploymentPlan> ask(ServingLoad load, int requests) {
            SimulationRequest asked = SimulationRequest.of(request, load)
                    .withRequests(requests)
                    .withFleet(new SimulationRequest.Replicas(1, 0, 0, 50e9, SimulationRequest.Router.ROUND_ROBIN))
                    .withOptions(Map.of("max-num-seqs", "256", "max-num-batched-tokens", "2048"));
            PlanAnswer<DeploymentPlan> answer =
                    SEARCH.find(asked, slo, pool, ServingEngine.VLLM).find().orElseThrow();
            return answer.isFeasible() ? answer.findFirst() : Optional.empty();
        }

        /// The devices of the answer; one more than there are if none keeps the targets.
        int devices(ServingLoad load, int requests) {
            return ask(load, requests).map(plan -> plan.plan().devices()).orElse(pool.count() + 1);
        }
    }

    /// A closed loop cannot send while all its users wait, so that few users of a busy replica wait less than as many
    /// requests of a rate: one question in fifty may differ by more than a step. As many requests count
    /// however many are asked for, so that the answer is the same.
    @Test
    void theNumberOfDevicesDoesNotDependOnHowTheLoadIsStated() {
        Random random = new Random(1);
        int answered = 0;
        int apart = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            Question question = Question.of(random);
            ServingLoad users = new ServingLoad.Users(question.users);
            Optional<DeploymentPlan> plan = question.ask(users, 10 * question.users);
            int ten = plan.map(one -> one.plan().devices()).orElse(question.pool.count() + 1);
            int more = question.devices(users, (i % 8 == 0 ? 400 : 40) * question.users);
            assertThat(more).as("%s", question).isEqualTo(ten);
            if (plan.isPresent()) {
                answered++;
                double perSecond = plan.get().figures().requestsPerSecond();
                apart += Math.abs(question.devices(new ServingLoad.Rate(perSecond), 0) - ten) > 1 ? 1 : 0;
            }
        }
        assertThat(answered).isGreaterThan(QUESTIONS / 2);
        assertThat(apart).isLessThanOrEqualTo(QUESTIONS / 50);
    }
}
