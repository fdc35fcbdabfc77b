// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.Plausibility;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Terminal output of `vllm bench serve` and `sglang.bench_serving`, once or several times.
final class ServeConsoleForm implements ResultForm {
    static final String TITLE = "Serving Benchmark Result";
    private static final double MILLI = 1e-3;
    private static final Pattern TIME =
            Pattern.compile("(Mean|Median|P50|P90|P95|P99) (TTFT|TPOT|ITL|E2EL|E2E Latency) ?\\((ms|s)\\)");

    @Override
    public boolean recognises(ResultText text) {
        return text.holds(TITLE);
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<MeasuredRun> runs = new ArrayList<>();
        List<String> before = new ArrayList<>();
        List<String> block = new ArrayList<>();
        boolean isInside = false;
        for (String line : text.lines()) {
            if (line.contains(TITLE)) {
                isInside = true;
                block.clear();
            } else if (isInside && line.startsWith("=====")) {
                runs.add(read(before, block));
                isInside = false;
                before.clear();
            } else {
                (isInside ? block : before).add(line);
            }
        }
        if (isInside) {
            throw ResultsException.of("the result of the benchmark is cut off before its end");
        }
        return runs;
    }

    private static MeasuredRun read(List<String> before, List<String> lines) {
        KeyedLines block = KeyedLines.of(lines);
        KeyedLines start = KeyedLines.of(before);
        OptionalDouble completed = block.number("Successful requests");
        if (completed.orElse(0) <= 0) {
            throw ResultsException.of("all requests failed (successful requests 0), so it is not a measurement");
        }
        String protocol = argument(before, "backend")
                .or(() -> block.text("Backend"))
                .orElse("")
                .toLowerCase(Locale.ROOT);
        boolean isSglang =
                protocol.startsWith("sglang") || block.text("Backend").isPresent();
        RunBuilder run = RunBuilder.of(isSglang ? "sglang.bench_serving" : "vllm bench serve");
        run.say(Fact.ENGINE, ServeForm.engineOf(protocol));
        run.say(Fact.MODEL, argument(before, "model"));
        OptionalDouble rate = first(
                number(argument(before, "request_rate")),
                block.firstNumber("Traffic request rate", "Request rate configured (RPS)"),
                start.number("Traffic request rate"));
        OptionalDouble concurrency = first(
                number(argument(before, "max_concurrency")),
                block.firstNumber("Max request concurrency", "Maximum request concurrency"),
                start.number("Maximum request concurrency"));
        run.load(concurrency, rate);
        run.say(Fact.REQUESTS, completed);
        lengths(run, block, completed.getAsDouble());
        times(run, lines);
        run.mean(Metric.OUTPUT_RATE, block.number("Output token throughput (tok/s)"));
        run.mean(Metric.TOTAL_RATE, block.number("Total token throughput (tok/s)"));
        run.mean(Metric.REQUEST_RATE, block.number("Request throughput (req/s)"));
        Plausibility.check(run, block.number("Benchmark duration (s)"), completed);
        return run.build();
    }

    private static void lengths(RunBuilder run, KeyedLines block, double completed) {
        OptionalDouble input = block.firstNumber("Total input tokens", "Total input text tokens");
        OptionalDouble output = block.firstNumber("Total generated tokens", "Total output tokens");
        input.ifPresent(tokens -> run.say(Fact.INPUT_TOKENS, tokens / completed));
        output.ifPresent(tokens -> run.say(Fact.OUTPUT_TOKENS, tokens / completed));
    }

    private static void times(RunBuilder run, List<String> lines) {
        for (String line : lines) {
            Matcher matcher = TIME.matcher(line);
            if (matcher.find()) {
                Statistic statistic = switch (matcher.group(1)) {
                    case "Mean" -> Statistic.MEAN;
                    case "P90" -> Statistic.P90;
                    case "P95" -> Statistic.P95;
                    case "P99" -> Statistic.P99;
                    default -> Statistic.MEDIAN;
                };
                Metric metric = switch (matcher.group(2)) {
                    case "TTFT" -> Metric.TTFT;
                    case "TPOT" -> Metric.TPOT;
                    case "ITL" -> Metric.ITL;
                    default -> Metric.END_TO_END;
                };
                String value = line.substring(line.indexOf(':', matcher.end()) + 1);
                run.figure(
                        metric, statistic, Numbers.find(value), matcher.group(3).equals("ms") ? MILLI : 1);
            }
        }
    }

    /// Returns an argument of the `Namespace(...)` that Python prints.
    private static Optional<String> argument(List<String> lines, String name) {
        Pattern pattern = Pattern.compile("[(,]\\s*" + name + "=(?:'([^']*)'|([^,)]*))");
        for (String line : lines) {
            Matcher matcher = pattern.matcher(line);
            if (line.contains("Namespace(") && matcher.find()) {
                String text = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                return Optional.of(text).filter(known -> !known.equals("None"));
            }
        }
        return Optional.empty();
    }

    private static OptionalDouble number(Optional<String> text) {
        return text.map(Numbers::find).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble first(OptionalDouble... values) {
        for (OptionalDouble value : values) {
            if (value.isPresent()) {
                return value;
            }
        }
        return OptionalDouble.empty();
    }
}
