// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import dev.muster.evidence.results.form.ServerFacts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// Results of `vllm bench serve`, `sglang.bench_serving` and tools around them: totals of a run, and times to the
/// first and between tokens by statistic. Times have `_ms` at the end of their key, or are seconds.
final class ServeForm extends JsonForm {
    private static final double MILLI = 1e-3;

    private static final Map<String, Statistic> STATISTICS = Map.of(
            "mean", Statistic.MEAN,
            "avg", Statistic.MEAN,
            "median", Statistic.MEDIAN,
            "p50", Statistic.MEDIAN,
            "p90", Statistic.P90,
            "p95", Statistic.P95,
            "p99", Statistic.P99);

    private static final Map<String, Metric> METRICS = Map.of(
            "ttft", Metric.TTFT,
            "tpot", Metric.TPOT,
            "itl", Metric.ITL,
            "e2el", Metric.END_TO_END,
            "e2e_latency", Metric.END_TO_END,
            "e2e", Metric.END_TO_END,
            "latency", Metric.END_TO_END);

    @Override
    public boolean recognises(JsonValue item) {
        boolean isTotal = JsonFields.has(item, "output_throughput") || JsonFields.has(item, "request_throughput");
        return isTotal
                && (JsonFields.has(item, "completed") || JsonFields.has(item, "total_output_tokens"))
                && JsonFields.members(item, "request_throughput").isEmpty();
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        OptionalDouble completed = JsonFields.firstNumber(item, "completed", "successful_requests");
        OptionalDouble asked = JsonFields.number(item, "num_prompts");
        requireAnswers(item, completed, asked);
        boolean isSglang = JsonFields.has(item, "server_info")
                || JsonFields.has(item, "random_range_ratio")
                || JsonFields.firstText(item, "backend").orElse("").startsWith("sglang");
        RunBuilder run = RunBuilder.of(isSglang ? "sglang.bench_serving" : "vllm bench serve");
        run.say(Fact.ENGINE, engine(item));
        run.say(Fact.MODEL, JsonFields.firstText(item, "model_id", "model"));
        run.say(Fact.DEVICE, JsonFields.firstText(item, "gpu_name", "gpu", "gpu_type", "device_name", "accelerator"));
        run.say(Fact.DEVICES, JsonFields.firstNumber(item, "gpu_count", "num_gpus", "n_gpus"));
        run.say(Fact.TP, JsonFields.firstNumber(item, "tensor_parallel_size", "tp_size", "tp"));
        run.say(Fact.DATE, JsonFields.text(item, "date"));
        run.load(JsonFields.number(item, "max_concurrency"), rate(item));
        run.say(Fact.REQUESTS, completed);
        ServerFacts.add(run, item);
        addLengths(run, item, completed);
        addTimes(run, item);
        run.mean(Metric.OUTPUT_RATE, JsonFields.number(item, "output_throughput"));
        run.mean(Metric.TOTAL_RATE, JsonFields.firstNumber(item, "total_token_throughput", "total_throughput"));
        run.mean(Metric.REQUEST_RATE, JsonFields.number(item, "request_throughput"));
        Plausibility.check(run, JsonFields.firstNumber(item, "duration", "total_latency"), completed);
        return List.of(run.build());
    }

    private static void requireAnswers(JsonValue item, OptionalDouble completed, OptionalDouble asked) {
        OptionalDouble failed = JsonFields.number(item, "failed");
        if (completed.isPresent() && completed.getAsDouble() <= 0) {
            throw ResultsException.of("all requests failed (completed 0"
                    + (failed.isPresent() ? ", failed " + Numbers.text(failed.getAsDouble()) : "")
                    + "), so its latencies of 0 are not measurements");
        }
        double lost = failed.orElse(asked.orElse(0) - completed.orElse(asked.orElse(0)));
        if (lost > completed.orElse(lost)) {
            throw ResultsException.of("more requests failed (" + Numbers.text(lost) + ") than were answered ("
                    + Numbers.text(completed.orElse(0)) + ")");
        }
    }

    /// Returns the engine. The name of the client's protocol identifies the server only if the server has one of its
    /// own.
    private static Optional<String> engine(JsonValue item) {
        String name = JsonFields.firstText(item, "backend", "endpoint_type")
                .orElse("")
                .toLowerCase(Locale.ROOT);
        return engineOf(name);
    }

    /// Returns the engine that a protocol belongs to; empty for those of many engines, such as `openai`.
    static Optional<String> engineOf(String protocol) {
        return switch (protocol) {
            case "vllm", "vllm-chat" -> Optional.of("vllm");
            case "sglang", "sglang-native", "sglang-oai", "sglang-oai-chat", "sglang-embedding", "srt", "engine" ->
                Optional.of("sglang");
            case "trt", "trtllm", "tensorrt-llm" -> Optional.of("tensorrt-llm");
            case "llama.cpp" -> Optional.of("llama.cpp");
            default -> Optional.empty();
        };
    }

    private static OptionalDouble rate(JsonValue item) {
        return JsonFields.number(item, "request_rate");
    }

    private static void addLengths(RunBuilder run, JsonValue item, OptionalDouble completed) {
        OptionalDouble input = JsonFields.number(item, "total_input_tokens");
        OptionalDouble output = JsonFields.number(item, "total_output_tokens");
        if (completed.isPresent() && completed.getAsDouble() > 0) {
            input.ifPresent(tokens -> run.say(Fact.INPUT_TOKENS, tokens / completed.getAsDouble()));
            output.ifPresent(tokens -> run.say(Fact.OUTPUT_TOKENS, tokens / completed.getAsDouble()));
        }
    }

    /// Adds times by keys such as `p99_ttft_ms` and `median_tpot`.
    static void addTimes(RunBuilder run, JsonValue item) {
        for (String key : JsonFields.members(item).keySet()) {
            int end = key.indexOf('_');
            Statistic statistic = end < 0 ? null : STATISTICS.get(key.substring(0, end));
            if (statistic != null) {
                String rest = key.substring(end + 1);
                boolean isMilli = rest.endsWith("_ms");
                String name = isMilli
                        ? rest.substring(0, rest.length() - "_ms".length())
                        : rest.endsWith("_s") ? rest.substring(0, rest.length() - "_s".length()) : rest;
                Metric metric = METRICS.get(name);
                if (metric != null) {
                    run.figure(metric, statistic, JsonFields.number(item, key), isMilli ? MILLI : 1);
                }
            }
        }
    }
}
