// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static dev.muster.plan.search.ServingTerms.SEARCH;
import static dev.muster.plan.search.ServingTerms.anyPool;
import static dev.muster.plan.search.ServingTerms.anyRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;

class ParetoFrontTest {
    private static final Random RANDOM = new Random(41);

    @RepeatedTest(60)
    void theFrontIsWhatNothingBeats() {
        PlanAnswer<ServingPlan> answer = SEARCH.find(anyRequest(RANDOM), anyPool(RANDOM, 16), ServingEngine.VLLM, true)
                .find()
                .orElseThrow();
        List<ServingPlan> accepted =
                answer.considered().stream().filter(ServingPlan::isAccepted).toList();
        List<ServingPlan> slowly = accepted.stream()
                .filter(plan -> accepted.stream().noneMatch(other -> isBeaten(plan, other)))
                .toList();
        List<ServingPlan> front = ServingPlan.front(answer.considered());
        assertThat(front).containsExactlyInAnyOrderElementsOf(slowly);
        assertThat(front.isEmpty()).isNotEqualTo(answer.isFeasible());
    }

    /// Written out, so that it shares nothing with the front.
    private static boolean isBeaten(ServingPlan plan, ServingPlan by) {
        double[] worse = figures(plan);
        double[] better = figures(by);
        boolean strictly = false;
        for (int at = 0; at < worse.length; at++) {
            if (better[at] > worse[at]) {
                return false;
            }
            strictly |= better[at] < worse[at];
        }
        return strictly;
    }

    private static double[] figures(ServingPlan plan) {
        return new double[] {
            -plan.tokensPerSecond().p50(),
            plan.timePerOutputToken().p50(),
            plan.devices(),
            plan.rental().find().orElseThrow().usdPerHour()
        };
    }

    @RepeatedTest(20)
    void theBestOfEveryGoalOfTheFrontIsOnIt() {
        ServingRequest any = anyRequest(RANDOM);
        DevicePool pool = anyPool(RANDOM, 8);
        PlanAnswer<ServingPlan> answer =
                SEARCH.find(any, pool, ServingEngine.VLLM, true).find().orElseThrow();
        List<ServingPlan> front = ServingPlan.front(answer.considered());
        answer.considered().stream().filter(ServingPlan::isAccepted).forEach(plan -> {
            assertThat(front)
                    .anyMatch(one -> one.tokensPerSecond().p50()
                            >= plan.tokensPerSecond().p50());
            assertThat(front)
                    .anyMatch(one -> one.timePerOutputToken().p50()
                            <= plan.timePerOutputToken().p50());
            assertThat(front).anyMatch(one -> one.devices() <= plan.devices());
        });
    }
}
