// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.search.training.TrainingSearch;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.TrainingBill;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrainingLimitsTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;
    private static final double TOKENS = 1e12;
    private static final DeviceCatalogue DEVICES = DeviceCatalogue.builtIn();
    private static final TrainingSearch SEARCH = TrainingSearch.of(
            CoefficientTable.builtIn(), RentalOffers.of(PriceCatalogue.builtIn(), DEVICES, Optional.empty()));

    private static PlanAnswer<TrainingPlan> plan(int count, TrainingGoal goal, TrainingLimits limits) {
        DeviceFigures device = DeviceFigures.of(DEVICES.find("h100-sxm").orElseThrow());
        TrainingRequest request = TrainingRequest.of(
                        ModelCatalogue.builtIn()
                                .find("llama-3.1-8b")
                                .orElseThrow()
                                .toSummary(),
                        TrainingMethod.parse("full"))
                .withGoal(goal)
                .withLimits(limits);
        TrainingCluster cluster =
                new TrainingCluster(DevicePool.of(device, "H100", count), 8, Fabric.of(device, 8, 50e9));
        return SEARCH.find(request, cluster, TrainingFramework.MEGATRON).find().orElseThrow();
    }

    private static TrainingBill bill(TrainingPlan plan) {
        return TrainingBill.of(plan, TOKENS);
    }

    @Test
    void billsTimeDevicesEnergyAndMoney() {
        TrainingPlan plan = plan(16, TrainingGoal.SPEED, new TrainingLimits(TOKENS, INFINITE, INFINITE))
                .findFirst()
                .orElseThrow();
        TrainingBill bill = bill(plan);
        double seconds = TOKENS / plan.tokensPerSecond().p50();
        double hours = seconds / 3600;
        assertThat(bill.seconds().p50()).isCloseTo(seconds, within(1e-3));
        assertThat(bill.deviceHours().p50()).isCloseTo(16 * hours, within(1e-3));
        double usdPerHour = plan.rental().find().orElseThrow().usdPerHour();
        assertThat(bill.usd().find().orElseThrow().p50()).isCloseTo(usdPerHour * hours, within(1e-3));
        // A device never draws more than its limit, nor less than a tenth of it.
        double most = 700 * 16 * seconds;
        assertThat(bill.joules().find().orElseThrow().p50()).isBetween(0.1 * most, most);
    }

    /// Fewer devices would do without a deadline.
    @Test
    void takesMoreDevicesForADeadline() {
        TrainingPlan fewest = plan(64, TrainingGoal.DEVICES, new TrainingLimits(TOKENS, INFINITE, INFINITE))
                .findFirst()
                .orElseThrow();
        double deadline = bill(fewest).seconds().p50() / 4;
        PlanAnswer<TrainingPlan> answer =
                plan(64, TrainingGoal.DEVICES, new TrainingLimits(TOKENS, deadline, INFINITE));
        TrainingPlan plan = PlanAnswers.best(answer);
        assertThat(plan.devices()).isGreaterThan(fewest.devices());
        assertThat(bill(plan).seconds().p50()).isLessThanOrEqualTo(deadline);
    }

    @Test
    void keepsABudget() {
        TrainingPlan fastest = plan(64, TrainingGoal.SPEED, new TrainingLimits(TOKENS, INFINITE, INFINITE))
                .findFirst()
                .orElseThrow();
        TrainingPlan cheapest = plan(64, TrainingGoal.COST, new TrainingLimits(TOKENS, INFINITE, INFINITE))
                .findFirst()
                .orElseThrow();
        double dear = bill(fastest).usd().find().orElseThrow().p50();
        double cheap = bill(cheapest).usd().find().orElseThrow().p50();
        double budget = (dear + cheap) / 2;
        PlanAnswer<TrainingPlan> answer = plan(64, TrainingGoal.SPEED, new TrainingLimits(TOKENS, INFINITE, budget));
        assertThat(bill(PlanAnswers.best(answer)).usd().find().orElseThrow().p50())
                .isLessThanOrEqualTo(budget);
    }

    @Test
    void saysWhatWouldKeepThem() {
        TrainingPlan fastest = plan(8, TrainingGoal.SPEED, new TrainingLimits(TOKENS, INFINITE, INFINITE))
                .findFirst()
                .orElseThrow();
        double deadline = bill(fastest).seconds().p50() / 3;
        PlanAnswer<TrainingPlan> answer = plan(8, TrainingGoal.SPEED, new TrainingLimits(TOKENS, deadline, INFINITE));
        PlanAnswer.Infeasible<TrainingPlan> limited = PlanAnswers.infeasible(answer);
        assertThat(limited.closest().memory().fits()).isTrue();
        assertThat(limited.remedies()).hasSize(3);
        assertThat(limited.remedies().get(0))
                .isInstanceOfSatisfying(
                        Remedy.MoreDevices.class,
                        more -> assertThat(more.instead()).isEqualTo(8));
        double seconds = changed(limited.remedies().get(1), "deadlineSeconds");
        PlanAnswers.best(plan(8, TrainingGoal.SPEED, new TrainingLimits(TOKENS, seconds, INFINITE)));
        double tokens = changed(limited.remedies().get(2), "tokens");
        assertThat(tokens).isEqualTo(333.33e9, within(1e3));
        PlanAnswers.best(plan(8, TrainingGoal.SPEED, new TrainingLimits(tokens, deadline, INFINITE)));
    }

    @Test
    void saysBothWhereNeitherAloneWouldDo() {
        PlanAnswer.Infeasible<TrainingPlan> limited =
                PlanAnswers.infeasible(plan(8, TrainingGoal.SPEED, new TrainingLimits(TOKENS, 60, 1)));
        assertThat(limited.closest().memory().fits()).isTrue();
        assertThat(limited.remedies().getFirst()).isInstanceOfSatisfying(Remedy.Together.class, both -> {
            double seconds = changed(both.all().getFirst(), "deadlineSeconds");
            double usd = changed(both.all().getLast(), "budgetUsd");
            PlanAnswers.best(plan(8, TrainingGoal.COST, new TrainingLimits(TOKENS, seconds, usd)));
        });
    }

    private static double changed(Remedy remedy, String key) {
        Remedy.Change change = (Remedy.Change) remedy;
        assertThat(change.key()).isEqualTo(key);
        return (double) change.value();
    }

    @Test
    void refusesLimitsOfNothing() {
        assertThatThrownBy(() -> new TrainingLimits(0, 60, INFINITE)).hasMessage("limits hold for some tokens");
        assertThatThrownBy(() -> new TrainingLimits(1, 0, INFINITE)).hasMessage("a limit is above 0");
    }
}
