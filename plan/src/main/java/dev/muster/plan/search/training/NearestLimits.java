// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.answer.Remedy;
import dev.muster.plan.cost.Estimate;
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

    List<Remedy> remedies() {
        TrainingLimits limits = request.limits();
        List<Remedy> remedies = new ArrayList<>();
        for (int count = 2 * cluster.devices(); count <= MOST_DEVICES; count *= 2) {
            if (best(request, cluster.withDevices(count)).isPresent()) {
                remedies.add(new Remedy.MoreDevices(count, cluster.devices()));
                break;
            }
        }
        if (limits.hasDeadline()) {
            best(request.withGoal(TrainingGoal.SPEED)
                            .withLimits(new TrainingLimits(limits.tokens(), INFINITE, limits.usd())
                                    .withRisk(limits.risk())))
                    .ifPresent(plan -> remedies.add(deadline(plan)));
        }
        if (limits.hasBudget()) {
            best(request.withGoal(TrainingGoal.COST)
                            .withLimits(new TrainingLimits(limits.tokens(), limits.seconds(), INFINITE)
                                    .withRisk(limits.risk())))
                    .flatMap(plan -> bill(plan).usd().find())
                    .ifPresent(usd -> remedies.add(budget(usd)));
        }
        if (remedies.isEmpty() && limits.hasBudget() && limits.hasDeadline()) {
            both().ifPresent(remedies::add);
        }
        fewerTokens().ifPresent(remedies::add);
        return remedies;
    }

    private Optional<Remedy> both() {
        return best(request.withGoal(TrainingGoal.COST)
                        .withLimits(request.limits().unlimited()))
                .flatMap(plan ->
                        bill(plan).usd().find().map(usd -> new Remedy.Together(List.of(deadline(plan), budget(usd)))));
    }

    private Optional<Remedy> fewerTokens() {
        TrainingRequest unlimited = request.withLimits(request.limits().unlimited());
        double most = Stream.of(TrainingGoal.SPEED, TrainingGoal.COST)
                .flatMap(goal -> best(unlimited.withGoal(goal)).stream())
                .mapToDouble(this::reachable)
                .max()
                .orElse(0);
        return most >= 1
                ? Optional.of(new Remedy.Change(
                        "tokens", rounded(most), request.limits().tokens()))
                : Optional.empty();
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

    /// Returns the deadline that a plan keeps, rounded up to tenths of hours or days.
    private Remedy deadline(TrainingPlan plan) {
        double seconds = bill(plan).seconds().p50();
        double unit = (seconds < DAY ? HOUR : DAY) / 10;
        return new Remedy.Change(
                "deadlineSeconds",
                Math.ceil(seconds / unit) * unit,
                request.limits().seconds());
    }

    private Remedy budget(Estimate usd) {
        return new Remedy.Change(
                "budgetUsd", Math.ceil(usd.p50()), request.limits().usd());
    }

    /// Returns a number of tokens, rounded down to three or more digits, so that the limits are kept.
    private static double rounded(double value) {
        double unit = value >= 1e12 ? 1e10 : value >= 1e9 ? 1e7 : value >= 1e6 ? 1e4 : 1;
        return Math.floor(value / unit) * unit;
    }
}
