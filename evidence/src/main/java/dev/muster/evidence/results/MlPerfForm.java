// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// The `mlperf_log_summary.txt` of MLPerf inference. Times are nanoseconds; device and model are in the path alone.
final class MlPerfForm implements ResultForm {
    private static final double NANO = 1e-9;
    private static final Map<Statistic, String> PERCENTILES = Map.of(
            Statistic.MEDIAN, "50.00 percentile ",
            Statistic.P90, "90.00 percentile ",
            Statistic.P95, "95.00 percentile ",
            Statistic.P99, "99.00 percentile ");

    @Override
    public boolean recognises(ResultText text) {
        return text.holds("MLPerf Results Summary") || text.holds("errors encountered during test");
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        KeyedLines lines = KeyedLines.of(text.lines());
        if (lines.text("Scenario").isEmpty() || lines.text("Mode").orElse("").startsWith("Accuracy")) {
            throw ResultsException.of("an accuracy run of MLPerf: it has no performance result");
        }
        if (!lines.text("Result is").orElse("").equals("VALID")) {
            String why = text.lines().stream()
                    .filter(line -> line.startsWith(" * "))
                    .findFirst()
                    .map(line -> " (" + line.substring(" * ".length()).strip() + ")")
                    .orElse("");
            throw ResultsException.of(
                    lines.text("Result is").isEmpty()
                            ? "the summary of MLPerf is cut off before its verdict"
                            : "MLPerf calls the run INVALID" + why + ", so nothing is learned from it");
        }
        RunBuilder run = RunBuilder.of("MLPerf LoadGen");
        OptionalDouble rate = lines.number("target_qps");
        switch (lines.text("Scenario").orElse("")) {
            case "Server", "Interactive" -> run.load(Load.RATE).say(Fact.RATE, rate);
            case "SingleStream" -> run.load(Load.CLOSED_LOOP).say(Fact.CONCURRENCY, 1);
            default -> run.load(Load.BURST);
        }
        run.mean(
                Metric.OUTPUT_RATE,
                lines.firstNumber("Completed tokens per second", "Tokens per second", "TPS w/ loadgen overhead"));
        run.mean(
                Metric.REQUEST_RATE,
                lines.firstNumber("Completed samples per second", "Samples per second", "QPS w/ loadgen overhead"));
        addTimes(run, lines, Metric.END_TO_END, "latency (ns)");
        addTimes(run, lines, Metric.TTFT, "first token latency (ns)");
        addTimes(run, lines, Metric.TPOT, "time to output token (ns)");
        return run.runs("the summary of MLPerf has no figure");
    }

    private static void addTimes(RunBuilder run, KeyedLines lines, Metric metric, String name) {
        run.figure(metric, Statistic.MEAN, lines.number("Mean " + name), NANO);
        PERCENTILES.forEach((statistic, prefix) -> run.figure(metric, statistic, lines.number(prefix + name), NANO));
    }
}
