// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.text.FixedText;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Intervals;
import dev.muster.plan.serving.ServingSimulation.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// A service level objective: limits of latencies that a plan, a deployment or a single request keeps. Of a deployment
/// under load a mean or a quantile over all requests counts, of a plan without a load its predicted mean, and a single
/// request keeps it if it exceeds no limit of any objective. Immutable.
///
/// Limits are durations; the planner computes in seconds ([Objective#seconds()]), and nowhere else has the conversion.
///
/// @param objectives objectives that must all be kept; none for no limits
/// @param confidence probability with which each is to be kept; [#AS_PREDICTED] for the prediction itself
/// @since 0.3
public record Slo(List<Objective> objectives, double confidence) {
    /// The confidence of a prediction without its interval.
    public static final double AS_PREDICTED = 0.5;

    /// No objectives.
    public static final Slo NONE = new Slo(List.of());

    private static final double NANOS = 1e9;

    /// Copies the list.
    ///
    /// @throws IllegalArgumentException unless the confidence is above 0 and below 1
    public Slo {
        objectives = List.copyOf(objectives);
        if (!(confidence > 0 && confidence < 1)) {
            throw new IllegalArgumentException("a confidence is above 0 and below 1");
        }
    }

    /// Creates objectives that predictions are to keep.
    public Slo(List<Objective> objectives) {
        this(objectives, AS_PREDICTED);
    }

    /// Returns the objectives that predictions have to keep, so that measured values keep these with the
    /// confidence.
    ///
    /// @param intervals intervals of measured values around the predictions
    public Slo within(Intervals intervals) {
        return confidence == AS_PREDICTED
                ? this
                : new Slo(objectives.stream()
                        .map(one -> Objective.of(
                                one.metric,
                                one.statistic,
                                one.seconds() / intervals.of(one.metric).multiple(confidence)))
                        .toList());
    }

    /// Returns a copy with one more objective.
    public Slo with(LatencyMetric metric, LatencyStatistic statistic, Duration limit) {
        List<Objective> more = new ArrayList<>(objectives);
        more.add(new Objective(metric, statistic, limit));
        return new Slo(more, confidence);
    }

    /// Reports whether there is an objective.
    public boolean isAny() {
        return !objectives.isEmpty();
    }

    /// Returns the shortest limit of a metric in seconds; empty where there is none.
    public OptionalDouble findSeconds(LatencyMetric metric) {
        return objectives.stream()
                .filter(one -> one.metric == metric)
                .mapToDouble(Objective::seconds)
                .min();
    }

    /// Returns the objectives that figures do not keep.
    public List<Objective> missed(Figures figures) {
        return objectives.stream()
                .filter(one -> one.value(figures) > one.seconds())
                .toList();
    }

    /// Returns the excess of the worst objective, as a share of its limit; 0 if all are kept.
    public double excess(Figures figures) {
        double excess = 0;
        for (Objective one : objectives) {
            excess = Math.max(excess, one.value(figures) / one.seconds() - 1);
        }
        return excess;
    }

    /// Returns all objectives as text.
    public String display() {
        return String.join(", ", objectives.stream().map(Objective::display).toList());
    }

    /// A timed quantity.
    public enum LatencyMetric {
        /// Time to first token.
        TTFT("TTFT"),
        /// Time per output token.
        TPOT("TPOT"),
        /// End-to-end latency.
        LATENCY("latency");

        private final String display;

        LatencyMetric(String display) {
            this.display = display;
        }

        /// Returns the display name.
        public String display() {
            return display;
        }

        /// Returns the name on the command line and in documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Spread of(Figures figures) {
            return switch (this) {
                case TTFT -> figures.timeToFirstToken();
                case TPOT -> figures.timePerOutputToken();
                case LATENCY -> figures.latency();
            };
        }
    }

    /// A statistic over the times of all requests.
    public enum LatencyStatistic {
        /// The mean.
        MEAN(Double.NaN),
        /// The median.
        P50(0.5),
        /// Nine tenths are below.
        P90(0.9),
        /// All but a hundredth are below.
        P99(0.99);

        private final double share;

        LatencyStatistic(double share) {
            this.share = share;
        }

        /// Returns the name on the command line and in documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// Returns the share of the requests that are below; empty for the mean.
        public Optional<Double> findShare() {
            return this == MEAN ? Optional.empty() : Optional.of(share);
        }

        /// Returns the statistic with a name.
        public static Optional<LatencyStatistic> find(String label) {
            return Arrays.stream(values())
                    .filter(one -> one.label().equals(label))
                    .findFirst();
        }

        private double of(Spread spread) {
            return switch (this) {
                case MEAN -> spread.mean();
                case P50 -> spread.p50();
                case P90 -> spread.p90();
                case P99 -> spread.p99();
            };
        }
    }

    /// One objective.
    ///
    /// @param metric the timed quantity
    /// @param statistic the statistic over all requests
    /// @param limit the most time
    public record Objective(LatencyMetric metric, LatencyStatistic statistic, Duration limit) {
        private static final double MILLI = 1e3;
        private static final int WHOLE_FROM = 100;

        /// Checks the number.
        ///
        /// @throws IllegalArgumentException unless it is above 0
        public Objective {
            if (!limit.isPositive()) {
                throw new IllegalArgumentException("an objective is above 0");
            }
        }

        /// Creates an objective of a time in seconds.
        public static Objective of(LatencyMetric metric, LatencyStatistic statistic, double seconds) {
            return new Objective(metric, statistic, Duration.ofNanos(Math.max(1, Math.round(seconds * NANOS))));
        }

        /// Returns the limit in seconds.
        public double seconds() {
            return limit.toNanos() / NANOS;
        }

        /// Returns the probability that measured values keep it.
        ///
        /// @param intervals intervals of measured values around the figures
        public double probability(Figures figures, Intervals intervals) {
            double value = value(figures);
            return value == 0 ? 1 : intervals.of(metric).probability(seconds() / value);
        }

        /// Returns the value of figures, in seconds.
        public double value(Figures figures) {
            return statistic.of(metric.of(figures));
        }

        /// Returns the objective as text, such as `TTFT p99 800 ms`.
        public String display() {
            return display(seconds());
        }

        /// Returns the objective with another time, rounded up, so that it can be kept.
        public String display(double other) {
            double millis = other * MILLI;
            int digits = millis < WHOLE_FROM ? 1 : 0;
            double unit = Math.pow(10, digits);
            return metric.display + " " + statistic.label() + " "
                    + FixedText.of(Math.ceil(millis * unit) / unit, digits) + " ms";
        }
    }
}
