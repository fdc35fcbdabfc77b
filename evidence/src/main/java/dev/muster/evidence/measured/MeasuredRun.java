// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// One run of a benchmark or of a training, from the file of a tool. Facts that the file does not state are left out.
/// Immutable.
///
/// @param tool the program that wrote the file
/// @param origin origin of the figures
/// @param facts setup and load, by fact
/// @param figures the results; none if a file only describes the setup
/// @since 0.1
public record MeasuredRun(String tool, Origin origin, Map<Fact, String> facts, List<Figure> figures) {
    public MeasuredRun {
        EnumMap<Fact, String> copy = new EnumMap<>(Fact.class);
        copy.putAll(facts);
        facts = Collections.unmodifiableMap(copy);
        figures = List.copyOf(figures);
    }

    /// Returns a fact, if the file states it.
    public Optional<String> find(Fact fact) {
        return Optional.ofNullable(facts.get(fact));
    }

    /// Returns a fact that is a number, if the file states it.
    public OptionalDouble findNumber(Fact fact) {
        String text = facts.get(fact);
        try {
            return text == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException _) {
            return OptionalDouble.empty();
        }
    }

    /// Returns the load, if the file states it.
    public Optional<Load> load() {
        return find(Fact.LOAD).flatMap(Load::find);
    }

    /// Returns a figure, if it was measured.
    public OptionalDouble find(Metric metric, Statistic statistic) {
        for (Figure figure : figures) {
            if (figure.metric() == metric && figure.statistic() == statistic) {
                return OptionalDouble.of(figure.value());
            }
        }
        return OptionalDouble.empty();
    }

    /// Returns the figure of a metric that best describes the usual case: the median, then the mean.
    public Optional<Figure> findUsual(Metric metric) {
        Figure best = null;
        for (Figure figure : figures) {
            boolean usual = figure.statistic() == Statistic.MEDIAN || figure.statistic() == Statistic.MEAN;
            if (figure.metric() == metric && usual && (best == null || figure.statistic() == Statistic.MEDIAN)) {
                best = figure;
            }
        }
        return Optional.ofNullable(best);
    }

    /// Returns a copy with facts that the file does not state; those of the file stay.
    public MeasuredRun withUnsaid(Map<Fact, String> others) {
        EnumMap<Fact, String> all = new EnumMap<>(Fact.class);
        all.putAll(others);
        all.putAll(facts);
        return new MeasuredRun(tool, origin, all, figures);
    }

    /// Returns a copy with facts that override those of the file.
    public MeasuredRun with(Map<Fact, String> others) {
        EnumMap<Fact, String> all = new EnumMap<>(Fact.class);
        all.putAll(facts);
        all.putAll(others);
        return new MeasuredRun(tool, origin, all, figures);
    }

    /// Reports whether it is a run of a training.
    public boolean isTraining() {
        return figures.stream().anyMatch(figure -> figure.metric().isTraining());
    }

    /// The origin of figures.
    ///
    /// @since 0.1
    public enum Origin {
        /// Measured on devices.
        MEASURED,
        /// Computed by a simulator.
        SIMULATED,
        /// Measured on a mock server without a model.
        MOCK
    }

    /// A kind of fact about a run.
    ///
    /// @since 0.1
    public enum Fact {
        /// The serving engine or training framework.
        ENGINE,
        /// Its release.
        RELEASE,
        /// The model, by the file's name for it.
        MODEL,
        /// The device, by the file's name for it.
        DEVICE,
        /// Number of devices.
        DEVICES,
        /// Tensor parallel degree.
        TP,
        /// Pipeline parallel degree.
        PP,
        /// Expert parallel degree.
        EP,
        /// Context parallel degree.
        CP,
        /// Replicas of the model, each on devices of its own.
        REPLICAS,
        /// The weight format.
        WEIGHT_FORMAT,
        /// The format of the KV cache.
        KV_FORMAT,
        /// The pattern of requests: a word of [Load].
        LOAD,
        /// Largest number of requests in flight, or the sequences of a batch.
        CONCURRENCY,
        /// Requests per second that were sent.
        RATE,
        /// Requests that were answered.
        REQUESTS,
        /// Tokens of a prompt, the mean.
        INPUT_TOKENS,
        /// Tokens of an answer, the mean.
        OUTPUT_TOKENS,
        /// Tokens in the KV cache before the measured part.
        DEPTH,
        /// The way prefill and decode were disaggregated, if they were.
        DISAGGREGATED,
        /// Layers of a model that has no name.
        LAYERS,
        /// Hidden size of a model that has no name.
        HIDDEN,
        /// Tokens of a training sequence.
        SEQUENCE_LENGTH,
        /// Sequences of a training step over all devices.
        GLOBAL_BATCH,
        /// Sequences of a micro-batch on one device.
        MICRO_BATCH,
        /// The format that a training computes in.
        PRECISION,
        /// Requests in decode or prefill, the mean.
        RUNNING,
        /// Requests that wait for a place, the mean.
        WAITING,
        /// Percent of the KV cache that is held, the mean.
        KV_USE,
        /// Requests that lost their place in the KV cache.
        PREEMPTIONS,
        /// Percent of prompt tokens that were cached.
        PREFIX_HITS,
        /// The word `off` if prefixes of prompts are not cached.
        PREFIX_CACHE,
        /// The word `off` if the engine launches each kernel by itself.
        GRAPHS,
        /// The most requests that the engine processes at the same time.
        SLOTS,
        /// Date of the run, as the file writes it.
        DATE;

        /// Returns the name in documents, such as `weight-format`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /// Returns the fact with a name in documents.
        public static Optional<Fact> find(String text) {
            for (Fact fact : values()) {
                if (fact.text().equals(text)) {
                    return Optional.of(fact);
                }
            }
            return Optional.empty();
        }
    }

    /// The pattern of requests.
    ///
    /// @since 0.1
    public enum Load {
        /// A fixed number of requests in flight: the next is sent when one is answered.
        CLOSED_LOOP,
        /// A fixed rate of requests, independent of those in flight.
        RATE,
        /// All requests at once.
        BURST,
        /// One batch of a fixed size that starts and ends together.
        STATIC_BATCH;

        /// Returns the name in documents, such as `closed-loop`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /// Returns the load with a name in documents.
        public static Optional<Load> find(String text) {
            for (Load load : values()) {
                if (load.text().equals(text)) {
                    return Optional.of(load);
                }
            }
            return Optional.empty();
        }
    }

    /// A measured quantity; each has one unit.
    ///
    /// @since 0.1
    public enum Metric {
        /// Time to first token, in seconds.
        TTFT("TTFT", "s"),
        /// Time per output token after the first, a mean over each request, in seconds.
        TPOT("TPOT", "s"),
        /// The gap between two pieces of an answer, in seconds.
        ITL("ITL", "s"),
        /// From request to last token, in seconds.
        END_TO_END("end to end", "s"),
        /// Output tokens per second over all requests and devices.
        OUTPUT_RATE("output", "tok/s"),
        /// Input and output tokens per second together.
        TOTAL_RATE("input and output", "tok/s"),
        /// Requests per second.
        REQUEST_RATE("requests", "req/s"),
        /// Prompt tokens per second while nothing else runs.
        PREFILL_RATE("prefill", "tok/s"),
        /// Output tokens per second while nothing else runs.
        DECODE_RATE("decode", "tok/s"),
        /// One training step, in seconds.
        STEP_TIME("step", "s"),
        /// Tokens per second of a training over all devices.
        TRAINING_RATE("training", "tok/s"),
        /// Tokens per second of a training on each device.
        TRAINING_DEVICE_RATE("training per device", "tok/s"),
        /// Sequences per second of a training over all devices.
        SAMPLE_RATE("samples", "/s"),
        /// Operations per second that a training reaches on each device.
        DEVICE_OPERATIONS("operations per device", "FLOP/s");

        private final String display;
        private final String unit;

        Metric(String display, String unit) {
            this.display = display;
            this.unit = unit;
        }

        /// Returns the name in documents, such as `output-rate`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /// Returns the metric with a name in documents.
        public static Optional<Metric> find(String text) {
            for (Metric metric : values()) {
                if (metric.text().equals(text)) {
                    return Optional.of(metric);
                }
            }
            return Optional.empty();
        }

        /// Returns the name in tables.
        public String display() {
            return display;
        }

        /// Returns the unit in tables.
        public String unit() {
            return unit;
        }

        /// Reports whether it is a metric of training.
        public boolean isTraining() {
            return switch (this) {
                case TTFT, TPOT, ITL, END_TO_END, OUTPUT_RATE, TOTAL_RATE, REQUEST_RATE, PREFILL_RATE, DECODE_RATE ->
                    false;
                case STEP_TIME, TRAINING_RATE, TRAINING_DEVICE_RATE, SAMPLE_RATE, DEVICE_OPERATIONS -> true;
            };
        }

        /// Reports whether smaller values are better.
        public boolean isTime() {
            return unit.equals("s");
        }
    }

    /// A statistic over many values.
    ///
    /// @since 0.1
    public enum Statistic {
        /// The mean, or the only value.
        MEAN,
        /// Half are below.
        MEDIAN,
        /// Nine of ten are below.
        P90,
        /// Ninety-five of a hundred are below.
        P95,
        /// Ninety-nine of a hundred are below.
        P99;

        /// Returns the name in documents, such as `p99`.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// Returns the statistic with a name in documents.
        public static Optional<Statistic> find(String text) {
            for (Statistic statistic : values()) {
                if (statistic.text().equals(text)) {
                    return Optional.of(statistic);
                }
            }
            return Optional.empty();
        }
    }

    /// One measured value.
    ///
    /// @param metric the metric
    /// @param statistic the statistic
    /// @param value the value, in the metric's unit; finite, above 0
    /// @since 0.1
    public record Figure(Metric metric, Statistic statistic, double value) {
        public Figure {
            if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("a figure is a number above 0: " + value);
            }
        }
    }
}
