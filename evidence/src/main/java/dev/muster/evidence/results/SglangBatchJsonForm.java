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
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;

/// The lines that `sglang.bench_one_batch` and `bench_one_batch_server` write to a file: one for each batch.
final class SglangBatchJsonForm extends JsonForm {
    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "batch_size", "input_len", "output_len")
                && (JsonFields.has(item, "overall_throughput") || JsonFields.has(item, "prefill_latency"));
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        RunBuilder run = RunBuilder.of("sglang.bench_one_batch").say(Fact.ENGINE, "sglang");
        run.say(Fact.MODEL, JsonFields.firstText(item, "model_path", "model"));
        run.load(Load.STATIC_BATCH).say(Fact.CONCURRENCY, JsonFields.number(item, "batch_size"));
        run.say(Fact.INPUT_TOKENS, JsonFields.number(item, "input_len"));
        run.say(Fact.OUTPUT_TOKENS, JsonFields.number(item, "output_len"));
        run.mean(Metric.TTFT, JsonFields.firstNumber(item, "prefill_latency", "ttft", "last_ttft"));
        run.mean(Metric.PREFILL_RATE, JsonFields.firstNumber(item, "prefill_throughput", "input_throughput"));
        run.figure(Metric.TPOT, Statistic.MEDIAN, JsonFields.number(item, "median_decode_latency"), 1);
        run.figure(
                Metric.DECODE_RATE,
                Statistic.MEDIAN,
                JsonFields.firstNumber(item, "median_decode_throughput", "output_throughput"),
                1);
        run.mean(Metric.END_TO_END, JsonFields.firstNumber(item, "total_latency", "latency"));
        run.mean(Metric.TOTAL_RATE, JsonFields.number(item, "overall_throughput"));
        return run.runs("a batch without a figure above 0: the run failed");
    }
}
