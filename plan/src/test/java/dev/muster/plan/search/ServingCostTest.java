// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static dev.muster.plan.search.ServingTerms.DEVICES;
import static dev.muster.plan.search.ServingTerms.anyPool;
import static dev.muster.plan.search.ServingTerms.anyRequest;
import static dev.muster.plan.search.ServingTerms.best;
import static dev.muster.plan.search.ServingTerms.find;
import static dev.muster.plan.search.ServingTerms.pool;
import static dev.muster.plan.search.ServingTerms.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.time.LocalDate;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ServingCostTest {
    private static final Random RANDOM = new Random(31);
    private static final ServingEngine VLLM = ServingEngine.VLLM;
    private static final String PRICES = """
            provider,instance,region,accelerator,count,memory_gb_each,vcpus,ram_gb,interconnect,\
            price_usd_hour_on_demand,price_usd_hour_spot,source,date,note
            aws,one,any,h100-sxm,1,80,8,64,none,3,,invented,2026-11-01,
            aws,two,any,h100-sxm,2,80,8,64,nvlink,7,,invented,2026-11-01,
            aws,eight,any,h100-sxm,8,80,8,64,nvswitch,20,,invented,2026-11-01,
            """;
    private static final RentalOffers.OfDevice OFFERS = RentalOffers.of(
                    PriceCatalogue.parse(PRICES, DEVICES), DEVICES, Optional.of(LocalDate.of(2026, 11, 18)))
            .ofDevice(pool("h100-sxm", 8));

    @Test
    void aRentalKnowsHowOldItsPriceIs() {
        assertThat(OFFERS.cheapest(1, 1).find().orElseThrow().priceAge()).isEqualTo("of 2026-11-01, 17 days old");
    }

    @Test
    void wholeMachinesAreRentedAndACopyStaysInOne() {
        assertThat(rented(1, 1)).isEqualTo("1 x one");
        assertThat(rented(5, 1)).isEqualTo("5 x one");
        assertThat(rented(7, 1)).isEqualTo("1 x eight");
        assertThat(rented(9, 1)).isEqualTo("9 x one");
        assertThat(rented(2, 2)).isEqualTo("2 x two");
        assertThat(rented(1, 3)).isEqualTo("1 x eight");
        assertThat(rented(3, 4)).isEqualTo("2 x eight");
        assertThat(rented(1, 16)).isEqualTo("2 x eight");
    }

    private static String rented(int replicas, int each) {
        Rental rental = OFFERS.cheapest(replicas, each).find().orElseThrow();
        return rental.instances() + " x " + rental.offer().instance();
    }

    @Test
    void whatNobodyOffersHasNoPriceRatherThanNone() {
        ServingPlan plan = best(
                request("llama-3.1-8b", "q4_k_m", 1, ServingGoal.LATENCY),
                pool("rtx-5080", 1),
                ServingEngine.LLAMA_CPP);
        assertThat(plan.rental())
                .isInstanceOfSatisfying(
                        Reading.Unknown.class,
                        unknown -> assertThat(unknown.detail()).startsWith("no price known for "));
        assertThat(plan.usdPerMillionTokens().isKnown()).isFalse();
        Attempt<PlanAnswer<ServingPlan>> cheapest = ServingTerms.SEARCH.find(
                request("llama-3.1-8b", "q4_k_m", 1, ServingGoal.COST), pool("rtx-5080", 1), ServingEngine.LLAMA_CPP);
        assertThat(cheapest.find()).isEmpty();
    }

    @Test
    void energyIsUnknownWhereThePowerIs() {
        DevicePool known = pool("h100-sxm", 1);
        DeviceFigures powerless = known.device().toBuilder()
                .power(Reading.unknown(UnknownReason.NOT_STATED))
                .build();
        DevicePool pool = DevicePool.of(powerless, known.name(), 1);
        ServingRequest request = request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY);
        assertThat(best(request, pool, VLLM).joulesPerToken().isKnown()).isFalse();
        assertThat(best(request, known, VLLM).joulesPerToken().isKnown()).isTrue();
    }

    @RepeatedTest(60)
    void priceAndEnergyFollowFromTheSpeed() {
        ServingRequest request = anyRequest(RANDOM);
        DevicePool pool = anyPool(RANDOM, 8);
        for (ServingPlan plan : find(request, pool, VLLM).considered()) {
            Estimate cost = plan.usdPerMillionTokens().find().orElseThrow();
            double dollars = plan.rental().find().orElseThrow().usdPerHour();
            assertThat(cost.p50() * plan.tokensPerSecond().p50() * 3600 / 1e6).isCloseTo(dollars, within(1e-6));
            assertThat(cost.p10()).isLessThan(cost.p50());
            assertThat(cost.p90()).isGreaterThan(cost.p50());
            double watts = plan.joulesPerToken().find().orElseThrow().p50()
                    * plan.tokensPerSecond().p50()
                    / plan.devices();
            double limit = pool.device().power().orElseThrow();
            assertThat(watts).isBetween(0.0999 * limit, 1.0001 * limit);
        }
    }

    @Test
    void aStepThatWaitsForMemoryDrawsHalfOfTheLimitAndMore() {
        ServingPlan plan = best(
                request("llama-3.1-8b", "bf16", 1, ServingGoal.LATENCY).withTokens(16, 2000),
                pool("h100-sxm", 1),
                VLLM);
        double watts = plan.joulesPerToken().find().orElseThrow().p50()
                * plan.tokensPerSecond().p50();
        assertThat(watts / 700).isBetween(0.4, 0.75);
    }

    @Test
    void sharingOneCopyCostsLessThanManyThatIdle() {
        ServingRequest few = request("llama-3.1-8b", "bf16", 8, ServingGoal.COST);
        ServingPlan cheapest = best(few, pool("h100-sxm", 8), VLLM);
        assertThat(cheapest.devices()).isLessThan(8);
    }
}
