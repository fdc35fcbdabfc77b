// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// Reports of inference-perf, of its own clock or of the server's metrics in Prometheus. All times are seconds.
final class InferencePerfForm extends JsonForm {
    private static final Map<String, Metric> METRICS = Map.of(
            "time_to_first_token", Metric.TTFT,
            "time_per_output_token", Metric.TPOT,
            "inter_token_latency", Metric.ITL,
            "request_latency", Metric.END_TO_END);
    private static final Map<String, Statistic> STATISTICS = Map.of(
            "mean", Statistic.MEAN,
            "median", Statistic.MEDIAN,
            "p50", Statistic.MEDIAN,
            "p90", Statistic.P90,
            "p95", Statistic.P95,
            "p99", Statistic.P99);
    /// Gaps this far below their mean are between tokens that came in one piece.
    private static final double ONE_PIECE = 0.2;

    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "successes", "failures");
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        double count = JsonFields.number(item, "successes", "count").orElse(0);
        double failed = JsonFields.number(item, "failures", "count").orElse(0);
        if (count <= 0 || failed > count) {
            throw ResultsException.of(
                    "the requests failed (" + Numbers.text(count) + " answered, " + Numbers.text(failed) + " failed)");
        }
        JsonValue successes = item.require("successes");
        JsonValue times = JsonFields.at(successes, "latency").orElse(successes);
        RunBuilder run = RunBuilder.of("inference-perf").say(Fact.REQUESTS, count);
        OptionalDouble rate = JsonFields.number(item, "load_summary", "requested_rate");
        OptionalDouble users = JsonFields.number(item, "load_summary", "concurrency");
        if (rate.isPresent() || users.isPresent()) {
            run.load(users, rate);
        } else if (JsonFields.number(item, "load_summary", "achieved_rate").isPresent()) {
            run.load(Load.RATE).say(Fact.RATE, JsonFields.number(item, "load_summary", "achieved_rate"));
        }
        run.say(Fact.INPUT_TOKENS, JsonFields.number(successes, "prompt_len", "mean"));
        run.say(Fact.OUTPUT_TOKENS, JsonFields.number(successes, "output_len", "mean"));
        METRICS.forEach((name, metric) -> STATISTICS.forEach((key, statistic) -> {
            if (!isOnePiece(times, name, key)) {
                run.figure(metric, statistic, JsonFields.number(times, name, key), 1);
            }
        }));
        run.mean(Metric.OUTPUT_RATE, JsonFields.number(successes, "throughput", "output_tokens_per_sec"));
        run.mean(Metric.OUTPUT_RATE, JsonFields.number(successes, "output_len", "rate"));
        run.mean(Metric.TOTAL_RATE, JsonFields.number(successes, "throughput", "total_tokens_per_sec"));
        run.mean(Metric.REQUEST_RATE, JsonFields.number(successes, "throughput", "requests_per_sec"));
        run.mean(Metric.REQUEST_RATE, JsonFields.number(successes, "rate"));
        Plausibility.check(run, OptionalDouble.empty(), OptionalDouble.of(count));
        return List.of(run.build());
    }

    private static boolean isOnePiece(JsonValue times, String name, String key) {
        double mean = JsonFields.number(times, name, "mean").orElse(0);
        double value = JsonFields.number(times, name, key).orElse(mean);
        return name.equals("inter_token_latency")
                && STATISTICS.get(key) == Statistic.MEDIAN
                && value < ONE_PIECE * mean;
    }
}
