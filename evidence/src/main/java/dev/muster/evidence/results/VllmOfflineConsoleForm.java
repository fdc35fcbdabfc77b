// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Terminal output of `vllm bench throughput` and `vllm bench latency`.
final class VllmOfflineConsoleForm implements ResultForm {
    private static final Pattern THROUGHPUT =
            Pattern.compile("Throughput: (\\S+) requests/s, (\\S+) (?:total )?tokens/s(?:, (\\S+) output tokens/s)?.*");
    private static final Pattern LATENCY = Pattern.compile("Avg latency: (\\S+) seconds");
    private static final Pattern PERCENTILE = Pattern.compile("(\\d+)% percentile latency: (\\S+) seconds");
    private static final Map<String, Statistic> STATISTICS =
            Map.of("50", Statistic.MEDIAN, "90", Statistic.P90, "95", Statistic.P95, "99", Statistic.P99);

    @Override
    public boolean recognises(ResultText text) {
        return find(text, THROUGHPUT).isPresent() || find(text, LATENCY).isPresent();
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        Optional<Matcher> throughput = find(text, THROUGHPUT);
        KeyedLines lines = KeyedLines.of(text.lines());
        RunBuilder run = RunBuilder.of(throughput.isPresent() ? "vllm bench throughput" : "vllm bench latency");
        run.say(Fact.ENGINE, "vllm");
        if (throughput.isPresent()) {
            Matcher found = throughput.get();
            run.load(Load.BURST);
            run.mean(Metric.REQUEST_RATE, Numbers.find(found.group(1)));
            run.mean(Metric.TOTAL_RATE, Numbers.find(found.group(2)));
            if (found.group(3) != null) {
                run.mean(Metric.OUTPUT_RATE, Numbers.find(found.group(3)));
            }
        } else {
            run.load(Load.STATIC_BATCH);
            find(text, LATENCY).ifPresent(found -> run.mean(Metric.END_TO_END, Numbers.find(found.group(1))));
            for (String line : text.lines()) {
                Matcher found = PERCENTILE.matcher(line.strip());
                if (found.matches() && STATISTICS.containsKey(found.group(1))) {
                    Statistic statistic = STATISTICS.getOrDefault(found.group(1), Statistic.MEAN);
                    run.figure(Metric.END_TO_END, statistic, Numbers.find(found.group(2)), 1);
                }
            }
        }
        Plausibility.check(run, OptionalDouble.empty(), lines.number("Total num prompts"));
        return List.of(run.build());
    }

    private static Optional<Matcher> find(ResultText text, Pattern pattern) {
        for (String line : text.lines()) {
            Matcher matcher = pattern.matcher(line.strip());
            if (matcher.matches()) {
                return Optional.of(matcher);
            }
        }
        return Optional.empty();
    }
}
