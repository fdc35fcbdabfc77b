// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.plan.cost.Rental;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The Pareto front of plans: no other has at least as many tokens per second, as little time per token, as few
/// devices and as low a price, and is better in one of them.
final class ParetoFront {
    private static final Comparator<ServingPlan> BEST_FIRST = Comparator.comparingDouble(
                    (ServingPlan plan) -> -plan.tokensPerSecond().p50())
            .thenComparingDouble(plan -> plan.timePerOutputToken().p50())
            .thenComparingInt(ServingPlan::devices)
            .thenComparingDouble(ParetoFront::dollars);

    private ParetoFront() {}

    /// Returns the front of some plans, the fastest first. Plans that do not fit or break a limit are not on it.
    static List<ServingPlan> of(List<ServingPlan> plans) {
        List<ServingPlan> sorted =
                new ArrayList<>(plans.stream().filter(ServingPlan::isAccepted).toList());
        sorted.sort(BEST_FIRST);
        List<ServingPlan> front = new ArrayList<>();
        // In this order no plan is beaten by a later one.
        for (ServingPlan plan : sorted) {
            if (front.stream().noneMatch(other -> beats(other, plan))) {
                front.add(plan);
            }
        }
        return List.copyOf(front);
    }

    static boolean beats(ServingPlan one, ServingPlan other) {
        int speed = Double.compare(
                one.tokensPerSecond().p50(), other.tokensPerSecond().p50());
        int latency = Double.compare(
                other.timePerOutputToken().p50(), one.timePerOutputToken().p50());
        int devices = Integer.compare(other.devices(), one.devices());
        int price = Double.compare(dollars(other), dollars(one));
        boolean isNoWorse = speed >= 0 && latency >= 0 && devices >= 0 && price >= 0;
        return isNoWorse && (speed > 0 || latency > 0 || devices > 0 || price > 0);
    }

    /// Returns the price; an unknown one does not favour a plan.
    private static double dollars(ServingPlan plan) {
        return plan.rental().find().map(Rental::usdPerHour).orElse(Double.POSITIVE_INFINITY);
    }
}
