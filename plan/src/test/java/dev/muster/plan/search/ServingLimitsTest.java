// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static dev.muster.plan.search.ServingTerms.anyPool;
import static dev.muster.plan.search.ServingTerms.anyRequest;
import static dev.muster.plan.search.ServingTerms.best;
import static dev.muster.plan.search.ServingTerms.find;
import static dev.muster.plan.search.ServingTerms.pool;
import static dev.muster.plan.search.ServingTerms.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ServingLimitsTest {
    private static final Random RANDOM = new Random(21);
    private static final ServingEngine VLLM = ServingEngine.VLLM;

    @Test
    void theFirstTokenWaitsForThePromptsBeforeIt() {
        double idle = timeToFirstToken(1, 1);
        double ofEight = timeToFirstToken(8, 1);
        double ofSixtyFour = timeToFirstToken(64, 1);
        assertThat(ofEight).isGreaterThan(2 * idle);
        // A queue grows with who stands in it, so that no multiple of the idle time is right for two of them.
        assertThat((ofSixtyFour - idle) / (ofEight - idle)).isCloseTo(63.0 / 7, within(1e-9));
    }

    @Test
    void moreCopiesShortenTheQueue() {
        double idle = timeToFirstToken(1, 1);
        assertThat(timeToFirstToken(64, 8) - idle).isLessThan((timeToFirstToken(64, 1) - idle) / 4);
    }

    private static double timeToFirstToken(int concurrency, int devices) {
        ServingRequest request = request("llama-3.1-8b", "bf16", concurrency, ServingGoal.THROUGHPUT);
        return best(request, pool("h100-sxm", devices), VLLM)
                .timeToFirstTokenQueued()
                .p50();
    }

    @Test
    void aSequenceAloneDoesNotWait() {
        ServingPlan plan = best(request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY), pool("h100-sxm", 1), VLLM);
        assertThat(plan.timeToFirstTokenQueued()).isEqualTo(plan.timeToFirstToken());
    }

    @Test
    void theTimePerTokenLeavesTheFirstOneOut() {
        ServingRequest request =
                request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY).withTokens(8192, 32);
        ServingPlan plan = best(request, pool("h100-sxm", 1), VLLM);
        int output = request.output();
        double latency = plan.latency(output);
        double behindTheFirst = (latency - plan.timeToFirstToken().p50()) / (output - 1);
        assertThat(plan.timePerOutputToken().p50()).isCloseTo(behindTheFirst, within(1e-12));
        assertThat(latency / output).isGreaterThan(1.05 * behindTheFirst);
        // One sequence gets its tokens as fast as the machine gives any.
        assertThat(output / latency).isCloseTo(plan.tokensPerSecond().p50(), within(1e-9));
    }

    @RepeatedTest(60)
    void whatIsChosenKeepsTheLimitsAndIsTheBestThatDoes() {
        ServingRequest free = anyRequest(RANDOM);
        DevicePool pool = anyPool(RANDOM, 8);
        ServingPlan any = find(free, pool, VLLM).considered().getFirst();
        ServingRequest request = free.withSlo(new Slo(List.of(
                        Objective.of(
                                LatencyMetric.TTFT,
                                LatencyStatistic.MEAN,
                                any.timeToFirstTokenQueued().p50() * RANDOM.nextDouble(0.3, 2)),
                        Objective.of(
                                LatencyMetric.TPOT,
                                LatencyStatistic.MEAN,
                                any.timePerOutputToken().p50() * RANDOM.nextDouble(0.3, 2)))))
                .withBudget(any.rental().find().orElseThrow().usdPerHour() * RANDOM.nextDouble(0.3, 2));
        PlanAnswer<ServingPlan> answer = find(request, pool, VLLM);
        List<ServingPlan> kept = answer.considered().stream()
                .filter(plan -> plan.memory().fits() && keeps(plan, request))
                .toList();
        assertThat(answer.considered())
                .allMatch(plan -> keeps(plan, request) == plan.breaches().isEmpty());
        if (answer instanceof PlanAnswer.Feasible<ServingPlan> found) {
            ServingPlan best = found.best();
            assertThat(kept).contains(best);
            assertThat(kept).allMatch(plan -> ServingPlan.order(request.goal()).compare(best, plan) <= 0);
        } else {
            assertThat(kept).isEmpty();
        }
    }

    private static boolean keeps(ServingPlan plan, ServingRequest limits) {
        return plan.timeToFirstTokenQueued().p50()
                        <= limits.slo().findSeconds(LatencyMetric.TTFT).orElseThrow()
                && plan.timePerOutputToken().p50()
                        <= limits.slo().findSeconds(LatencyMetric.TPOT).orElseThrow()
                && plan.rental().find().orElseThrow().usdPerHour()
                        <= limits.usdPerHour().orElseThrow();
    }

    private static Slo firstToken(double seconds) {
        return new Slo(List.of(Objective.of(LatencyMetric.TTFT, LatencyStatistic.MEAN, seconds)));
    }

    @Test
    void fewerCopiesKeepABudgetThatAllOfThemBreak() {
        ServingRequest request = request("llama-3.1-8b", "bf16", 64, ServingGoal.THROUGHPUT);
        DevicePool pool = pool("h100-sxm", 8);
        double all = best(request, pool, VLLM).rental().find().orElseThrow().usdPerHour();
        ServingPlan within = best(request.withBudget(all / 2), pool, VLLM);
        assertThat(within.replicas()).isBetween(1, 7);
    }

    @Test
    void whatBreaksALimitSaysWhatWouldKeepIt() {
        ServingRequest request =
                request("llama-3.1-8b", "bf16", 64, ServingGoal.THROUGHPUT).withSlo(firstToken(0.5));
        PlanAnswer.Infeasible<ServingPlan> none = PlanAnswers.infeasible(find(request, pool("l40s", 1), VLLM));
        assertThat(none.closest().memory().fits()).isTrue();
        assertThat(none.closest().breaches())
                .singleElement()
                .satisfies(breach -> assertThat(breach.predicted()).isGreaterThan(0.5));
        assertThat(none.remedies())
                .anyMatch(remedy -> remedy instanceof Remedy.Change(String key, var _, Object instead)
                        && key.equals("maxTtftSeconds")
                        && instead.equals(0.5))
                .anyMatch(remedy -> remedy instanceof Remedy.Change(String key, var _, Object instead)
                        && key.equals("concurrency")
                        && instead.equals(64))
                .anyMatch(Remedy.RentedMachine.class::isInstance);
    }

    @RepeatedTest(10)
    void whatIsSaidToDoDoes() {
        int concurrency = RANDOM.nextInt(16, 64);
        ServingRequest unlimited = request("llama-3.1-8b", "bf16", concurrency, ServingGoal.THROUGHPUT);
        DevicePool pool = pool("l40s", 1);
        double queued = best(unlimited, pool, VLLM).timeToFirstTokenQueued().p50();
        ServingRequest request = unlimited.withSlo(firstToken(queued * RANDOM.nextDouble(0.2, 0.9)));
        PlanAnswer.Infeasible<ServingPlan> none = PlanAnswers.infeasible(find(request, pool, VLLM));
        assertThat(none.remedies()).isNotEmpty();
        for (Remedy remedy : none.remedies()) {
            switch (remedy) {
                case Remedy.Change change -> {
                    PlanAnswers.feasible(find(changed(request, change.key(), change.value()), pool, VLLM));
                    if (change.value() instanceof Integer most) {
                        PlanAnswers.infeasible(find(changed(request, change.key(), most + 1), pool, VLLM));
                    }
                }
                case Remedy.MoreDevices more -> {
                    PlanAnswers.feasible(find(request, pool("l40s", more.devices()), VLLM));
                    PlanAnswers.infeasible(find(request, pool("l40s", more.devices() - 1), VLLM));
                }
                case Remedy.RentedMachine machine ->
                    PlanAnswers.feasible(find(
                            request,
                            pool(
                                    machine.rental().offer().accelerator(),
                                    machine.rental().offer().count()),
                            VLLM));
                case Remedy.OffloadedStates _, Remedy.Together _, Remedy.Advice _ ->
                    fail("not a remedy here: " + remedy);
            }
        }
    }

    private static ServingRequest changed(ServingRequest request, String key, Object value) {
        return switch (key) {
            case "inputTokens" -> request.withInput((int) value);
            case "concurrency" -> request.withConcurrency((int) value);
            case "formats" -> request.withFormat((WeightFormat) value);
            case "maxTtftSeconds" -> request.withSlo(firstToken((double) value));
            default -> fail("no such change: " + key);
        };
    }

    @Test
    void aLimitIsAboveZero() {
        assertThatThrownBy(() -> Slo.NONE.with(LatencyMetric.TPOT, LatencyStatistic.MEAN, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY).withBudget(Double.NaN))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
