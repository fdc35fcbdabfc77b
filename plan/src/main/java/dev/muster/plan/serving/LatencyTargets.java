// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.text.FixedText;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Intervals;
import dev.muster.plan.serving.ServingSimulation.Spread;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Objectives of a single request (SLO): the most seconds of each kind that it may take. A time without a limit is
/// infinite.
///
/// @param timeToFirstToken seconds to the first token (TTFT)
/// @param timePerOutputToken seconds per token behind the first (TPOT)
/// @param latency seconds to the last token
/// @since 0.1
public record LatencyTargets(double timeToFirstToken, double timePerOutputToken, double latency) {
    /// No objectives.
    public static final LatencyTargets NONE =
            new LatencyTargets(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless all are above 0
    public LatencyTargets {
        if (!(timeToFirstToken > 0 && timePerOutputToken > 0 && latency > 0)) {
            throw new IllegalArgumentException("a target is above 0");
        }
    }

    /// Reports whether anything is limited.
    public boolean isAny() {
        return timeToFirstToken < Double.POSITIVE_INFINITY
                || timePerOutputToken < Double.POSITIVE_INFINITY
                || latency < Double.POSITIVE_INFINITY;
    }

    /// Objectives of a deployment under load (SLO): limits on a mean or a quantile over all requests. Immutable.
    ///
    /// @param objectives objectives that must all be kept; none for no limits
    /// @param confidence probability with which each is to be kept; [#AS_PREDICTED] for the prediction itself
    public record ServiceLevel(List<Objective> objectives, double confidence) {
        /// The confidence of a prediction without its interval.
        public static final double AS_PREDICTED = 0.5;

        /// No objectives.
        public static final ServiceLevel NONE = new ServiceLevel(List.of());

        /// Copies the list.
        ///
        /// @throws IllegalArgumentException unless the confidence is above 0 and below 1
        public ServiceLevel {
            objectives = List.copyOf(objectives);
            if (!(confidence > 0 && confidence < 1)) {
                throw new IllegalArgumentException("a confidence is above 0 and below 1");
            }
        }

        /// Creates objectives that predictions are to keep.
        public ServiceLevel(List<Objective> objectives) {
            this(objectives, AS_PREDICTED);
        }

        /// Returns the objectives that predictions have to keep, so that measured values keep these with the
        /// confidence.
        ///
        /// @param intervals intervals of measured values around the predictions
        public ServiceLevel within(Intervals intervals) {
            return confidence == AS_PREDICTED
                    ? this
                    : new ServiceLevel(objectives.stream()
                            .map(one -> new Objective(
                                    one.metric,
                                    one.statistic,
                                    one.seconds / intervals.of(one.metric).multiple(confidence)))
                            .toList());
        }

        /// Reports whether there is an objective.
        public boolean isAny() {
            return !objectives.isEmpty();
        }

        /// Returns the objectives of a single request: the times of all objectives. The shortest if there are several
        /// of one metric.
        public LatencyTargets targets() {
            return new LatencyTargets(least(Metric.TTFT), least(Metric.TPOT), least(Metric.LATENCY));
        }

        private double least(Metric metric) {
            double least = Double.POSITIVE_INFINITY;
            for (Objective one : objectives) {
                least = one.metric == metric ? Math.min(least, one.seconds) : least;
            }
            return least;
        }

        /// Returns the objectives that figures do not keep.
        public List<Objective> missed(Figures figures) {
            return objectives.stream()
                    .filter(one -> one.value(figures) > one.seconds)
                    .toList();
        }

        /// Returns the excess of the worst objective, as a share of its limit; 0 if all are kept.
        public double excess(Figures figures) {
            double excess = 0;
            for (Objective one : objectives) {
                excess = Math.max(excess, one.value(figures) / one.seconds - 1);
            }
            return excess;
        }

        /// Returns all objectives as text.
        public String display() {
            return String.join(", ", objectives.stream().map(Objective::display).toList());
        }

        /// A timed quantity.
        public enum Metric {
            /// Time to first token.
            TTFT("TTFT"),
            /// Time per output token.
            TPOT("TPOT"),
            /// End-to-end latency.
            LATENCY("latency");

            private final String display;

            Metric(String display) {
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
        public enum Statistic {
            /// The mean.
            MEAN(Double.NaN),
            /// The median.
            P50(0.5),
            /// Nine tenths are below.
            P90(0.9),
            /// All but a hundredth are below.
            P99(0.99);

            private final double share;

            Statistic(double share) {
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
            public static Optional<Statistic> find(String label) {
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
        /// @param seconds limit
        public record Objective(Metric metric, Statistic statistic, double seconds) {
            private static final double MILLI = 1e3;
            private static final int WHOLE_FROM = 100;

            /// Checks the number.
            ///
            /// @throws IllegalArgumentException unless it is above 0
            public Objective {
                if (!(seconds > 0 && seconds < Double.POSITIVE_INFINITY)) {
                    throw new IllegalArgumentException("an objective is above 0");
                }
            }

            /// Returns the probability that measured values keep it.
            ///
            /// @param intervals intervals of measured values around the figures
            public double probability(Figures figures, Intervals intervals) {
                double value = value(figures);
                return value == 0 ? 1 : intervals.of(metric).probability(seconds / value);
            }

            /// Returns the value of figures, in seconds.
            public double value(Figures figures) {
                return statistic.of(metric.of(figures));
            }

            /// Returns the objective as text, such as `TTFT p99 800 ms`.
            public String display() {
                return display(seconds);
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
}
