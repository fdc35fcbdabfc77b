// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.JsonFields;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Logs of MLPerf training: lines with `:::MLLOG` and an object each. Every rank may print them.
final class MlLogForm implements ResultForm {
    private static final String MARK = ":::MLLOG";
    private static final Pattern PLATFORM = Pattern.compile("(?:(\\d+)x ?)?(.+)");

    @Override
    public boolean recognises(ResultText text) {
        return text.holds(MARK);
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        List<JsonValue> events = new ArrayList<>();
        for (String line : text.lines()) {
            int at = line.indexOf(MARK);
            if (at >= 0) {
                parse(line.substring(at + MARK.length())).ifPresent(events::add);
            }
        }
        if (events.stream().anyMatch(event -> isKey(event, "loadgen_version") || isKey(event, "result_validity"))) {
            throw ResultsException.of("the detail log of MLPerf inference; give mlperf_log_summary.txt beside it");
        }
        requireSuccess(events);
        List<Double> rates = new ArrayList<>();
        List<Double> steps = new ArrayList<>();
        for (JsonValue event : events) {
            if (isKey(event, "tracked_stats")) {
                JsonFields.number(event, "value", "throughput").ifPresent(rates::add);
                JsonFields.number(event, "value", "train_step_time").ifPresent(steps::add);
            }
        }
        RunBuilder run = RunBuilder.of("MLPerf training").say(Fact.MODEL, text(events, "submission_benchmark"));
        text(events, "submission_platform").ifPresent(platform -> addPlatform(run, platform));
        double batch = number(events, "global_batch_size");
        run.say(Fact.GLOBAL_BATCH, batch).say(Fact.SEQUENCE_LENGTH, number(events, "max_sequence_length"));
        run.figure(Metric.SAMPLE_RATE, Statistic.MEDIAN, Numbers.median(rates));
        double step = Numbers.median(steps);
        run.figure(Metric.STEP_TIME, Statistic.MEDIAN, step);
        if (step > 0) {
            run.figure(Metric.SAMPLE_RATE, Statistic.MEDIAN, batch / step);
        }
        double sequence = number(events, "max_sequence_length");
        run.find(Metric.SAMPLE_RATE, Statistic.MEDIAN)
                .ifPresent(rate -> run.figure(Metric.TRAINING_RATE, Statistic.MEDIAN, rate * sequence));
        return run.runs("the log of MLPerf tracks no throughput and no step time");
    }

    private static void requireSuccess(List<JsonValue> events) {
        for (JsonValue event : events) {
            if (isKey(event, "run_stop")) {
                String status = JsonFields.text(event, "metadata", "status").orElse("unknown");
                if (!status.equals("success")) {
                    throw ResultsException.of("the run of MLPerf ended with status '" + status + "'");
                }
                return;
            }
        }
        throw ResultsException.of("the log of MLPerf is cut off before the end of the run");
    }

    /// Adds the platform; submitters count hosts, devices of a host, or nothing, so the count is not that of devices.
    private static void addPlatform(RunBuilder run, String platform) {
        Matcher matcher = PLATFORM.matcher(platform);
        if (matcher.matches()) {
            run.say(Fact.DEVICE, matcher.group(2));
        }
    }

    private static Optional<JsonValue> parse(String text) {
        try {
            return Optional.of(JsonValue.parse(text.strip()));
        } catch (DocumentException _) {
            return Optional.empty();
        }
    }

    private static boolean isKey(JsonValue event, String key) {
        return JsonFields.text(event, "key").orElse("").equals(key);
    }

    private static Optional<String> text(List<JsonValue> events, String key) {
        return events.stream()
                .filter(event -> isKey(event, key))
                .findFirst()
                .flatMap(event -> JsonFields.text(event, "value"));
    }

    private static double number(List<JsonValue> events, String key) {
        return events.stream()
                .filter(event -> isKey(event, key))
                .findFirst()
                .map(event -> JsonFields.number(event, "value").orElse(0))
                .orElse(0.0);
    }
}
