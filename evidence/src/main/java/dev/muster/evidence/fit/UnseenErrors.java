// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.fit;

import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The errors of predictions that never saw the group of their row, and the intervals that follow: quantiles of those
/// errors, in which a group counts with the square root of its rows. Confined to one thread.
final class UnseenErrors {
    /// The share of values within an interval.
    private static final double WITHIN = 0.8;
    /// The widening of intervals for few groups: half of what conformal prediction requires with single rows.
    private static final double FEW_GROUPS = 0.5;
    /// The least number of rows for an interval: fewer say nothing about one in ten.
    private static final int FEWEST_ROWS = 5;
    /// The least number of groups for an interval of an engine.
    private static final int FEWEST_GROUPS = 5;

    private final Map<MeasuredClass, List<Ratio>> byClass;
    private final Map<Key, Optional<ErrorInterval>> known = new HashMap<>();

    private UnseenErrors(Map<MeasuredClass, List<Ratio>> byClass) {
        this.byClass = byClass;
    }

    /// Measured over predicted.
    private record Ratio(String group, String engine, double value) {}

    /// Errors of a class and engine, without a group. Blank names stand for all and none.
    private record Key(MeasuredClass measuredClass, String engine, String group) {}

    /// @param predicted predictions that never saw the measured values
    static UnseenErrors of(Map<MeasuredCase, Double> predicted) {
        Map<MeasuredClass, List<Ratio>> byClass = new HashMap<>();
        predicted.forEach((one, value) -> byClass.computeIfAbsent(one.measuredClass(), _ -> new ArrayList<>())
                .add(new Ratio(one.group(), one.engine(), one.measured() / value)));
        byClass.values().forEach(ratios -> ratios.sort(Comparator.comparingDouble(Ratio::value)));
        return new UnseenErrors(byClass);
    }

    SortedSet<String> engines(MeasuredClass measured) {
        SortedSet<String> engines = new TreeSet<>();
        byClass.getOrDefault(measured, List.of()).forEach(ratio -> engines.add(ratio.engine));
        engines.remove("");
        return engines;
    }

    /// Returns the interval that a prediction of a row gets from the errors of all other groups.
    ///
    /// @param coefficients source of the interval if there are too few others
    ErrorInterval interval(MeasuredCase one, Coefficients coefficients) {
        return interval(one.measuredClass(), one.engine(), one.group())
                .or(() -> interval(one.measuredClass(), "", one.group()))
                .orElseGet(() -> coefficients.interval(one.measuredClass()));
    }

    /// Returns the interval of a class; empty if there are too few rows.
    ///
    /// @param engine that of one engine; blank for all
    /// @param without a group whose errors do not count; blank for none
    Optional<ErrorInterval> interval(MeasuredClass measured, String engine, String without) {
        return known.computeIfAbsent(new Key(measured, engine, without), this::compute);
    }

    private Optional<ErrorInterval> compute(Key key) {
        List<Ratio> ratios = byClass.getOrDefault(key.measuredClass, List.of()).stream()
                .filter(ratio -> key.engine.isEmpty() || ratio.engine.equals(key.engine))
                .toList();
        List<Ratio> counted =
                ratios.stream().filter(ratio -> !ratio.group.equals(key.group)).toList();
        Set<String> groups = new HashSet<>();
        ratios.forEach(ratio -> groups.add(ratio.group));
        boolean isEnough = key.engine.isEmpty() || groups.size() >= FEWEST_GROUPS;
        return isEnough && counted.size() >= FEWEST_ROWS ? Optional.of(interval(counted)) : Optional.empty();
    }

    /// Returns the interval, wider for few groups: the next one lies outside more often than their errors suggest.
    private static ErrorInterval interval(List<Ratio> ratios) {
        Map<String, Integer> sizes = new HashMap<>();
        ratios.forEach(ratio -> sizes.merge(ratio.group, 1, Integer::sum));
        double within = Math.min(1, WITHIN * (1 + FEW_GROUPS / sizes.size()));
        double[] weights = ratios.stream()
                .mapToDouble(ratio -> 1 / Math.sqrt(sizes.getOrDefault(ratio.group, 1)))
                .toArray();
        return new ErrorInterval(
                quantile(ratios, weights, (1 - within) / 2), quantile(ratios, weights, (1 + within) / 2));
    }

    /// Returns a quantile of sorted ratios: each stands for the middle of its weight.
    private static double quantile(List<Ratio> sorted, double[] weights, double share) {
        double all = 0;
        for (double weight : weights) {
            all += weight;
        }
        double wanted = share * all;
        double middle = weights[0] / 2;
        for (int i = 1; i < weights.length; i++) {
            double next = middle + (weights[i - 1] + weights[i]) / 2;
            if (next >= wanted) {
                double rest = Math.clamp((wanted - middle) / (next - middle), 0.0, 1.0);
                return sorted.get(i - 1).value * (1 - rest) + sorted.get(i).value * rest;
            }
            middle = next;
        }
        return sorted.getLast().value;
    }
}
