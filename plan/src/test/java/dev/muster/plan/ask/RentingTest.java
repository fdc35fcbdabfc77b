// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.serving.ServingPlan;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The cheapest machines are those that `plan` says, asked for each machine.
class RentingTest {
    private static final long SEED = 20_261_119;
    private static final Planner PLANNER = Planner.of(AcceleratorRegistry.of(List.of()));
    private static final List<String> MODELS = List.of(
            "llama-3.1-8b",
            "qwen3-32b",
            "llama-3.1-70b",
            "gpt-oss-20b",
            "gpt-oss-120b",
            "qwen3-30b-a3b",
            "gemma-3-27b");

    /// No machine that costs less has a feasible plan, and those that are listed have one, over 60 drawn questions.
    @Test
    void theWinnerIsThatOfAskingPlanForEachMachine() {
        Random random = new Random(SEED);
        for (int drawn = 0; drawn < 60; drawn++) {
            ParameterValues values = values(random);
            ModelSummary model = model(MODELS.get(random.nextInt(MODELS.size())));
            PriceCatalogue prices = some(random);
            Answer.Priced answer = Question.cost(model, values).ask(PLANNER.withPrices(prices));
            List<Rental> rentals = rentals(answer);
            String what = "seed " + SEED + ", question " + drawn + ": " + model.name() + " " + values;
            double cheapest = rentals.isEmpty()
                    ? Double.POSITIVE_INFINITY
                    : rentals.getFirst().usdPerHour();
            if (!rentals.isEmpty()) {
                Rental first = rentals.getFirst();
                assertThat(isFeasible(model, values, first.offer(), first.instances()))
                        .as(what)
                        .isTrue();
            }
            boolean isLoaded = values.hasAny(QuestionKind.arrivals());
            boolean onOne = rentals.stream().allMatch(rental -> rental.instances() == 1);
            for (InstanceOffer offer : prices.offers()) {
                int most = isLoaded || !onOne ? Renting.MOST_MACHINES : 1;
                for (int machines = most; machines >= 1; machines--) {
                    if (machines * offer.onDemand().amount() < cheapest - 1e-9) {
                        assertThat(isFeasible(model, values, offer, machines))
                                .as(what + ": " + machines + " x " + offer.machine())
                                .isFalse();
                        break; // fewer machines are a part of these
                    }
                }
            }
        }
    }

    @Test
    void offersAreCountedByTheReasonWhyTheyAreLeftOut() {
        Answer.Priced answer =
                Question.cost(model("deepseek-r1"), ParameterValues.NONE).ask(PLANNER);

        assertThat(rentals(answer))
                .isNotEmpty()
                .isSortedAccordingTo(Comparator.comparingDouble(Rental::usdPerHour))
                .allSatisfy(rental -> assertThat(rental.instances()).isEqualTo(1));
        assertThat(answer.tooSmall()).isPositive();
        assertThat(answer.plans().size() + answer.notWanted() + answer.tooSmall() + answer.noPlan() + answer.dearer())
                .isEqualTo(answer.priced());
    }

    /// Prices that are too old are left out and counted, unless they are asked for.
    @Test
    void stalePricesNeverWinSilently() {
        Planner dated = PLANNER.withToday(LocalDate.of(2026, 11, 19));
        ParameterValues allowed = ParameterValues.NONE.with(Parameters.STALE_PRICES, true);

        Answer.Priced answer =
                Question.cost(model("llama-3.1-8b"), ParameterValues.NONE).ask(dated);
        Answer.Priced all = Question.cost(model("llama-3.1-8b"), allowed).ask(dated);

        assertThat(rentals(answer))
                .isNotEmpty()
                .noneMatch(rental -> rental.age().orElseThrow().isStale());
        assertThat(answer.stale())
                .isEqualTo(dated.prices().listStale(LocalDate.of(2026, 11, 19)).size())
                .isPositive();
        assertThat(all.stale()).isZero();
        assertThat(rentals(all).getFirst().usdPerHour())
                .isLessThanOrEqualTo(rentals(answer).getFirst().usdPerHour());
    }

    /// A machine of one's own costs its write-off and the electricity of its predicted power.
    @Test
    void ownMachinesCostWriteOffAndElectricity() {
        ParameterValues values = ParameterValues.NONE
                .with(Parameters.OWN, "rtx-4090:1")
                .with(Parameters.FORMATS, Parameters.FORMATS.parse("fp8"))
                .with(Parameters.PURCHASE_PRICE, 2190.0)
                .with(Parameters.YEARS, 2.0)
                .with(Parameters.KWH, 0.3)
                .with(Parameters.PUE, 1.5);

        ServingPlan own = Question.cost(model("llama-3.1-8b"), values).ask(PLANNER).plans().stream()
                .filter(plan -> plan.rental().find().orElseThrow().purchase() == InstanceOffer.Purchase.OWN)
                .findFirst()
                .orElseThrow();

        double watts = own.joulesPerToken().find().orElseThrow().p50()
                * own.tokensPerSecond().p50();
        assertThat(watts).isBetween(100.0, 450.0);
        assertThat(own.rental().find().orElseThrow().usdPerHour())
                .isCloseTo(2190 / (2 * 8760.0) + 0.3 * 1.5 * watts / 1000, within(1e-9));
    }

    private static List<Rental> rentals(Answer.Priced answer) {
        return answer.plans().stream()
                .map(ServingPlan::rental)
                .map(rental -> rental.find().orElseThrow())
                .toList();
    }

    private static ModelSummary model(String name) {
        return ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
    }

    private static ParameterValues values(Random random) {
        ParameterValues values = ParameterValues.NONE;
        switch (random.nextInt(3)) {
            case 0 ->
                values = values.with(Parameters.CONCURRENCY, List.of(1, 16).get(random.nextInt(2)));
            case 1 -> values = values.with(Parameters.USERS, List.of(4, 32, 100).get(random.nextInt(3)));
            default -> values = values.with(Parameters.RATE, List.of(0.5, 4.0).get(random.nextInt(2)));
        }
        if (values.hasAny(QuestionKind.arrivals())) {
            values = values.with(Parameters.REQUESTS, 200)
                    .with(Parameters.TTFT, Parameters.TTFT.parse(random.nextBoolean() ? "p99=2s" : "p90=1s"));
        }
        return values;
    }

    /// Draws a few offers of the price list.
    private static PriceCatalogue some(Random random) {
        List<InstanceOffer> all = new ArrayList<>(PriceCatalogue.builtIn().offers());
        StringBuilder text = new StringBuilder(
                "provider,instance,region,accelerator,count,memory_gb_each,interconnect,price_usd_hour_on_demand,source,date\n");
        for (int i = 0; i < 4; i++) {
            InstanceOffer offer = all.remove(random.nextInt(all.size()));
            text.append(String.join(
                            ",",
                            offer.provider().text(),
                            offer.instance(),
                            '"' + offer.region() + '"',
                            offer.accelerator(),
                            String.valueOf(offer.count()),
                            String.valueOf(offer.gigabytesEach()),
                            offer.interconnect(),
                            offer.onDemand().toString(),
                            "test",
                            offer.date().toString()))
                    .append('\n');
        }
        return PriceCatalogue.parse(text.toString(), DeviceCatalogue.builtIn());
    }

    private static boolean isFeasible(ModelSummary model, ParameterValues values, InstanceOffer offer, int machines) {
        Planner on = PLANNER.elsewhere(WhatIf.synthetic(offer.machine(), DeviceCatalogue.builtIn()))
                .withHosts(machines);
        return Question.plan(model, values).ask(on).isFeasible();
    }
}
