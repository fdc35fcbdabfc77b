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
import dev.muster.evidence.results.form.ServerFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// Hand-kept records of runs, one flat object each: model, quantization, engine and degrees beside figures, perhaps
/// with a curve over concurrency.
final class RecordForm extends JsonForm {
    private static final double MILLI = 1e-3;

    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "model", "engine")
                && (JsonFields.has(item, "output_tok_s") || JsonFields.has(item, "output_tps_kind"));
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        if (!JsonFields.text(item, "record_kind").orElse("measurement").equals("measurement")) {
            throw ResultsException.of("a record that is not a measurement");
        }
        List<MeasuredRun> runs = new ArrayList<>();
        for (JsonValue point : JsonFields.items(item, "curve")) {
            boolean hasFailed = JsonFields.number(point, "errors").orElse(0) > 0;
            if (!hasFailed) {
                add(runs, item, point, "");
            }
        }
        if (runs.isEmpty()) {
            add(runs, item, item, "_ms");
        }
        if (runs.isEmpty()) {
            throw ResultsException.of("a record without a figure above 0");
        }
        return runs;
    }

    private static void add(List<MeasuredRun> runs, JsonValue item, JsonValue point, String suffix) {
        RunBuilder run = RunBuilder.of("records of runs");
        run.say(Fact.ENGINE, JsonFields.text(item, "engine"));
        run.say(Fact.RELEASE, JsonFields.text(item, "engine_version"));
        run.say(Fact.MODEL, JsonFields.text(item, "model"));
        run.say(Fact.DEVICE, JsonFields.firstText(item, "device", "gpu", "gpu_name", "hardware"));
        run.say(Fact.WEIGHT_FORMAT, JsonFields.text(item, "quant").map(RecordForm::format));
        run.say(Fact.KV_FORMAT, ServerFacts.kvFormat(JsonFields.text(item, "kv_cache_dtype")));
        double tensor = JsonFields.number(item, "tp").orElse(0);
        double stages = Math.max(1, JsonFields.number(item, "pp").orElse(1));
        double replicas = Math.max(1, JsonFields.number(item, "instances").orElse(1))
                * Math.max(1, JsonFields.number(item, "dp").orElse(1));
        run.say(Fact.TP, tensor).say(Fact.PP, stages).say(Fact.REPLICAS, replicas);
        run.say(Fact.DEVICES, tensor * stages * replicas);
        OptionalDouble users = JsonFields.number(point, "concurrency");
        if (users.isPresent()) {
            run.load(Load.CLOSED_LOOP).say(Fact.CONCURRENCY, users);
        }
        run.say(Fact.INPUT_TOKENS, JsonFields.number(item, "prompt_tokens"));
        run.say(Fact.OUTPUT_TOKENS, JsonFields.number(item, "gen_tokens"));
        run.say(Fact.DATE, JsonFields.text(item, "date"));
        run.mean(Metric.OUTPUT_RATE, JsonFields.number(point, "output_tok_s"));
        run.mean(Metric.REQUEST_RATE, JsonFields.number(point, "req_s"));
        run.figure(Metric.TTFT, Statistic.MEDIAN, JsonFields.number(point, "ttft_p50" + suffix), MILLI);
        run.figure(Metric.TTFT, Statistic.P99, JsonFields.number(point, "ttft_p99" + suffix), MILLI);
        run.figure(Metric.ITL, Statistic.MEDIAN, JsonFields.number(point, "itl_p50" + suffix), MILLI);
        run.figure(Metric.TPOT, Statistic.MEDIAN, JsonFields.number(point, "tpot_p50" + suffix), MILLI);
        run.figure(Metric.END_TO_END, Statistic.P99, JsonFields.number(point, "e2e_p99" + suffix), MILLI);
        if (run.hasFigures()) {
            runs.add(run.build());
        }
    }

    /// Returns the format of names such as `gguf-q8_0`, `fp8-dynamic` and `awq-int4`, which include the method.
    private static String format(String text) {
        String plain = text.toLowerCase(Locale.ROOT);
        return plain.startsWith("gguf-")
                ? plain.substring("gguf-".length())
                : plain.startsWith("fp8")
                        ? "fp8"
                        : plain.startsWith("int8")
                                ? "int8"
                                : Optional.of(plain)
                                        .filter(known -> known.endsWith("-int4"))
                                        .map(_ -> "int4")
                                        .orElse(plain);
    }
}
