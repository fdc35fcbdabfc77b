// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Figure;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.measured.MeasuredTables;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.plan.training.TrainingFramework;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Runs as rows of the tables that predictions are compared with ([MeasuredTables]), so that one model predicts both.
/// Confined to one thread.
public final class RunRows {
    private static final List<String> INFERENCE = List.of(
            "row_id",
            "group_id",
            "provenance",
            "model",
            "device",
            "n_devices",
            "tp",
            "pp",
            "ep",
            "weight_dtype",
            "kv_dtype",
            "engine",
            "engine_version",
            "load",
            "batch",
            "input_len",
            "output_len",
            "context_depth",
            "metric",
            "value",
            "note",
            "arrival",
            "concurrency",
            "request_rate",
            "n_requests",
            "stat");
    private static final List<String> TRAINING = List.of(
            "row_id",
            "group_id",
            "source_id",
            "model",
            "device",
            "n_devices",
            "tp",
            "pp",
            "cp",
            "ep",
            "seq_len",
            "micro_batch",
            "global_batch",
            "precision",
            "framework",
            "tok_s_per_device",
            "note");
    private static final double MILLI = 1e3;
    /// The longest field of a table, less room for quotes.
    private static final int LONGEST = 900;
    /// A larger factor than rounding and uneven lengths explain.
    private static final double CONTRADICTION = 1.5;

    private final StringBuilder inference = new StringBuilder(String.join(",", INFERENCE)).append('\n');
    private final StringBuilder training = new StringBuilder(String.join(",", TRAINING)).append('\n');
    private int count;

    /// Adds the rows of a run.
    ///
    /// @param id prefix of their ids
    /// @param group their group
    /// @return number of rows; 0 if the run has no figure that is predicted
    public int add(String id, String group, MeasuredRun run, Deployment where) {
        int before = count;
        if (run.isTraining()) {
            addTraining(id, group, run, where);
        } else {
            addServing(id, group, run, where);
        }
        return count - before;
    }

    public MeasuredTables tables() {
        return MeasuredTables.of(
                Map.of(MeasuredTables.INFERENCE, inference.toString(), MeasuredTables.TRAINING, training.toString()));
    }

    private void addServing(String id, String group, MeasuredRun run, Deployment where) {
        double replicas = Math.max(1, run.findNumber(Fact.REPLICAS).orElse(1));
        double batch = Math.max(1, Math.rint(inFlight(run) / replicas));
        boolean isBurst = run.load().equals(Optional.of(Load.BURST));
        Map<String, String> row = new HashMap<>();
        row.put("group_id", group);
        row.put("model", where.model());
        row.put("device", where.device());
        row.put("n_devices", Integer.toString(where.tensor() * where.stages()));
        row.put("tp", Integer.toString(where.tensor()));
        row.put("pp", Integer.toString(where.stages()));
        row.put("ep", whole(run, Fact.EP));
        row.put("weight_dtype", where.format());
        row.put("kv_dtype", run.find(Fact.KV_FORMAT).orElse(""));
        row.put("engine", where.engine());
        row.put("engine_version", release(run));
        row.put("load", isBurst ? "offline_max" : batch == 1 ? "single_stream" : "static_batch");
        row.put("batch", isBurst ? "" : Numbers.text(batch));
        row.put("input_len", number(run, Fact.INPUT_TOKENS));
        row.put("output_len", number(run, Fact.OUTPUT_TOKENS));
        row.put("context_depth", number(run, Fact.DEPTH));
        row.put("arrival", run.load().map(load -> load.text().replace('-', '_')).orElse(""));
        row.put("concurrency", users(run));
        row.put("request_rate", number(run, Fact.RATE));
        row.put("n_requests", number(run, Fact.REQUESTS));
        values(run, batch, replicas, isBurst).forEach((metric, value) -> {
            row.put("row_id", id + " " + metric);
            row.put("metric", metric);
            row.put("value", Double.toString(value));
            append(inference, INFERENCE, row);
        });
    }

    /// Returns the predicted figures, by their names in tables. Of all requests at once, times to first token and
    /// between tokens are those of a queue; of a given rate, so is the throughput.
    private static Map<String, Double> values(MeasuredRun run, double batch, double replicas, boolean isBurst) {
        Map<String, Double> values = new LinkedHashMap<>();
        boolean isPaced = run.load().equals(Optional.of(Load.RATE));
        Optional<Double> first = usual(run, Metric.TTFT);
        Optional<Double> token = timePerToken(run);
        usual(run, Metric.PREFILL_RATE).ifPresent(rate -> values.put("prefill_tok_s", rate));
        usual(run, Metric.DECODE_RATE).ifPresent(rate -> values.put("decode_tok_s", rate));
        if (!values.isEmpty()) {
            return values;
        }
        if (!isPaced) {
            outputRate(run).ifPresent(rate -> values.put("out_tok_s", rate / replicas));
        }
        if (isBurst) {
            return values;
        }
        if (Deployment.isLlamaCpp(run)) {
            token.ifPresent(seconds -> values.put("decode_tok_s", batch / seconds));
            values.remove("out_tok_s");
            return values;
        }
        token.ifPresent(seconds -> values.put("tpot_ms", seconds * MILLI));
        boolean isAlone = batch == 1 || run.load().equals(Optional.of(Load.STATIC_BATCH));
        if (isAlone && !isPaced) {
            first.ifPresent(seconds -> values.put("ttft_ms", seconds * MILLI));
        }
        boolean isStatic = run.load().equals(Optional.of(Load.STATIC_BATCH));
        if (values.isEmpty() && isStatic) {
            usual(run, Metric.END_TO_END).ifPresent(seconds -> values.put("e2e_latency_s", seconds));
        }
        return values;
    }

    /// Returns the time per output token. Some clients count pieces of a stream as tokens: if latency and length of
    /// answers say otherwise, they are believed.
    private static Optional<Double> timePerToken(MeasuredRun run) {
        Optional<Double> told = usual(run, Metric.TPOT).or(() -> usual(run, Metric.ITL));
        double output = run.findNumber(Fact.OUTPUT_TOKENS).orElse(0);
        double whole = run.find(Metric.END_TO_END, Statistic.MEAN).orElse(0);
        double first = run.find(Metric.TTFT, Statistic.MEAN).orElse(whole);
        double counted = output > 1 ? (whole - first) / (output - 1) : 0;
        boolean isOther = told.isPresent()
                && counted > 0
                && (counted > told.get() * CONTRADICTION || counted < told.get() / CONTRADICTION);
        return isOther ? Optional.of(counted) : told;
    }

    /// Returns the output tokens per second; if only all tokens are counted, their part by the lengths.
    private static Optional<Double> outputRate(MeasuredRun run) {
        double input = run.findNumber(Fact.INPUT_TOKENS).orElse(0);
        double output = run.findNumber(Fact.OUTPUT_TOKENS).orElse(0);
        Optional<Double> rate = usual(run, Metric.OUTPUT_RATE);
        return rate.isPresent() || output <= 0
                ? rate
                : usual(run, Metric.TOTAL_RATE).map(all -> all * output / (input + output));
    }

    /// Returns the requests in flight: the limit, or, at a given rate, the number by Little's law.
    private static double inFlight(MeasuredRun run) {
        if (!run.load().equals(Optional.of(Load.RATE))) {
            return run.findNumber(Fact.CONCURRENCY).orElse(1);
        }
        double rate = run.findUsual(Metric.REQUEST_RATE)
                .map(Figure::value)
                .orElse(run.findNumber(Fact.RATE).orElse(0));
        double output = run.findNumber(Fact.OUTPUT_TOKENS).orElse(1);
        double whole = usual(run, Metric.END_TO_END)
                .orElse(usual(run, Metric.TTFT).orElse(0.0)
                        + output * timePerToken(run).orElse(0.0));
        double all = rate * whole;
        // Requests that wait for their first token are not in decode.
        double waiting = rate * usual(run, Metric.TTFT).orElse(0.0);
        return Math.max(1, all - waiting);
    }

    private void addTraining(String id, String group, MeasuredRun run, Deployment where) {
        double devices = run.findNumber(Fact.DEVICES).orElse(1);
        double sequence = run.findNumber(Fact.SEQUENCE_LENGTH).orElse(0);
        Optional<Double> each = usual(run, Metric.TRAINING_DEVICE_RATE)
                .or(() -> usual(run, Metric.TRAINING_RATE).map(rate -> rate / devices))
                .or(() -> usual(run, Metric.SAMPLE_RATE).map(rate -> rate * sequence / devices));
        if (each.isEmpty() || !(each.get() > 0)) {
            return;
        }
        Map<String, String> row = new HashMap<>();
        row.put("row_id", id + " tok_s_per_device");
        row.put("group_id", group);
        row.put("source_id", release(run));
        row.put("model", where.model());
        row.put("device", where.device());
        row.put("n_devices", whole(run, Fact.DEVICES));
        row.put("tp", whole(run, Fact.TP));
        row.put("pp", whole(run, Fact.PP));
        row.put("cp", whole(run, Fact.CP));
        row.put("ep", whole(run, Fact.EP));
        row.put("seq_len", Numbers.text(sequence));
        row.put("micro_batch", number(run, Fact.MICRO_BATCH));
        row.put("global_batch", number(run, Fact.GLOBAL_BATCH));
        row.put("precision", run.find(Fact.PRECISION).orElse("bf16"));
        row.put(
                "framework",
                TrainingFramework.find(where.engine())
                        .map(TrainingFramework::measuredAs)
                        .orElse(where.engine()));
        row.put("tok_s_per_device", Double.toString(each.get()));
        append(training, TRAINING, row);
    }

    private static Optional<Double> usual(MeasuredRun run, Metric metric) {
        return run.findUsual(metric).map(Figure::value);
    }

    private static String number(MeasuredRun run, Fact fact) {
        return run.findNumber(fact).isPresent()
                ? Numbers.text(run.findNumber(fact).getAsDouble())
                : "";
    }

    /// Returns the users; some tools report the mean number of requests in flight.
    private static String users(MeasuredRun run) {
        return run.findNumber(Fact.CONCURRENCY).isPresent()
                ? Numbers.text(Math.rint(run.findNumber(Fact.CONCURRENCY).getAsDouble()))
                : "";
    }

    private static String whole(MeasuredRun run, Fact fact) {
        return run.findNumber(fact).isPresent() ? Integer.toString(Deployment.degree(run, fact)) : "";
    }

    private static String release(MeasuredRun run) {
        return run.find(Fact.RELEASE).orElse("").toLowerCase(Locale.ROOT);
    }

    private void append(StringBuilder table, List<String> columns, Map<String, String> row) {
        for (int i = 0; i < columns.size(); i++) {
            table.append(i == 0 ? "" : ",").append(quoted(row.getOrDefault(columns.get(i), "")));
        }
        table.append('\n');
        count++;
    }

    private static String quoted(String text) {
        if (text.isEmpty()) {
            return text;
        }
        StringBuilder plain = new StringBuilder("\"");
        // The end of a long path says more.
        for (int i = Math.max(0, text.length() - LONGEST); i < text.length(); i++) {
            char c = text.charAt(i);
            plain.append(c == '"' ? "\"\"" : c < ' ' || c == 0x7F ? " " : Character.toString(c));
        }
        return plain.append('"').toString();
    }
}
