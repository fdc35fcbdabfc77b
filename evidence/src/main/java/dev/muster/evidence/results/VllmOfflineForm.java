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
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// Results of `vllm bench throughput`, which counts input and output tokens together, and `vllm bench latency`, whose
/// times are those of a whole batch.
final class VllmOfflineForm extends JsonForm {
    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "elapsed_time", "num_requests")
                || (JsonFields.has(item, "avg_latency")
                        && (JsonFields.has(item, "percentiles") || JsonFields.has(item, "latencies")));
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        return List.of(JsonFields.has(item, "avg_latency") ? latency(item) : throughput(item));
    }

    private static MeasuredRun throughput(JsonValue item) {
        double seconds = JsonFields.number(item, "elapsed_time").orElse(0);
        double requests = JsonFields.number(item, "num_requests").orElse(0);
        if (!(seconds > 0 && requests > 0)) {
            throw ResultsException.of("the run failed: it has no requests or took no time");
        }
        RunBuilder run = common(item, "vllm bench throughput").load(Load.BURST).say(Fact.REQUESTS, requests);
        OptionalDouble tokens = JsonFields.number(item, "total_num_tokens");
        OptionalDouble input = JsonFields.firstNumber(item, "input", "input_len", "random_input_len");
        // A widely copied patched script misspells its key.
        OptionalDouble output =
                JsonFields.firstNumber(item, "output", "ouput", "output_len", "random_output_len", "output_length");
        run.say(Fact.INPUT_TOKENS, input).say(Fact.OUTPUT_TOKENS, output);
        run.mean(Metric.TOTAL_RATE, JsonFields.number(item, "tokens_per_second"));
        if (tokens.isPresent()) {
            run.mean(Metric.TOTAL_RATE, tokens.getAsDouble() / seconds);
        }
        if (output.isPresent()) {
            run.mean(Metric.OUTPUT_RATE, output.getAsDouble() * requests / seconds);
        }
        run.mean(Metric.OUTPUT_RATE, JsonFields.firstNumber(item, "output_tokens_per_second", "output_throughput"));
        run.mean(Metric.REQUEST_RATE, JsonFields.number(item, "requests_per_second"));
        run.mean(Metric.REQUEST_RATE, requests / seconds);
        return run.build();
    }

    private static MeasuredRun latency(JsonValue item) {
        double mean = JsonFields.number(item, "avg_latency").orElse(0);
        if (!(mean > 0)) {
            throw ResultsException.of("the run failed: its latency is 0");
        }
        RunBuilder run = common(item, "vllm bench latency").load(Load.STATIC_BATCH);
        run.say(Fact.CONCURRENCY, JsonFields.number(item, "batch_size"));
        run.say(Fact.INPUT_TOKENS, JsonFields.number(item, "input_len"));
        run.say(Fact.OUTPUT_TOKENS, JsonFields.number(item, "output_len"));
        run.mean(Metric.END_TO_END, mean);
        Map<String, Statistic> names =
                Map.of("50", Statistic.MEDIAN, "90", Statistic.P90, "95", Statistic.P95, "99", Statistic.P99);
        names.forEach((name, statistic) ->
                run.figure(Metric.END_TO_END, statistic, JsonFields.number(item, "percentiles", name), 1));
        return run.build();
    }

    private static RunBuilder common(JsonValue item, String tool) {
        return RunBuilder.of(tool)
                .say(Fact.ENGINE, "vllm")
                .say(Fact.MODEL, JsonFields.firstText(item, "model", "model_id"))
                .say(Fact.TP, JsonFields.firstNumber(item, "tensor_parallel_size", "tp"))
                .say(Fact.DEVICE, JsonFields.firstText(item, "gpu_name", "gpu", "device_name"));
    }
}
