// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static dev.muster.plan.search.ServingTerms.SEARCH;
import static dev.muster.plan.search.ServingTerms.anyPool;
import static dev.muster.plan.search.ServingTerms.anyRequest;
import static dev.muster.plan.search.ServingTerms.anySoftware;
import static dev.muster.plan.search.ServingTerms.pool;
import static dev.muster.plan.search.ServingTerms.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelDimension;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LargestFitTest {
    private static final Random RANDOM = new Random(61);
    private static final LargestFit FIT = LargestFit.of(SEARCH);
    private static final int MOST = 400;

    @RepeatedTest(20)
    void halvingFindsWhatCountingFinds() {
        ServingRequest request = anyRequest(RANDOM).withGoal(ServingGoal.THROUGHPUT);
        DevicePool pool = anyPool(RANDOM, 3);
        ServingEngine software = anySoftware(request, pool, RANDOM);
        assertThat(FIT.sequences(request, pool, software, MOST))
                .isEqualTo(counted(1, count -> SEARCH.fits(request.withConcurrency(count), pool, software)));
        // So little room that the longest sequence is short enough to count up to.
        ServingPlan plan = SEARCH.find(request.withConcurrency(64), pool, software)
                .find()
                .orElseThrow()
                .considered()
                .getFirst();
        double tight = plan.memory().weights() + plan.memory().workspace();
        DevicePool small = DevicePool.of(
                pool.device().withMemory(Bytes.of(Math.round(tight * RANDOM.nextDouble(1, 1.3)))),
                pool.name(),
                pool.count());
        ServingRequest many = request.withConcurrency(64);
        assertThat(LargestFit.tokens(
                        SEARCH.listReplicas(many, small, software).find().orElseThrow(), many.concurrency(), MOST))
                .isEqualTo(counted(2, count -> SEARCH.fits(many.withTokens(count), small, software)));
    }

    private static int counted(int least, IntPredicate fits) {
        int largest = 0;
        for (int count = least; count <= MOST; count++) {
            largest = fits.test(count) ? count : largest;
        }
        return largest;
    }

    @Test
    void whatFitsFitsAndOneMoreDoesNot() {
        ServingRequest request = request("llama-3.1-70b", "fp8", 8, ServingGoal.LATENCY);
        DevicePool pool = pool("h100-sxm", 2);
        FormatFit fit = FIT.find(request, pool, ServingEngine.VLLM).find().orElseThrow();
        ServingRequest throughput = request.withGoal(ServingGoal.THROUGHPUT);
        assertThat(fit.sequences()).isGreaterThan(8);
        assertThat(SEARCH.fits(throughput.withConcurrency(fit.sequences()), pool, ServingEngine.VLLM))
                .isTrue();
        assertThat(SEARCH.fits(throughput.withConcurrency(fit.sequences() + 1), pool, ServingEngine.VLLM))
                .isFalse();
        assertThat(fit.tokens()).isBetween(request.tokens(), fit.tokensAlone() - 1);
    }

    @Test
    void nothingIsLongerThanTheModelWasMadeFor() {
        ServingRequest request = request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY);
        FormatFit fit = FIT.find(request, pool("h200-sxm", 8), ServingEngine.VLLM)
                .find()
                .orElseThrow();
        assertThat((long) fit.tokensAlone())
                .isEqualTo(fit.mostTokens())
                .isEqualTo(request.architecture().find(ModelDimension.CONTEXT).orElseThrow());
    }

    @Test
    void whatDoesNotFitIsZero() {
        FormatFit fit = FIT.find(
                        request("deepseek-v3", "bf16", 1, ServingGoal.LATENCY), pool("l40s", 1), ServingEngine.VLLM)
                .find()
                .orElseThrow();
        assertThat(fit.isAny()).isFalse();
        assertThat(fit.sequences()).isZero();
        assertThat(FIT.find(ServingRequest.of(ServingTerms.unknownModel()), pool("l40s", 1), ServingEngine.VLLM)
                        .find())
                .isEmpty();
    }
}
