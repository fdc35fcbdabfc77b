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
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.OptionalDouble;

/// Aggregated results of InferenceX (InferenceMAX): throughput for each device, times in seconds.
final class InferenceMaxForm extends JsonForm {
    @Override
    public boolean recognises(JsonValue item) {
        return JsonFields.has(item, "hw", "tp") && JsonFields.has(item, "tput_per_gpu");
    }

    @Override
    public List<MeasuredRun> read(JsonValue item) {
        RunBuilder run = RunBuilder.of("InferenceX");
        double tensor = JsonFields.number(item, "tp").orElse(0);
        run.say(Fact.ENGINE, JsonFields.text(item, "framework").map(InferenceMaxForm::engine));
        run.say(Fact.MODEL, JsonFields.firstText(item, "model", "model_id"));
        run.say(Fact.DEVICE, JsonFields.text(item, "hw"))
                .say(Fact.DEVICES, tensor)
                .say(Fact.TP, tensor);
        run.say(Fact.EP, JsonFields.number(item, "ep"));
        run.say(Fact.WEIGHT_FORMAT, JsonFields.text(item, "precision"));
        if (JsonFields.isTrue(item, "disagg")) {
            run.say(Fact.DISAGGREGATED, "disaggregated prefill and decode");
        }
        run.load(Load.CLOSED_LOOP).say(Fact.CONCURRENCY, JsonFields.number(item, "conc"));
        run.say(Fact.INPUT_TOKENS, JsonFields.number(item, "isl"));
        run.say(Fact.OUTPUT_TOKENS, JsonFields.number(item, "osl"));
        ServeForm.addTimes(run, item);
        run.figure(Metric.TOTAL_RATE, Statistic.MEAN, JsonFields.number(item, "tput_per_gpu"), tensor);
        run.figure(Metric.OUTPUT_RATE, Statistic.MEAN, JsonFields.number(item, "output_tput_per_gpu"), tensor);
        if (!run.hasFigures()) {
            throw ResultsException.of("a result of InferenceX without a figure above 0: the run failed");
        }
        Plausibility.check(run, OptionalDouble.empty(), OptionalDouble.empty());
        return List.of(run.build());
    }

    private static String engine(String framework) {
        return framework.startsWith("trt") ? "tensorrt-llm" : framework;
    }
}
