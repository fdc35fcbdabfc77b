// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static dev.muster.plan.search.ServingTerms.SEARCH;
import static dev.muster.plan.search.ServingTerms.anyPool;
import static dev.muster.plan.search.ServingTerms.anyRequest;
import static dev.muster.plan.search.ServingTerms.pool;
import static dev.muster.plan.search.ServingTerms.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ServingSearchTest {
    private static final Random RANDOM = new Random(11);

    @Test
    void manySequencesOfASmallModelGetACopyOnEachDevice() {
        ServingPlan best = best(request("llama-3.1-8b", "bf16", 1024, ServingGoal.THROUGHPUT), pool("h100-sxm", 8));
        assertThat(best.replicas()).isEqualTo(8);
        assertThat(best.layout().devices()).isEqualTo(1);
    }

    @Test
    void oneSequenceOfALargeModelIsSharedByAllDevices() {
        ServingPlan best = best(request("llama-3.1-70b", "fp8", 1, ServingGoal.LATENCY), pool("h100-sxm", 8));
        assertThat(best.layout().tp()).isEqualTo(8);
        assertThat(best.replicas()).isEqualTo(1);
    }

    @Test
    void theFewestDevicesAreThoseThatHoldIt() {
        ServingPlan best = best(request("llama-3.1-70b", "bf16", 1, ServingGoal.DEVICES), pool("h100-sxm", 8));
        assertThat(best.devices()).isBetween(2, 3);
        assertThat(best.idle()).isEqualTo(8 - best.devices());
    }

    @Test
    void whatDoesNotFitSaysWhatWould() {
        PlanAnswer<ServingPlan> answer = SEARCH.find(
                        request("llama-3.1-70b", "bf16", 4, ServingGoal.THROUGHPUT),
                        pool("h100-sxm", 1),
                        ServingEngine.VLLM)
                .find()
                .orElseThrow();
        PlanAnswer.Infeasible<ServingPlan> none = PlanAnswers.infeasible(answer);
        assertThat(none.remedies())
                .anyMatch(remedy ->
                        remedy instanceof Remedy.Change change && change.key().equals("formats"));
        assertThat(none.remedies())
                .anyMatch(remedy -> remedy instanceof Remedy.MoreDevices more && more.instead() == 1);
        assertThat(none.considered())
                .isNotEmpty()
                .noneMatch(plan -> plan.memory().fits());
    }

    @RepeatedTest(40)
    void theBestIsTheBestOfAllThatFit() {
        ServingRequest request = anyRequest(RANDOM);
        DevicePool pool = anyPool(RANDOM, 16);
        PlanAnswer<ServingPlan> answer =
                SEARCH.find(request, pool, ServingEngine.VLLM).find().orElseThrow();
        List<ServingPlan> all =
                SEARCH.listAll(request, pool, ServingEngine.VLLM, false).find().orElseThrow();
        assertThat(answer.considered()).hasSameSizeAs(all);
        List<ServingPlan> fitting =
                all.stream().filter(plan -> plan.memory().fits()).toList();
        if (answer instanceof PlanAnswer.Feasible<ServingPlan> found) {
            assertThat(fitting).allMatch(plan -> isNoBetter(plan, found.best(), request.goal()));
        } else {
            assertThat(fitting).isEmpty();
        }
    }

    private static boolean isNoBetter(ServingPlan plan, ServingPlan best, ServingGoal goal) {
        return switch (goal) {
            case THROUGHPUT ->
                plan.tokensPerSecond().p50() <= best.tokensPerSecond().p50();
            case LATENCY ->
                plan.timePerOutputToken().p50() >= best.timePerOutputToken().p50();
            case DEVICES -> plan.devices() >= best.devices();
            case MEMORY -> plan.memory().total() >= best.memory().total();
            case COST -> middle(plan.usdPerMillionTokens()) >= middle(best.usdPerMillionTokens());
            case ENERGY -> middle(plan.joulesPerToken()) >= middle(best.joulesPerToken());
        };
    }

    private static double middle(Reading<Estimate> estimate) {
        return estimate.find().orElseThrow().p50();
    }

    @RepeatedTest(40)
    void moreMemoryAndMoreDevicesAreNeverWorse() {
        ServingRequest request = anyRequest(RANDOM);
        DevicePool pool = anyPool(RANDOM, 8);
        DevicePool more = DevicePool.of(pool.device(), pool.name(), pool.count() + RANDOM.nextInt(1, 8));
        DevicePool larger = DevicePool.of(
                pool.device().withMemory(Bytes.of(Math.round(pool.device().memory() * RANDOM.nextDouble(1, 3)))),
                pool.name(),
                pool.count());
        ServingEngine software = ServingTerms.anySoftware(request, pool, RANDOM);
        if (SEARCH.find(request, pool, software).find().orElseThrow()
                instanceof PlanAnswer.Feasible<ServingPlan> before) {
            for (DevicePool better : List.of(more, larger)) {
                ServingPlan after = ServingTerms.best(request, better, software);
                assertThat(isNoBetter(before.best(), after, request.goal())).isTrue();
            }
        }
    }

    @Test
    void llamaCppSplitsLayersAndNothingElse() {
        List<ServingPlan> plans = SEARCH.listAll(
                        request("qwen3-32b", "q4_k_m", 1, ServingGoal.LATENCY),
                        pool("rtx-4090", 4),
                        ServingEngine.LLAMA_CPP,
                        false)
                .find()
                .orElseThrow();
        assertThat(plans).hasSize(4).allMatch(plan -> plan.layout().tp() == 1);
    }

    @Test
    void anUnknownArchitectureIsUnknown() {
        assertThat(SEARCH.find(ServingRequest.of(ServingTerms.unknownModel()), pool("l40s", 1), ServingEngine.VLLM)
                        .find())
                .isEmpty();
    }

    private static ServingPlan best(ServingRequest request, DevicePool pool) {
        return ServingTerms.best(request, pool, ServingEngine.VLLM);
    }

    /// Over a network sharing matrices is slow: a replica stays within a machine where it can, and stages cross
    /// machines where it cannot.
    @Test
    void matricesAreSharedWithinAMachine() {
        DevicePool machines = pool("h100-sxm", 16).joinedBy(8, 50e9);
        ServingPlan best = best(request("llama-3.1-405b", "bf16", 32, ServingGoal.THROUGHPUT), machines);
        assertThat(best.layout().tp()).isEqualTo(8);
        assertThat(best.layout().pp()).isEqualTo(2);
    }

    @RepeatedTest(40)
    void aNetworkBetweenMachinesNeverHelps() {
        ServingRequest request = request("llama-3.1-70b", "fp8", 1 + RANDOM.nextInt(256), ServingGoal.THROUGHPUT);
        DevicePool one = pool(ServingTerms.KINDS.get(RANDOM.nextInt(ServingTerms.KINDS.size())), 16);
        DevicePool several = one.joinedBy(1 + RANDOM.nextInt(16), 25e9);
        double joined = speed(request, one);
        assertThat(speed(request, several)).isLessThanOrEqualTo(joined);
        assertThat(speed(request, one.withCount(several.domain()))).isLessThanOrEqualTo(speed(request, several));
    }

    private static double speed(ServingRequest request, DevicePool pool) {
        return SEARCH.find(request, pool, ServingEngine.VLLM)
                .find()
                .filter(PlanAnswer::isFeasible)
                .map(answer -> PlanAnswers.best(answer).tokensPerSecond().p50())
                .orElse(0.0);
    }

    /// Data sheets lack links, units or power here and there.
    @Test
    void everyDeviceOfTheCatalogueGetsFiguresOrAReason() {
        for (DeviceEntry entry : DeviceCatalogue.builtIn().entries()) {
            DevicePool pool = DevicePool.of(DeviceFigures.of(entry), entry.name(), 4);
            for (ServingEngine software : ServingEngine.values()) {
                ServingRequest asked = request("llama-3.1-8b", "bf16", 4, ServingGoal.THROUGHPUT);
                Attempt<PlanAnswer<ServingPlan>> answer = SEARCH.find(asked, pool, software);
                assertThat(answer.find().isPresent())
                        .as(entry.id())
                        .isEqualTo(pool.device().isComplete()
                                && software.runsOn(pool.device().family())
                                && ServingTerms.isTaken(asked, pool, software));
                answer.find()
                        .ifPresent(known -> assertThat(known.considered())
                                .as(entry.id())
                                .allMatch(plan -> Double.isFinite(
                                                plan.timePerOutputToken().p90())
                                        && Double.isFinite(
                                                plan.timeToFirstToken().p90())
                                        && plan.tokensPerSecond().p10() > 0));
            }
        }
    }

    /// Six devices of a machine hold one group of four, not one and a half.
    @Test
    void noGroupLiesOnTwoMachines() {
        DevicePool machines = pool("h100-sxm", 12).joinedBy(6, 50e9);
        assertThat(machines.room(new Parallelism(4, 1, 1, 1))).isEqualTo(2);
        assertThat(machines.room(new Parallelism(3, 1, 1, 1))).isEqualTo(4);
        assertThat(machines.room(new Parallelism(4, 2, 1, 1))).isEqualTo(1);
        assertThat(machines.room(new Parallelism(12, 1, 1, 1))).isEqualTo(1);
        assertThat(pool("h100-sxm", 12).room(new Parallelism(4, 1, 1, 1))).isEqualTo(3);
    }
}
