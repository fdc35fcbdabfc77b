// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/// The `profile_export.jsonl` of AIPerf: one object for each request, including those of the warm-up.
final class AiPerfRequestsForm implements ResultForm {
    private static final double MILLI = 1e-3;
    private static final double NANO = 1e-9;

    @Override
    public boolean recognises(ResultText text) {
        return JsonFields.has(text.first(), "metadata", "metrics")
                && (JsonFields.at(text.first(), "metadata", "benchmark_phase").isPresent()
                        || JsonFields.at(text.first(), "metadata", "request_start_ns")
                                .isPresent());
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<Double> first = new ArrayList<>();
        List<Double> token = new ArrayList<>();
        List<Double> whole = new ArrayList<>();
        List<Double> input = new ArrayList<>();
        List<Double> output = new ArrayList<>();
        double start = Double.MAX_VALUE;
        double end = 0;
        for (JsonValue item : text.items()) {
            String phase = JsonFields.text(item, "metadata", "benchmark_phase").orElse("profiling");
            boolean isAnswered = phase.equals("profiling") && !JsonFields.isTrue(item, "metadata", "was_cancelled");
            if (isAnswered && value(item, "request_latency").isPresent()) {
                value(item, "time_to_first_token").ifPresent(ms -> first.add(ms * MILLI));
                value(item, "inter_token_latency").ifPresent(ms -> token.add(ms * MILLI));
                value(item, "request_latency").ifPresent(ms -> whole.add(ms * MILLI));
                value(item, "input_sequence_length").ifPresent(input::add);
                value(item, "output_sequence_length").ifPresent(output::add);
                start = Math.min(
                        start,
                        JsonFields.number(item, "metadata", "request_start_ns").orElse(start));
                end = Math.max(
                        end,
                        JsonFields.number(item, "metadata", "request_end_ns").orElse(end));
            }
        }
        if (whole.isEmpty()) {
            throw ResultsException.of("no request of the measured phase was answered");
        }
        RunBuilder run = RunBuilder.of("AIPerf").say(Fact.REQUESTS, whole.size());
        run.say(Fact.INPUT_TOKENS, Numbers.mean(input)).say(Fact.OUTPUT_TOKENS, Numbers.mean(output));
        run.figures(Metric.TTFT, first).figures(Metric.TPOT, token).figures(Metric.END_TO_END, whole);
        double seconds = (end - start) * NANO;
        if (seconds > 0) {
            run.mean(Metric.OUTPUT_RATE, Numbers.mean(output) * output.size() / seconds);
            run.mean(Metric.REQUEST_RATE, whole.size() / seconds);
        }
        Plausibility.check(run, OptionalDouble.of(seconds), OptionalDouble.of(whole.size()));
        return List.of(run.build());
    }

    private static OptionalDouble value(JsonValue item, String metric) {
        return JsonFields.number(item, "metrics", metric, "value");
    }
}
