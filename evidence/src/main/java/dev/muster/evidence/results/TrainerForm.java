// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.core.json.JsonValue;
import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.results.form.JsonFields;
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

/// The Trainer of transformers: `trainer_state.json`, `train_results.json`, and the last line that every rank prints.
final class TrainerForm implements ResultForm {
    private static final String TOOL = "transformers Trainer";
    private static final Pattern LINE =
            Pattern.compile("\\{'train_runtime': '?([^,}']+)'?, 'train_samples_per_second': '?([^,}']+)'?.*");
    /// The largest relative difference between ranks of a run.
    private static final double SAME = 0.01;

    @Override
    public boolean recognises(ResultText text) {
        return JsonFields.has(text.first(), "log_history")
                || JsonFields.has(text.first(), "train_runtime")
                || text.holds("'train_runtime':");
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        if (JsonFields.has(text.first(), "log_history")) {
            return ofState(text.first());
        }
        if (JsonFields.has(text.first(), "train_runtime")) {
            return List.of(run(text.first(), OptionalDouble.empty()));
        }
        List<MeasuredRun> runs = new ArrayList<>();
        double last = 0;
        for (String line : text.lines()) {
            Matcher matcher = LINE.matcher(line.strip());
            if (matcher.find()) {
                double seconds = Numbers.find(matcher.group(1)).orElse(0);
                boolean isOther = Math.abs(seconds - last) > SAME * seconds;
                if (isOther && seconds > 0) {
                    runs.add(run(Numbers.find(matcher.group(2))));
                    last = seconds;
                }
            }
        }
        if (runs.isEmpty()) {
            throw ResultsException.of("the log has no finished training");
        }
        return runs;
    }

    private static MeasuredRun run(OptionalDouble samples) {
        RunBuilder run = RunBuilder.of(TOOL).say(Fact.ENGINE, "transformers");
        run.mean(Metric.SAMPLE_RATE, samples);
        return required(run);
    }

    private static List<MeasuredRun> ofState(JsonValue state) {
        List<JsonValue> history = JsonFields.items(state, "log_history");
        for (int i = history.size() - 1; i >= 0; i--) {
            if (JsonFields.number(history.get(i), "train_runtime").orElse(0) > 0) {
                return List.of(run(history.get(i), tokens(state, history)));
            }
        }
        throw ResultsException.of("trainer_state.json of a checkpoint in the middle of a run: it has no train_runtime,"
                + " so the throughput is unknown; give that of the finished run");
    }

    /// Returns the trained tokens; a count of 0 means that they were not counted.
    private static OptionalDouble tokens(JsonValue state, List<JsonValue> history) {
        double seen = JsonFields.number(state, "num_input_tokens_seen").orElse(0);
        for (JsonValue entry : history) {
            seen = Math.max(seen, JsonFields.number(entry, "num_tokens").orElse(0));
            seen = Math.max(
                    seen, JsonFields.number(entry, "num_input_tokens_seen").orElse(0));
        }
        return seen > 0 ? OptionalDouble.of(seen) : OptionalDouble.empty();
    }

    private static MeasuredRun run(JsonValue entry, OptionalDouble tokens) {
        RunBuilder run = RunBuilder.of(TOOL).say(Fact.ENGINE, "transformers");
        double seconds = JsonFields.number(entry, "train_runtime").orElse(0);
        run.mean(Metric.SAMPLE_RATE, JsonFields.number(entry, "train_samples_per_second"));
        double steps = JsonFields.number(entry, "train_steps_per_second").orElse(0);
        if (steps > 0) {
            run.mean(Metric.STEP_TIME, 1 / steps);
        }
        run.mean(Metric.TRAINING_RATE, JsonFields.number(entry, "train_tokens_per_second"));
        if (tokens.isPresent() && seconds > 0) {
            run.mean(Metric.TRAINING_RATE, tokens.getAsDouble() / seconds);
        }
        return required(run);
    }

    private static MeasuredRun required(RunBuilder run) {
        if (!run.hasFigures()) {
            throw ResultsException.of("the training failed: its speed is 0");
        }
        return run.build();
    }
}
