// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultForm;
import dev.muster.evidence.results.form.ResultText;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A log with a line for each training step.
abstract class StepLogForm implements ResultForm {
    static final double MILLI = 1e-3;
    static final double TERA = 1e12;

    private final String tool;

    StepLogForm(String tool) {
        this.tool = tool;
    }

    /// Returns the step of a line, if it has one.
    abstract Optional<StepLog.Step> step(String line);

    /// Adds the facts of other lines of the log.
    abstract void addFacts(RunBuilder run, ResultText text);

    @Override
    public final boolean recognises(ResultText text) {
        return text.lines().stream().anyMatch(line -> step(line).isPresent());
    }

    @Override
    public final List<MeasuredRun> read(ResultText text) {
        StepLog log = new StepLog(tool);
        text.lines().forEach(line -> step(line).ifPresent(log::add));
        return log.finish(run -> addFacts(run, text));
    }

    /// Returns the number behind the first group of a pattern; 0 if the pattern is not in a line.
    static double value(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Numbers.findSuffixed(matcher.group(1)).orElse(0) : 0;
    }
}
