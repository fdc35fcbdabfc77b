// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Origin;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.JsonForm;
import dev.muster.evidence.results.form.KeyedLines;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Files of simulators: their measurements, and their computed results, which are not measurements.
final class SimulatorForms {
    private static final double MILLI = 1e-3;
    private static final double NANO = 1e-9;

    private SimulatorForms() {}

    static List<ResultForm> all() {
        return List.of(
                new SimulatedRequests(),
                new TimeSeries(),
                new Validation(),
                new SimulatorLog(),
                new Blis(),
                new Splitwise(),
                new Kernels());
    }

    /// Requests simulated by LLMServingSim, in nanoseconds.
    private static final class SimulatedRequests extends CsvForm {
        SimulatedRequests() {
            super("instance id", "request id", "TTFT", "TPOT");
        }

        @Override
        List<MeasuredRun> readRows(List<Row> rows) {
            RunBuilder run = RunBuilder.of("LLMServingSim").origin(Origin.SIMULATED);
            run.say(Fact.MODEL, rows.getFirst().text("model")).say(Fact.REQUESTS, rows.size());
            run.say(Fact.INPUT_TOKENS, mean(rows, "input", 1)).say(Fact.OUTPUT_TOKENS, mean(rows, "output", 1));
            run.figures(Metric.TTFT, values(rows, "TTFT", NANO));
            run.figures(Metric.TPOT, values(rows, "TPOT", NANO));
            run.figures(Metric.END_TO_END, values(rows, "latency", NANO));
            return List.of(run.build());
        }
    }

    /// A server's report of each second. Seconds without work count: they are part of the run.
    private static final class TimeSeries extends CsvForm {
        TimeSeries() {
            super("t", "prompt_throughput", "gen_throughput", "running");
        }

        @Override
        List<MeasuredRun> readRows(List<Row> rows) {
            RunBuilder run = RunBuilder.of("vLLM time series").say(Fact.ENGINE, "vllm");
            run.mean(Metric.OUTPUT_RATE, mean(rows, "gen_throughput", 1));
            run.mean(Metric.TOTAL_RATE, mean(rows, "gen_throughput", 1) + mean(rows, "prompt_throughput", 1));
            return run.runs("the time series has no second with a token");
        }
    }

    /// A comparison of a measured run with a simulated one: its first column of figures is the measured one.
    private static final class Validation implements ResultForm {
        private static final Pattern ROW = Pattern.compile(
                "(TTFT|TPOT|Latency) (Mean|Median|P90|P95|P99)\\s+([0-9.,]+)\\s+([0-9.,]+)\\s+\\S+\\s*");

        @Override
        public boolean recognises(ResultText text) {
            return text.head().startsWith("Metric")
                    && text.head().contains("vLLM")
                    && text.head().contains("Sim");
        }

        @Override
        public List<MeasuredRun> read(ResultText text) {
            RunBuilder run = RunBuilder.of("LLMServingSim validation").say(Fact.ENGINE, "vllm");
            for (String line : text.lines()) {
                Matcher matcher = ROW.matcher(line);
                if (matcher.matches()) {
                    Metric metric = switch (matcher.group(1)) {
                        case "TTFT" -> Metric.TTFT;
                        case "TPOT" -> Metric.TPOT;
                        default -> Metric.END_TO_END;
                    };
                    run.figure(metric, statistic(matcher.group(2)), Numbers.find(matcher.group(3)), MILLI);
                }
            }
            return run.runs("the comparison has no measured figure: the file is cut off");
        }
    }

    private static Statistic statistic(String name) {
        return switch (name) {
            case "Mean" -> Statistic.MEAN;
            case "P90" -> Statistic.P90;
            case "P95" -> Statistic.P95;
            case "P99" -> Statistic.P99;
            default -> Statistic.MEDIAN;
        };
    }

    /// The final terminal output of LLMServingSim.
    private static final class SimulatorLog implements ResultForm {
        @Override
        public boolean recognises(ResultText text) {
            return text.holds("Simulation results") || text.holds("Total simulation time:");
        }

        @Override
        public List<MeasuredRun> read(ResultText text) {
            KeyedLines lines = KeyedLines.of(text.lines());
            RunBuilder run = RunBuilder.of("LLMServingSim").origin(Origin.SIMULATED);
            double requests = lines.number("Total requests").orElse(0);
            run.say(Fact.REQUESTS, requests);
            if (requests > 0) {
                run.say(Fact.INPUT_TOKENS, lines.number("Total input tokens").orElse(0) / requests);
                run.say(
                        Fact.OUTPUT_TOKENS,
                        lines.number("Total generated tokens").orElse(0) / requests);
            }
            run.mean(Metric.OUTPUT_RATE, lines.number("Average generation throughput (tok/s)"));
            for (Metric metric : List.of(Metric.TTFT, Metric.TPOT, Metric.ITL)) {
                for (String name : List.of("Mean", "Median", "P99")) {
                    run.figure(metric, statistic(name), lines.number(name + " " + metric.display() + " (ms)"), MILLI);
                }
            }
            return run.runs("the log of the simulator is cut off before its results");
        }
    }

    /// Expected outputs of BLIS.
    private static final class Blis extends JsonForm {
        @Override
        public boolean recognises(JsonValue item) {
            List<JsonValue> tests = JsonFields.items(item, "tests");
            return !tests.isEmpty()
                    && JsonFields.at(tests.getFirst(), "metrics", "e2e_mean_ms").isPresent();
        }

        @Override
        public List<MeasuredRun> read(JsonValue item) {
            List<MeasuredRun> runs = new ArrayList<>();
            for (JsonValue test : JsonFields.items(item, "tests")) {
                JsonValue metrics = JsonFields.at(test, "metrics").orElse(test);
                double requests =
                        JsonFields.number(metrics, "completed_requests").orElse(0);
                RunBuilder run = RunBuilder.of("BLIS").origin(Origin.SIMULATED);
                run.say(Fact.MODEL, JsonFields.text(test, "model"));
                run.say(Fact.DEVICE, JsonFields.text(test, "hardware"));
                run.say(Fact.TP, JsonFields.number(test, "tp")).say(Fact.REQUESTS, requests);
                run.load(Load.RATE).say(Fact.RATE, JsonFields.number(test, "rate"));
                if (requests > 0) {
                    run.say(
                            Fact.INPUT_TOKENS,
                            JsonFields.number(metrics, "total_input_tokens").orElse(0) / requests);
                    run.say(
                            Fact.OUTPUT_TOKENS,
                            JsonFields.number(metrics, "total_output_tokens").orElse(0) / requests);
                }
                run.mean(Metric.OUTPUT_RATE, JsonFields.number(metrics, "tokens_per_sec"));
                for (Statistic statistic : List.of(Statistic.MEAN, Statistic.P90, Statistic.P95, Statistic.P99)) {
                    String name = statistic.text();
                    run.figure(Metric.TTFT, statistic, JsonFields.number(metrics, "ttft_" + name + "_ms"), MILLI);
                    run.figure(Metric.ITL, statistic, JsonFields.number(metrics, "itl_" + name + "_ms"), MILLI);
                    run.figure(Metric.END_TO_END, statistic, JsonFields.number(metrics, "e2e_" + name + "_ms"), MILLI);
                }
                if (run.hasFigures()) {
                    runs.add(run.build());
                }
            }
            return runs;
        }
    }

    /// Measured prompt and token times of Splitwise: static batches, in milliseconds.
    private static final class Splitwise extends CsvForm {
        Splitwise() {
            super("model", "hardware", "prompt_size", "batch_size", "prompt_time", "token_time");
        }

        @Override
        List<MeasuredRun> readRows(List<Row> rows) {
            List<MeasuredRun> runs = new ArrayList<>();
            for (Row row : rows) {
                runs.add(RunBuilder.of("Splitwise")
                        .say(Fact.MODEL, row.text("model"))
                        .say(Fact.DEVICE, row.text("hardware"))
                        .say(Fact.TP, row.number("tensor_parallel"))
                        .say(Fact.DEVICES, row.number("tensor_parallel"))
                        .load(Load.STATIC_BATCH)
                        .say(Fact.CONCURRENCY, row.number("batch_size"))
                        .say(Fact.INPUT_TOKENS, row.number("prompt_size"))
                        .say(Fact.OUTPUT_TOKENS, row.number("token_size"))
                        .figure(Metric.TTFT, Statistic.MEAN, row.number("prompt_time"), MILLI)
                        .figure(Metric.TPOT, Statistic.MEAN, row.number("token_time"), MILLI)
                        .figure(Metric.END_TO_END, Statistic.MEAN, row.number("e2e_time"), MILLI)
                        .build());
            }
            return runs;
        }
    }

    /// Times of single operations, which Vidur profiles.
    private static final class Kernels implements ResultForm {
        @Override
        public boolean recognises(ResultText text) {
            return text.head().contains("time_stats.");
        }

        @Override
        public List<MeasuredRun> read(ResultText text) {
            throw ResultsException.of("times of single operations, measured by Vidur: they describe no run of a model");
        }
    }

    private static double mean(List<CsvForm.Row> rows, String column, double scale) {
        return Numbers.mean(values(rows, column, scale));
    }

    private static List<Double> values(List<CsvForm.Row> rows, String column, double scale) {
        return rows.stream().map(row -> row.amount(column) * scale).toList();
    }
}
