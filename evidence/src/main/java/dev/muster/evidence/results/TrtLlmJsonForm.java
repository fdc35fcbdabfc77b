// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// `trtllm-bench --report_json`.
final class TrtLlmJsonForm extends JsonForm {
    private static final double MILLI = 1e-3;
    private static final Map<String, Statistic> STATISTICS = Map.of(
            "average", Statistic.MEAN,
            "p50", Statistic.MEDIAN,
            "p90", Statistic.P90,
            "p95", Statistic.P95,
            "p99", Statistic.P99);

    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "engine", "performance");
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        JsonValue performance = item.require("performance");
        RunBuilder run = RunBuilder.of("trtllm-bench").say(Fact.ENGINE, "tensorrt-llm");
        run.say(Fact.MODEL, JsonFields.text(item, "engine", "model"));
        run.say(Fact.RELEASE, JsonFields.text(item, "engine", "version"));
        run.say(
                Fact.WEIGHT_FORMAT,
                lower(JsonFields.text(item, "engine", "quantization"))
                        .or(() -> lower(JsonFields.text(item, "engine", "dtype"))));
        run.say(Fact.KV_FORMAT, lower(JsonFields.text(item, "engine", "kv_cache_dtype")));
        run.say(Fact.DEVICE, JsonFields.text(item, "machine", "name"));
        run.say(Fact.TP, JsonFields.number(item, "world_info", "tp_size"));
        run.say(Fact.PP, JsonFields.number(item, "world_info", "pp_size"));
        run.say(Fact.EP, JsonFields.number(item, "world_info", "ep_size"));
        run.say(Fact.DEVICES, JsonFields.number(item, "world_info", "world_size"));
        run.say(Fact.REQUESTS, JsonFields.number(item, "request_info", "num_requests"));
        run.say(Fact.INPUT_TOKENS, JsonFields.number(item, "request_info", "avg_input_length"));
        run.say(Fact.OUTPUT_TOKENS, JsonFields.number(item, "request_info", "avg_output_length"));
        run.load(JsonFields.number(item, "world_info", "concurrency"), OptionalDouble.empty());
        run.say(Fact.CONCURRENCY, JsonFields.number(item, "request_info", "avg_num_concurrent_requests"));
        run.mean(
                Metric.OUTPUT_RATE,
                JsonFields.firstNumber(performance, "system_output_throughput_tok_s", "system_token_throughput_tok_s"));
        run.mean(Metric.TOTAL_RATE, JsonFields.number(performance, "system_total_throughput_tok_s"));
        run.mean(Metric.REQUEST_RATE, JsonFields.number(performance, "request_throughput_req_s"));
        run.figure(Metric.END_TO_END, Statistic.MEAN, JsonFields.number(performance, "avg_request_latency_ms"), MILLI);
        JsonValue streaming = JsonFields.at(item, "streaming_metrics").orElse(item);
        run.figure(Metric.TTFT, Statistic.MEAN, JsonFields.number(streaming, "avg_ttft_ms"), MILLI);
        run.figure(Metric.TPOT, Statistic.MEAN, JsonFields.number(streaming, "avg_tpot_ms"), MILLI);
        STATISTICS.forEach((key, statistic) -> {
            run.figure(Metric.TTFT, statistic, JsonFields.number(streaming, "ttft_percentiles", key), MILLI);
            run.figure(Metric.TPOT, statistic, JsonFields.number(streaming, "tpot_percentiles", key), MILLI);
            run.figure(
                    Metric.END_TO_END,
                    statistic,
                    JsonFields.number(performance, "request_latency_percentiles_ms", key),
                    MILLI);
        });
        return run.runs("the report of trtllm-bench has no figure above 0: the run failed");
    }

    private static Optional<String> lower(Optional<String> text) {
        return text.map(known -> known.toLowerCase(Locale.ROOT))
                .filter(known -> !known.equals("none"))
                .map(known -> known.replace("bfloat16", "bf16").replace("float16", "fp16"));
    }
}
