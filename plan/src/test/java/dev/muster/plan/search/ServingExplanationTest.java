// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static dev.muster.plan.search.ServingTerms.COEFFICIENTS;
import static dev.muster.plan.search.ServingTerms.SEARCH;
import static dev.muster.plan.search.ServingTerms.any;
import static dev.muster.plan.search.ServingTerms.anyPool;
import static dev.muster.plan.search.ServingTerms.anyRequest;
import static dev.muster.plan.search.ServingTerms.anySoftware;
import static dev.muster.plan.search.ServingTerms.best;
import static dev.muster.plan.search.ServingTerms.pool;
import static dev.muster.plan.search.ServingTerms.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.cost.UsedCoefficient;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ServingExplanationTest {
    private static final Random RANDOM = new Random(51);
    private static final double EXACT = 1e-9;

    @RepeatedTest(40)
    void theTermsSumUpToTheFigures() {
        ServingRequest request = anyRequest(RANDOM);
        DevicePool pool = anyPool(RANDOM, 16);
        ServingEngine software = anySoftware(request, pool, RANDOM);
        List<ServingPlan> plans =
                SEARCH.find(request, pool, software, true).find().orElseThrow().considered();
        ServingPlan plan = any(plans, RANDOM);
        ServingExplanation explained = ServingWork.explain(plan, COEFFICIENTS);

        assertThat(bytes(explained, MemoryTerm.MemoryPart.WEIGHTS)
                        / plan.memory().weights())
                .isCloseTo(1, within(EXACT));
        assertThat(bytes(explained, MemoryTerm.MemoryPart.CACHE) / plan.memory().kvCache())
                .isCloseTo(1, within(EXACT));
        assertThat(bytes(explained, MemoryTerm.MemoryPart.WORKSPACE)
                        / plan.memory().workspace())
                .isCloseTo(1, within(EXACT));
        assertThat(seconds(explained.timeToFirstToken())
                        / plan.timeToFirstToken().p50())
                .isCloseTo(1, within(EXACT));
        StepTime step = plan.step();
        assertPart(explained, StepTerm.StepPart.PRODUCTS, step.products());
        assertPart(explained, StepTerm.StepPart.EXPERTS, step.experts());
        assertPart(explained, StepTerm.StepPart.ATTENTION, step.attention());
        assertPart(explained, StepTerm.StepPart.HEAD, step.head());
        assertPart(explained, StepTerm.StepPart.HOST, step.host());
        assertPart(explained, StepTerm.StepPart.LINKS, step.links());
    }

    private static void assertPart(ServingExplanation explained, StepTerm.StepPart part, double seconds) {
        double sum = explained.step().stream()
                .filter(term -> term.part() == part)
                .mapToDouble(StepTerm::seconds)
                .sum();
        assertThat(sum).as(part.label()).isCloseTo(seconds, within(EXACT * Math.max(seconds, 1e-6)));
    }

    private static double bytes(ServingExplanation explained, MemoryTerm.MemoryPart part) {
        return explained.memory().stream()
                .filter(term -> term.part() == part)
                .mapToDouble(MemoryTerm::bytes)
                .sum();
    }

    private static double seconds(List<StepTerm> terms) {
        return terms.stream().mapToDouble(StepTerm::seconds).sum();
    }

    @RepeatedTest(20)
    void aTermIsNeverShorterThanWhatItIsMadeOf() {
        ServingRequest request = anyRequest(RANDOM);
        ServingPlan plan = SEARCH.find(request, anyPool(RANDOM, 8), ServingEngine.VLLM)
                .find()
                .orElseThrow()
                .considered()
                .getFirst();
        ServingExplanation explained = ServingWork.explain(plan, COEFFICIENTS);
        for (StepTerm term : explained.step()) {
            double moving = term.bytesPerSecond() > 0 ? term.bytes() / term.bytesPerSecond() : 0;
            double computing = term.operationsPerSecond() > 0 ? term.operations() / term.operationsPerSecond() : 0;
            double least = term.fixed() + Math.max(moving, computing);
            assertThat(term.seconds()).as(term.what()).isGreaterThanOrEqualTo(least * (1 - 1e-9));
        }
    }

    @Test
    void coefficientsSayWhatTheyRestOn() {
        ServingRequest request = request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY);
        ServingPlan plan = best(request, pool("h100-sxm", 1), ServingEngine.VLLM);
        List<UsedCoefficient> used = ServingWork.explain(plan, COEFFICIENTS).coefficients();
        assertThat(used)
                .contains(new UsedCoefficient(
                        "serving/memory-share",
                        COEFFICIENTS.get("serving/memory-share"),
                        UsedCoefficient.CoefficientBasis.MEASURED))
                .contains(new UsedCoefficient("vllm/walk/own", 1, UsedCoefficient.CoefficientBasis.OF_FAMILY));
        assertThat(names(used))
                .as("it has neither experts nor layers with a state")
                .noneMatch(name -> name.contains("expert") || name.contains("state"));
    }

    @Test
    void coefficientsOfExpertsAndStatesAreThoseOfModelsThatHaveThem() {
        ServingRequest request = request("qwen3-next-80b-a3b", "bf16", 1, ServingGoal.LATENCY);
        ServingPlan plan = best(request, pool("h100-sxm", 4), ServingEngine.VLLM);
        List<UsedCoefficient> used = ServingWork.explain(plan, COEFFICIENTS).coefficients();
        assertThat(names(used)).contains("serving/expert-memory-share");
        assertThat(used)
                .contains(new UsedCoefficient(
                        "vllm/prompt-state-layer/own",
                        COEFFICIENTS.get("vllm/prompt-state-layer/own"),
                        UsedCoefficient.CoefficientBasis.PRIOR));
    }

    private static List<String> names(List<UsedCoefficient> used) {
        return used.stream().map(UsedCoefficient::name).toList();
    }
}
