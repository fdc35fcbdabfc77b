package dev.muster.plan.accuracy;

import dev.muster.plan.time.Coefficient;
import dev.muster.plan.time.Coefficients;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// How far measured values lie from predictions of a class: eight of ten between a low and a high multiple.
///
/// @param low the multiple that one of ten measured values stays below
/// @param high the multiple that one of ten measured values goes beyond
/// @since 0.1
public record ErrorInterval(double low, double high) {
    private static final String PREFIX = "interval/";
    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;

    /// The interval of a class, as the coefficients tell it.
    public static ErrorInterval of(MeasuredClass measured, Coefficients coefficients) {
        return new ErrorInterval(
                coefficients.factor(PREFIX + measured.label() + "/low"),
                coefficients.factor(PREFIX + measured.label() + "/high"));
    }

    /// Whether a measured value lies within.
    boolean holds(double measured, double predicted) {
        return measured >= predicted * low && measured <= predicted * high;
    }

    /// The intervals of all classes, from predictions that never saw the measured values.
    ///
    /// @param predicted predictions by row
    public static List<Coefficient> fit(List<MeasuredCase> cases, Map<String, Double> predicted) {
        Map<MeasuredClass, List<Double>> ratios = new EnumMap<>(MeasuredClass.class);
        for (MeasuredCase one : cases) {
            Double prediction = predicted.get(one.id());
            if (prediction != null) {
                ratios.computeIfAbsent(one.measuredClass(), _ -> new ArrayList<>())
                        .add(one.measured() / prediction);
            }
        }
        List<Coefficient> intervals = new ArrayList<>();
        ratios.forEach((measured, values) -> {
            values.sort(Comparator.naturalOrder());
            intervals.add(fixed(PREFIX + measured.label() + "/low", Quantiles.of(values, LOW)));
            intervals.add(fixed(PREFIX + measured.label() + "/high", Quantiles.of(values, HIGH)));
        });
        return intervals;
    }

    private static Coefficient fixed(String name, double value) {
        return new Coefficient(name, value, value, 0);
    }
}
