// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.StepLog.Step;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A log with a line for each training step, by the words before its values. Confined to one thread until all parts
/// are named.
final class StepLogForm implements ResultForm {
    private static final double MILLI = 1e-3;
    private static final double TERA = 1e12;

    private final String tool;
    private final Facts facts;
    private final Map<Part, Pattern> parts = new EnumMap<>(Part.class);
    private final Set<Part> required = EnumSet.noneOf(Part.class);

    private StepLogForm(String tool, Facts facts) {
        this.tool = tool;
        this.facts = facts;
    }

    /// A value in the line of a step.
    enum Part {
        STEP,
        STEPS,
        SECONDS,
        MILLISECONDS,
        /// Sequences per second, of a batch of one.
        SAMPLE_RATE,
        RATE,
        DEVICE_RATE,
        TERA_OPERATIONS,
        BATCH,
        /// A word without a value.
        MARK
    }

    /// Adds the facts of other lines of the log.
    @FunctionalInterface
    interface Facts {
        void add(RunBuilder run, ResultText text);
    }

    static StepLogForm of(String tool, Facts facts) {
        return new StepLogForm(tool, facts);
    }

    /// Adds a part that a line may have.
    ///
    /// @param pattern has the value as its first group
    StepLogForm with(Part part, String pattern) {
        parts.put(part, Pattern.compile(pattern));
        return this;
    }

    /// Adds a part without which a line is not that of a step.
    StepLogForm requiring(Part part, String pattern) {
        required.add(part);
        return with(part, pattern);
    }

    @Override
    public boolean recognises(ResultText text) {
        return text.lines().stream().anyMatch(line -> step(line).isPresent());
    }

    @Override
    public List<MeasuredRun> read(ResultText text) {
        StepLog log = new StepLog(tool);
        text.lines().forEach(line -> step(line).ifPresent(log::add));
        return log.finish(run -> facts.add(run, text));
    }

    private Optional<Step> step(String line) {
        for (Part part : required) {
            boolean isNumbered = part == Part.STEP || part == Part.MARK;
            if (isNumbered ? find(part, line).isEmpty() : value(part, line) <= 0) {
                return Optional.empty();
            }
        }
        double samples = value(Part.SAMPLE_RATE, line);
        return Optional.of(new Step(
                value(Part.STEP, line),
                value(Part.STEPS, line),
                samples > 0 ? 1 / samples : value(Part.SECONDS, line) + value(Part.MILLISECONDS, line) * MILLI,
                value(Part.RATE, line),
                value(Part.DEVICE_RATE, line),
                value(Part.TERA_OPERATIONS, line) * TERA,
                samples > 0 ? 1 : value(Part.BATCH, line)));
    }

    /// Returns a value; 0 if the line lacks it.
    private double value(Part part, String line) {
        return find(part, line)
                .map(Numbers::findSuffixed)
                .orElse(OptionalDouble.empty())
                .orElse(0);
    }

    private Optional<String> find(Part part, String line) {
        Pattern pattern = parts.get(part);
        if (pattern == null) {
            return Optional.empty();
        }
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
