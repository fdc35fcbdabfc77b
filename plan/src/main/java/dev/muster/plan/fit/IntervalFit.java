package dev.muster.plan.fit;

import dev.muster.plan.accuracy.ErrorInterval;
import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Fits how far measured values lie from predictions that never saw them.
public final class IntervalFit {
    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;
    /// Fewer rows say nothing about one in ten.
    private static final int FEWEST = 5;

    private IntervalFit() {}

    /// The interval of some cases; empty where there are few.
    static Optional<ErrorInterval> fit(Map<MeasuredCase, Double> predicted, Predicate<MeasuredCase> wanted) {
        List<Double> ratios = new ArrayList<>();
        predicted.forEach((one, value) -> {
            if (wanted.test(one)) {
                ratios.add(one.measured() / value);
            }
        });
        ratios.sort(Comparator.naturalOrder());
        return ratios.size() < FEWEST
                ? Optional.empty()
                : Optional.of(new ErrorInterval(quantile(ratios, LOW), quantile(ratios, HIGH)));
    }

    /// The intervals of all classes.
    ///
    /// @param predicted predictions that never saw the measured values
    public static List<Coefficient> fitAll(Map<MeasuredCase, Double> predicted) {
        List<Coefficient> intervals = new ArrayList<>();
        for (MeasuredClass measured : MeasuredClass.values()) {
            fit(predicted, one -> one.measuredClass() == measured).ifPresent(interval -> {
                intervals.add(fixed(Coefficients.INTERVAL + measured.label() + "/low", interval.low()));
                intervals.add(fixed(Coefficients.INTERVAL + measured.label() + "/high", interval.high()));
            });
        }
        return intervals;
    }

    private static Coefficient fixed(String name, double value) {
        return new Coefficient(name, value, value, 0);
    }

    /// A quantile of sorted values, between two neighbours where need be.
    static double quantile(List<Double> sorted, double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(sorted.size() - 1, below + 1);
        double rest = place - below;
        return sorted.get(below) * (1 - rest) + sorted.get(above) * rest;
    }
}
