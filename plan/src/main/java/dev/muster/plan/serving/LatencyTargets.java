// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.core.text.FixedText;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.ServingSimulation.Spread;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What clients still call good (SLO): the most seconds of each kind that a request may take. What is not limited is
/// infinite.
///
/// @param timeToFirstToken seconds to the first token (TTFT)
/// @param timePerOutputToken seconds per token behind the first (TPOT)
/// @param latency seconds to the last token
/// @since 0.1
public record LatencyTargets(double timeToFirstToken, double timePerOutputToken, double latency) {
    /// Everything is good.
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

    /// Whether anything is limited.
    public boolean isAny() {
        return timeToFirstToken < Double.POSITIVE_INFINITY
                || timePerOutputToken < Double.POSITIVE_INFINITY
                || latency < Double.POSITIVE_INFINITY;
    }

    /// What a deployment has to keep under load (SLO): times that a mean or a quantile over all requests may
    /// take at most. Immutable.
    ///
    /// @param objectives all of them are to be kept; none where everything will do
    public record ServiceLevel(List<Objective> objectives) {
        /// Everything will do.
        public static final ServiceLevel NONE = new ServiceLevel(List.of());

        /// Copies the list.
        public ServiceLevel {
            objectives = List.copyOf(objectives);
        }

        /// Whether anything is asked.
        public boolean isAny() {
            return !objectives.isEmpty();
        }

        /// What a client calls good: a request within the times of all objectives. The shortest where there are
        /// several of one metric.
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

        /// The objectives that figures do not keep.
        public List<Objective> missed(Figures figures) {
            return objectives.stream()
                    .filter(one -> one.value(figures) > one.seconds)
                    .toList();
        }

        /// How far the worst objective is from being kept, as a share of what is allowed; 0 where all are.
        public double excess(Figures figures) {
            double excess = 0;
            for (Objective one : objectives) {
                excess = Math.max(excess, one.value(figures) / one.seconds - 1);
            }
            return excess;
        }

        /// All objectives, for people.
        public String display() {
            return String.join(", ", objectives.stream().map(Objective::display).toList());
        }

        /// What is timed.
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

            /// The name for people.
            public String display() {
                return display;
            }

            /// The name on the command line and in documents.
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

        /// What is made of the times of all requests.
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

            /// The name on the command line and in documents.
            public String label() {
                return name().toLowerCase(Locale.ROOT);
            }

            /// The share of the requests that are below; empty for the mean.
            public Optional<Double> findShare() {
                return this == MEAN ? Optional.empty() : Optional.of(share);
            }

            /// The statistic of that name.
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

        /// One time that has to be kept.
        ///
        /// @param metric what is timed
        /// @param statistic over all requests
        /// @param seconds the most that it may take
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

            /// What figures say of it, in seconds.
            public double value(Figures figures) {
                return statistic.of(metric.of(figures));
            }

            /// The objective for people, such as `TTFT p99 800 ms`.
            public String display() {
                return display(seconds);
            }

            /// The same with another time, rounded up, so that it is kept when it is asked for.
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
