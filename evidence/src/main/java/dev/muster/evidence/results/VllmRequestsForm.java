// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;

/// Times of single requests inside vLLM, as LLMServingSim records them. Arrivals are of another clock than the rest,
/// so time to first token counts from the moment that a request is queued.
final class VllmRequestsForm implements ResultForm {
    @Override
    public boolean recognises(ResultText text) {
        return JsonFields.has(text.first(), "queued_ts", "first_token_ts", "last_token_ts");
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<Double> first = new ArrayList<>();
        List<Double> token = new ArrayList<>();
        List<Double> whole = new ArrayList<>();
        double input = 0;
        double output = 0;
        double start = Double.MAX_VALUE;
        double end = 0;
        double firstArrival = Double.MAX_VALUE;
        double lastArrival = 0;
        for (JsonValue item : text.items()) {
            double queued = JsonFields.number(item, "queued_ts").orElse(Double.NaN);
            double begun = JsonFields.number(item, "first_token_ts").orElse(Double.NaN);
            double done = JsonFields.number(item, "last_token_ts").orElse(Double.NaN);
            double tokens = JsonFields.number(item, "output_toks").orElse(0);
            if (queued <= begun && begun <= done && tokens > 0) {
                first.add(begun - queued);
                whole.add(done - queued);
                if (tokens > 1) {
                    token.add((done - begun) / (tokens - 1));
                }
                input += JsonFields.number(item, "input_toks").orElse(0);
                output += tokens;
                start = Math.min(start, queued);
                end = Math.max(end, done);
                double arrival = JsonFields.number(item, "arrival_time").orElse(0);
                firstArrival = Math.min(firstArrival, arrival);
                lastArrival = Math.max(lastArrival, arrival);
            }
        }
        if (first.isEmpty()) {
            throw ResultsException.of("no request was answered");
        }
        RunBuilder run = RunBuilder.of("vLLM request times").say(Fact.ENGINE, "vllm");
        run.say(Fact.REQUESTS, first.size());
        run.say(Fact.INPUT_TOKENS, input / first.size()).say(Fact.OUTPUT_TOKENS, output / first.size());
        if (lastArrival > firstArrival) {
            run.load(MeasuredRun.Load.RATE).say(Fact.RATE, first.size() / (lastArrival - firstArrival));
        }
        run.figures(Metric.TTFT, first).figures(Metric.TPOT, token).figures(Metric.END_TO_END, whole);
        if (end > start) {
            run.mean(Metric.OUTPUT_RATE, output / (end - start));
            run.mean(Metric.REQUEST_RATE, first.size() / (end - start));
        }
        return List.of(run.build());
    }
}
