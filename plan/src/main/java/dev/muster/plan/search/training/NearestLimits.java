// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.core.text.FixedText;
import dev.muster.plan.training.TrainingBill;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Remedies if no plan keeps the limits: more devices, a later deadline, more money, or fewer tokens.
record NearestLimits(
        TrainingSearch search, TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
    private static final int MOST_DEVICES = 1 << 17;
    private static final double DAY = 86_400;
    private static final double HOUR = 3600;
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    List<String> sentences() {
        TrainingLimits limits = request.limits();
        List<String> sentences = new ArrayList<>();
        for (int count = 2 * cluster.devices(); count <= MOST_DEVICES; count *= 2) {
            if (best(request, cluster.withDevices(count)).isPresent()) {
                sentences.add(count + " devices of this kind instead of " + cluster.devices());
                break;
            }
        }
        if (limits.hasDeadline()) {
            best(request.withGoal(TrainingGoal.SPEED)
                            .withLimits(new TrainingLimits(limits.tokens(), INFINITE, limits.usd())))
                    .ifPresent(plan -> sentences.add(
                            "a deadline of " + time(bill(plan).seconds().p50())));
        }
        if (limits.hasBudget()) {
            best(request.withGoal(TrainingGoal.COST)
                            .withLimits(new TrainingLimits(limits.tokens(), limits.seconds(), INFINITE)))
                    .flatMap(plan -> bill(plan).usd().find())
                    .ifPresent(usd -> sentences.add("a budget of " + Math.round(Math.ceil(usd.p50())) + " USD"));
        }
        if (sentences.isEmpty() && limits.hasBudget() && limits.hasDeadline()) {
            both().ifPresent(sentences::add);
        }
        fewerTokens().ifPresent(sentences::add);
        return sentences;
    }

    private Optional<String> both() {
        return best(request.withGoal(TrainingGoal.COST)
                        .withLimits(request.limits().unlimited()))
                .flatMap(plan -> bill(plan)
                        .usd()
                        .find()
                        .map(usd -> "a deadline of " + time(bill(plan).seconds().p50()) + " and a budget of "
                                + Math.round(Math.ceil(usd.p50())) + " USD"));
    }

    private Optional<String> fewerTokens() {
        TrainingRequest unlimited = request.withLimits(request.limits().unlimited());
        double most = Stream.of(TrainingGoal.SPEED, TrainingGoal.COST)
                .flatMap(goal -> best(unlimited.withGoal(goal)).stream())
                .mapToDouble(this::reachable)
                .max()
                .orElse(0);
        return most >= 1 ? Optional.of(number(most) + " tokens") : Optional.empty();
    }

    /// Returns the tokens that a plan reaches within the limits.
    private double reachable(TrainingPlan plan) {
        TrainingLimits limits = request.limits();
        double speed = plan.tokensPerSecond().p50();
        double paid = plan.rental()
                .find()
                .map(rental -> limits.usd() / rental.usdPerHour() * HOUR * speed)
                .orElse(limits.hasBudget() ? 0 : INFINITE);
        return Math.min(limits.seconds() * speed, paid);
    }

    private TrainingBill bill(TrainingPlan plan) {
        return TrainingBill.of(plan, request.limits().tokens());
    }

    private Optional<TrainingPlan> best(TrainingRequest asked) {
        return best(asked, cluster);
    }

    private Optional<TrainingPlan> best(TrainingRequest asked, TrainingCluster devices) {
        return search.best(asked, devices, software);
    }

    private static String time(double seconds) {
        return seconds < DAY
                ? FixedText.of(Math.ceil(seconds / HOUR * 10) / 10, 1) + " hours"
                : FixedText.of(Math.ceil(seconds / DAY * 10) / 10, 1) + " days";
    }

    /// Returns a number, rounded down, so that it is kept.
    private static String number(double value) {
        double unit = value >= 1e12 ? 1e12 : value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : 1;
        String name = value >= 1e12 ? " T" : value >= 1e9 ? " B" : value >= 1e6 ? " M" : "";
        return FixedText.of(Math.floor(value / unit * 100) / 100, unit == 1 ? 0 : 2) + name;
    }
}
