// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Origin;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// Reports of guidellm: a list of benchmarks, one for each strategy or rate.
final class GuideLlmForm extends JsonForm {
    private static final double MILLI = 1e-3;

    @Override
    public boolean recognises(JsonValue item) {
        List<JsonValue> benchmarks = JsonFields.items(item, "benchmarks");
        return !benchmarks.isEmpty()
                && JsonFields.at(benchmarks.getFirst(), "metrics").isPresent();
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        List<MeasuredRun> runs = new ArrayList<>();
        for (JsonValue benchmark : JsonFields.items(item, "benchmarks")) {
            double answered = count(benchmark, "successful");
            if (answered > 0 && answered >= count(benchmark, "errored")) {
                runs.add(read(item, benchmark, answered));
            }
        }
        if (runs.isEmpty()) {
            throw ResultsException.of("the requests of all its benchmarks failed");
        }
        return runs;
    }

    private static double count(JsonValue benchmark, String what) {
        return JsonFields.number(benchmark, "metrics", "request_totals", what)
                .orElse(JsonFields.number(benchmark, "request_totals", what)
                        .orElse(JsonFields.number(benchmark, "run_stats", "requests_made", what)
                                .orElse(0)));
    }

    private static MeasuredRun read(JsonValue item, JsonValue benchmark, double answered) {
        RunBuilder run = RunBuilder.of("guidellm").say(Fact.REQUESTS, answered);
        Optional<String> model = JsonFields.text(benchmark, "config", "backend", "model")
                .or(() -> JsonFields.text(item, "config", "spec", "backend", "model"))
                .or(() -> JsonFields.text(benchmark, "benchmarker", "backend", "model"))
                .or(() -> JsonFields.text(benchmark, "worker", "backend_model"))
                .or(() -> JsonFields.text(item, "args", "model"));
        run.say(Fact.MODEL, model);
        if (model.orElse("").toLowerCase(Locale.ROOT).contains("mock")) {
            run.origin(Origin.MOCK);
        }
        addLoad(run, benchmark);
        run.say(Fact.INPUT_TOKENS, value(benchmark, "prompt_token_count", "mean"));
        run.say(Fact.OUTPUT_TOKENS, value(benchmark, "output_token_count", "mean"));
        addTimes(run, benchmark, "time_to_first_token_ms", Metric.TTFT, MILLI);
        // Its time per output token includes the first token; the gaps after it are the usual TPOT.
        addTimes(run, benchmark, "inter_token_latency_ms", Metric.TPOT, MILLI);
        addTimes(run, benchmark, "request_latency", Metric.END_TO_END, 1);
        run.mean(Metric.OUTPUT_RATE, value(benchmark, "output_tokens_per_second", "mean"));
        run.mean(Metric.TOTAL_RATE, value(benchmark, "tokens_per_second", "mean"));
        run.mean(Metric.REQUEST_RATE, value(benchmark, "requests_per_second", "mean"));
        if (!run.hasFigures()) {
            throw ResultsException.of("a benchmark has no figure: its requests failed");
        }
        return run.build();
    }

    private static void addLoad(RunBuilder run, JsonValue benchmark) {
        JsonValue strategy = JsonFields.at(benchmark, "config", "strategy")
                .or(() -> JsonFields.at(benchmark, "scheduler", "strategy"))
                .or(() -> JsonFields.at(benchmark, "args", "strategy"))
                .orElse(benchmark);
        String type = JsonFields.firstText(strategy, "type_", "kind").orElse("");
        OptionalDouble streams = JsonFields.firstNumber(strategy, "streams", "max_concurrency");
        switch (type) {
            case "synchronous" -> run.load(Load.CLOSED_LOOP).say(Fact.CONCURRENCY, 1);
            case "concurrent" -> run.load(Load.CLOSED_LOOP).say(Fact.CONCURRENCY, streams);
            case "throughput" -> run.load(Load.BURST);
            case "constant", "poisson" ->
                run.load(Load.RATE).say(Fact.RATE, JsonFields.firstNumber(strategy, "rate", "initial_rate"));
            default -> run.say(Fact.CONCURRENCY, value(benchmark, "request_concurrency", "mean"));
        }
    }

    private static void addTimes(RunBuilder run, JsonValue benchmark, String name, Metric metric, double scale) {
        run.figure(metric, Statistic.MEAN, value(benchmark, name, "mean"), scale);
        run.figure(metric, Statistic.MEDIAN, value(benchmark, name, "median"), scale);
        run.figure(metric, Statistic.P90, value(benchmark, name, "percentiles", "p90"), scale);
        run.figure(metric, Statistic.P95, value(benchmark, name, "percentiles", "p95"), scale);
        run.figure(metric, Statistic.P99, value(benchmark, name, "percentiles", "p99"), scale);
    }

    private static OptionalDouble value(JsonValue benchmark, String metric, String... path) {
        JsonValue of = JsonFields.at(benchmark, "metrics", metric, "successful")
                .or(() -> JsonFields.at(benchmark, "metrics", metric))
                .orElse(benchmark);
        return JsonFields.number(of, path);
    }
}
