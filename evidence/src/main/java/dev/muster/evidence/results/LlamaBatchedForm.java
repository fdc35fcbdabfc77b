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
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/// `llama-batched-bench --output-format jsonl`: batches of equal sequences, prompts first, answers then.
final class LlamaBatchedForm extends JsonForm {
    private static final Map<String, String> KEYS = Map.of(
            "PP",
            "pp",
            "TG",
            "tg",
            "B",
            "pl",
            "T_PP s",
            "t_pp",
            "S_PP t/s",
            "speed_pp",
            "T_TG s",
            "t_tg",
            "S_TG t/s",
            "speed_tg",
            "S t/s",
            "speed");

    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "speed_pp", "speed_tg", "pl");
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        RunBuilder run = RunBuilder.of("llama-batched-bench").say(Fact.ENGINE, "llama.cpp");
        add(run, column -> JsonFields.number(item, KEYS.getOrDefault(column, column)));
        return run.runs("the batch failed: its speeds are 0");
    }

    /// Adds the values of a row of its table.
    static void add(RunBuilder run, Function<String, OptionalDouble> column) {
        double output = column.apply("TG").orElse(0);
        run.load(Load.STATIC_BATCH).say(Fact.CONCURRENCY, column.apply("B"));
        run.say(Fact.INPUT_TOKENS, column.apply("PP")).say(Fact.OUTPUT_TOKENS, output);
        run.mean(Metric.PREFILL_RATE, column.apply("S_PP t/s"));
        run.mean(Metric.DECODE_RATE, column.apply("S_TG t/s"));
        run.mean(Metric.TOTAL_RATE, column.apply("S t/s"));
        run.mean(Metric.TTFT, column.apply("T_PP s"));
        if (output > 0) {
            run.figure(Metric.TPOT, Statistic.MEAN, column.apply("T_TG s"), 1 / output);
        }
    }
}
