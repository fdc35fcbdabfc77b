// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The metrics of AIPerf and GenAI-Perf, under their names in JSON, CSV and on the terminal.
public final class PerfMetrics {
    private static final Pattern UNIT = Pattern.compile("(.*?)\\s*\\(([^()]*)\\)\\s*");
    private static final Pattern SEPARATORS = Pattern.compile("[\\s_]+");

    private static final Map<String, Metric> METRICS = Map.of(
            "time to first token", Metric.TTFT,
            "inter token latency", Metric.TPOT,
            "inter chunk latency", Metric.ITL,
            "request latency", Metric.END_TO_END,
            "output token throughput", Metric.OUTPUT_RATE,
            "total token throughput", Metric.TOTAL_RATE,
            "request throughput", Metric.REQUEST_RATE);

    private static final Map<String, Fact> FACTS = Map.of(
            "input sequence length", Fact.INPUT_TOKENS,
            "isl", Fact.INPUT_TOKENS,
            "output sequence length", Fact.OUTPUT_TOKENS,
            "request count", Fact.REQUESTS,
            "concurrency", Fact.CONCURRENCY);

    private static final Map<String, Statistic> STATISTICS = Map.of(
            "avg", Statistic.MEAN,
            "value", Statistic.MEAN,
            "p50", Statistic.MEDIAN,
            "p90", Statistic.P90,
            "p95", Statistic.P95,
            "p99", Statistic.P99);

    private PerfMetrics() {}

    /// A name such as `Time to First Token (ms)`, separated from its unit.
    ///
    /// @param text in lower case, with single blanks
    /// @param unit unit as written; blank if there is none
    public record Name(String text, String unit) {
        public static Name of(String written) {
            Matcher matcher = UNIT.matcher(written);
            String text = matcher.matches() ? matcher.group(1) : written;
            String unit = matcher.matches() ? matcher.group(2) : "";
            return new Name(
                    SEPARATORS.matcher(text.strip()).replaceAll(" ").toLowerCase(Locale.ROOT),
                    unit.strip().toLowerCase(Locale.ROOT));
        }
    }

    public static Optional<Statistic> statistic(String name) {
        return Optional.ofNullable(STATISTICS.get(name.strip().toLowerCase(Locale.ROOT)));
    }

    public static void add(RunBuilder run, Name name, Statistic statistic, OptionalDouble value) {
        Metric metric = METRICS.get(name.text());
        Fact fact = FACTS.get(name.text());
        if (metric != null) {
            run.figure(metric, statistic, value, metric.isTime() ? seconds(name.unit()) : 1);
        } else if (fact != null && statistic == Statistic.MEAN) {
            run.say(fact, value);
        }
    }

    private static double seconds(String unit) {
        return switch (unit) {
            case "s", "sec", "seconds" -> 1;
            case "us", "microseconds" -> 1e-6;
            case "ns", "nanoseconds" -> 1e-9;
            default -> 1e-3;
        };
    }
}
