// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The report of `trtllm-bench` on the terminal, perhaps behind a long log. Its token throughput counts output alone.
final class TrtLlmForm implements ResultForm {
    private static final double MILLI = 1e-3;
    /// The rate that the benchmark writes if requests do not wait for one another.
    private static final double NO_RATE = 1e6;

    private static final Pattern PERCENTILE =
            Pattern.compile("\\s*\\[(Latency|TTFT|TPOT)\\]\\s*(P50|P90|P95|P99|AVERAGE)\\s*:\\s*(\\S+)\\s*");
    private static final Pattern START =
            Pattern.compile("=\\s*(ENGINE DETAILS|PYTORCH BACKEND|_?AUTODEPLOY BACKEND|TRT-LLM BENCH).*");
    private static final Map<String, Metric> METRICS =
            Map.of("Latency", Metric.END_TO_END, "TTFT", Metric.TTFT, "TPOT", Metric.TPOT);

    @Override
    public boolean recognises(ResultText text) {
        return text.holds("PERFORMANCE OVERVIEW")
                || text.holds("[TRT-LLM]")
                || text.holds("[TensorRT-LLM]")
                || text.holds("TensorRT-LLM Version:");
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<MeasuredRun> runs = new ArrayList<>();
        List<String> block = new ArrayList<>();
        for (String line : text.lines()) {
            if (START.matcher(line.strip()).matches()) {
                add(runs, block);
                block.clear();
            }
            block.add(line);
        }
        add(runs, block);
        if (runs.isEmpty()) {
            throw ResultsException.of("the log of trtllm-bench ends before its report: the run failed");
        }
        return runs;
    }

    private static void add(List<MeasuredRun> runs, List<String> block) {
        KeyedLines lines = KeyedLines.of(block);
        boolean isReport = block.stream().anyMatch(line -> line.contains("PERFORMANCE OVERVIEW"))
                && lines.firstNumber("Token Throughput (tokens/sec)", "Total Output Throughput (tokens/sec)")
                                .orElse(0)
                        > 0;
        if (isReport) {
            runs.add(read(lines, block));
        }
    }

    private static MeasuredRun read(KeyedLines lines, List<String> block) {
        RunBuilder run = RunBuilder.of("trtllm-bench").say(Fact.ENGINE, "tensorrt-llm");
        run.say(Fact.MODEL, lines.text("Model"));
        run.say(Fact.RELEASE, lines.text("TensorRT-LLM Version"));
        run.say(Fact.WEIGHT_FORMAT, format(lines));
        run.say(Fact.KV_FORMAT, lines.text("KV Cache Dtype").flatMap(TrtLlmForm::known));
        run.say(Fact.TP, lines.number("TP Size")).say(Fact.PP, lines.number("PP Size"));
        run.say(Fact.EP, lines.number("EP Size"));
        run.say(
                Fact.DEVICES,
                lines.number("TP Size").orElse(0)
                        * Math.max(1, lines.number("PP Size").orElse(1)));
        OptionalDouble rate = lines.number("Issue Rate (req/sec)");
        run.load(
                lines.firstNumber("Concurrency", "Max Concurrency"),
                rate.orElse(0) < NO_RATE ? rate : OptionalDouble.empty());
        run.say(Fact.CONCURRENCY, lines.number("Number of concurrent requests"));
        run.say(Fact.REQUESTS, lines.number("Number of requests"));
        run.say(Fact.INPUT_TOKENS, lines.number("Average Input Length (tokens)"));
        run.say(Fact.OUTPUT_TOKENS, lines.number("Average Output Length (tokens)"));
        run.mean(
                Metric.OUTPUT_RATE,
                lines.firstNumber("Total Output Throughput (tokens/sec)", "Token Throughput (tokens/sec)"));
        run.mean(Metric.TOTAL_RATE, lines.number("Total Token Throughput (tokens/sec)"));
        run.mean(Metric.REQUEST_RATE, lines.number("Request Throughput (req/sec)"));
        run.figure(Metric.TTFT, Statistic.MEAN, lines.number("Average time-to-first-token [TTFT] (ms)"), MILLI);
        run.figure(Metric.TPOT, Statistic.MEAN, lines.number("Average time-per-output-token [TPOT] (ms)"), MILLI);
        run.figure(Metric.END_TO_END, Statistic.MEAN, lines.number("Average request latency (ms)"), MILLI);
        addPercentiles(run, block);
        return run.build();
    }

    private static void addPercentiles(RunBuilder run, List<String> block) {
        for (String line : block) {
            Matcher matcher = PERCENTILE.matcher(line);
            if (matcher.matches()) {
                Statistic statistic = switch (matcher.group(2)) {
                    case "P90" -> Statistic.P90;
                    case "P95" -> Statistic.P95;
                    case "P99" -> Statistic.P99;
                    case "P50" -> Statistic.MEDIAN;
                    default -> Statistic.MEAN;
                };
                run.figure(
                        METRICS.getOrDefault(matcher.group(1), Metric.END_TO_END),
                        statistic,
                        Numbers.find(matcher.group(3)),
                        MILLI);
            }
        }
    }

    /// Returns the quantization, or the format without one.
    private static Optional<String> format(KeyedLines lines) {
        return lines.text("Quantization")
                .flatMap(TrtLlmForm::known)
                .or(() -> lines.text("Dtype").flatMap(TrtLlmForm::known));
    }

    private static Optional<String> known(String text) {
        String plain = text.toLowerCase(Locale.ROOT);
        return plain.equals("none") || plain.equals("null")
                ? Optional.empty()
                : Optional.of(plain.replace("bfloat16", "bf16").replace("float16", "fp16"));
    }
}
