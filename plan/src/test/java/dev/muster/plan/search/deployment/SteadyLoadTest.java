// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.ServingTerms;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Metric;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Objective;
import dev.muster.plan.serving.LatencyTargets.ServiceLevel.Statistic;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
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
    private record Question(ServingRequest request, int users, ServiceLevel level, DevicePool pool) {
        static Question of(Random random) {
            ServingRequest request = ServingTerms.request(
                            ServingTerms.any(List.of("llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b"), random),
                            "bf16",
                            1,
                            ServingGoal.DEVICES)
                    .withTokens(random.nextInt(200, 2500), random.nextInt(50, 300));
            List<Objective> objectives = new ArrayList<>();
            objectives.add(new Objective(
                    Metric.TTFT,
                    ServingTerms.any(List.of(Statistic.MEAN, Statistic.P90, Statistic.P99), random),
                    Math.exp(random.nextDouble(-1.5, 1))));
            if (random.nextBoolean()) {
                objectives.add(new Objective(
                        Metric.TPOT,
                        ServingTerms.any(List.of(Statistic.MEAN, Statistic.P90, Statistic.P99), random),
                        Math.exp(random.nextDouble(-4.6, -3))));
            }
            return new Question(
                    request,
                    random.nextInt(4, 24),
                    new ServiceLevel(objectives),
                    ServingTerms.pool(ServingTerms.any(List.of("l4", "l40s", "rtx-4090"), random), 8));
        }

        Optional<DeploymentPlan> ask(ServingLoad load, int requests) {
            SimulationRequest asked = SimulationRequest.of(request, load)
                    .withRequests(requests)
                    .withFleet(new SimulationRequest.Fleet(1, 0, 0, 50e9, SimulationRequest.Router.ROUND_ROBIN))
                    .withOptions(Map.of("max-num-seqs", "256", "max-num-batched-tokens", "2048"));
            PlanAnswer<DeploymentPlan> answer = SEARCH.find(asked, level, pool, ServingEngine.VLLM)
                    .find()
                    .orElseThrow();
            return answer.isFeasible() ? answer.findFirst() : Optional.empty();
        }

        /// The devices of the answer; one more than there are if none keeps the targets.
        int devices(ServingLoad load, int requests) {
            return ask(load, requests).map(plan -> plan.plan().devices()).orElse(pool.count() + 1);
        }
    }

    @Test
    void theNumberOfDevicesDoesNotDependOnHowManyRequestsAreAskedFor() {
        Random random = new Random(1);
        int answered = 0;
        int equal = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            Question question = Question.of(random);
            ServingLoad users = new ServingLoad.Users(question.users);
            Optional<DeploymentPlan> plan = question.ask(users, 10 * question.users);
            int ten = plan.map(one -> one.plan().devices()).orElse(question.pool.count() + 1);
            List<Integer> others = new ArrayList<>();
            others.add(question.devices(users, 40 * question.users));
            others.add(question.devices(users, 400 * question.users));
            plan.ifPresent(one -> others.add(
                    question.devices(new ServingLoad.Rate(one.figures().requestsPerSecond()), 0)));
            if (!others.stream().allMatch(other -> Math.abs(other - ten) <= 1)) System.err.println(ten+" "+others+" "+question.users+" "+question.level.display()+" "+question.pool.name()+" "+question.request.input()+" "+question.request.output()+" "+question.request.model().name());
            answered += plan.isPresent() ? 1 : 0;
            equal += others.stream().allMatch(other -> other == ten) ? 1 : 0;
        }
        assertThat(answered).isGreaterThan(QUESTIONS / 2);
        assertThat(equal).isGreaterThan(QUESTIONS / 2);
        System.err.println(answered + " " + equal);
    }
}
