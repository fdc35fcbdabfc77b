// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Terminal output of `sglang.bench_one_batch`: first a warm-up, which does not count, then one batch for each size.
final class SglangBatchForm implements ResultForm {
    private static final Pattern LINE = Pattern.compile("(Prefill|Decode|Total)\\.\\s+(?:median )?latency:\\s*(\\S+) s,"
            + "\\s*(?:median )?throughput:\\s*(\\S+) token/s");
    private static final Pattern STEP = Pattern.compile("Decode \\d+\\. Batch size: (\\d+),.*");

    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream().anyMatch(line -> LINE.matcher(line.strip()).lookingAt());
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<MeasuredRun> runs = new ArrayList<>();
        boolean isWarmUp = text.lines().stream().anyMatch(line -> line.startsWith("Benchmark ..."));
        double batch = 1;
        double[] prefill = new double[2];
        double[] decode = new double[2];
        for (String line : text.lines()) {
            if (line.startsWith("Benchmark ...")) {
                isWarmUp = false;
            }
            Matcher step = STEP.matcher(line.strip());
            if (step.matches()) {
                batch = Numbers.find(step.group(1)).orElse(1);
            }
            Matcher matcher = LINE.matcher(line.strip());
            if (isWarmUp || !matcher.lookingAt()) {
                continue;
            }
            OptionalDouble seconds = Numbers.find(matcher.group(2));
            OptionalDouble rate = Numbers.find(matcher.group(3));
            double[] both = {seconds.orElse(0), rate.orElse(0)};
            switch (matcher.group(1)) {
                case "Prefill" -> prefill = both;
                case "Decode" -> decode = both;
                default -> runs.add(run(batch, prefill, decode, both));
            }
        }
        if (runs.isEmpty()) {
            throw ResultsException.of("the log of sglang.bench_one_batch ends before the total of its benchmark");
        }
        return runs;
    }

    private static MeasuredRun run(double batch, double[] prefill, double[] decode, double[] total) {
        double input = Math.rint(prefill[0] * prefill[1] / batch);
        double output = Math.rint(total[0] * total[1] / batch - input);
        return RunBuilder.of("sglang.bench_one_batch")
                .say(Fact.ENGINE, "sglang")
                .load(Load.STATIC_BATCH)
                .say(Fact.CONCURRENCY, batch)
                .say(Fact.INPUT_TOKENS, input)
                .say(Fact.OUTPUT_TOKENS, output)
                .mean(Metric.TTFT, prefill[0])
                .mean(Metric.PREFILL_RATE, prefill[1])
                .figure(Metric.TPOT, Statistic.MEDIAN, decode[0])
                .figure(Metric.DECODE_RATE, Statistic.MEDIAN, decode[1])
                .mean(Metric.END_TO_END, total[0])
                .mean(Metric.TOTAL_RATE, total[1])
                .build();
    }
}
