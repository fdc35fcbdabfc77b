package dev.muster.plan.accuracy;

import dev.muster.plan.cost.Coefficient;
import dev.muster.plan.cost.Coefficients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// How far measured values lie from predictions of a class: eight of ten between a low and a high multiple.
///
/// @param low the multiple that one of ten measured values stays below
/// @param high the multiple that one of ten measured values goes beyond
/// @since 0.1
public record ErrorInterval(double low, double high) {
    private static final String PREFIX = "interval/";
    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;
    /// Of fewer rows nobody can say what one in ten does.
    private static final int FEWEST = 5;

    /// The interval of a class, as the coefficients tell it.
    public static ErrorInterval of(MeasuredClass measured, Coefficients coefficients) {
        return new ErrorInterval(
                coefficients.get(PREFIX + measured.label() + "/low"),
                coefficients.get(PREFIX + measured.label() + "/high"));
    }

    /// The interval of times where this is that of rates, and the other way round.
    public ErrorInterval inverse() {
        return new ErrorInterval(1 / high, 1 / low);
    }

    /// Twice as far on both sides, in logarithms.
    public ErrorInterval doubled() {
        return new ErrorInterval(low * low, high * high);
    }

    /// Whether a measured value lies within.
    boolean holds(double measured, double predicted) {
        return measured >= predicted * low && measured <= predicted * high;
    }

    /// The interval of some cases, from predictions that never saw the measured values; empty where there are few.
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
                : Optional.of(new ErrorInterval(Quantiles.of(ratios, LOW), Quantiles.of(ratios, HIGH)));
    }

    /// The intervals of all classes.
    ///
    /// @param predicted predictions that never saw the measured values
    public static List<Coefficient> fitAll(Map<MeasuredCase, Double> predicted) {
        List<Coefficient> intervals = new ArrayList<>();
        for (MeasuredClass measured : MeasuredClass.values()) {
            fit(predicted, one -> one.measuredClass() == measured).ifPresent(interval -> {
                intervals.add(fixed(PREFIX + measured.label() + "/low", interval.low()));
                intervals.add(fixed(PREFIX + measured.label() + "/high", interval.high()));
            });
        }
        return intervals;
    }

    private static Coefficient fixed(String name, double value) {
        return new Coefficient(name, value, value, 0);
    }
}
