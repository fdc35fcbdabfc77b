// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import dev.muster.evidence.measured.MeasuredRun;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import dev.muster.evidence.results.form.Numbers;
import dev.muster.evidence.results.form.ResultsException;
import dev.muster.evidence.results.form.RunBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/// The steps of a training, of which only the steady state counts: not the first, which compiles and allocates, nor
/// those far from the median, such as steps that were only dispatched, or that wrote a checkpoint. Confined to one
/// thread.
final class StepLog {
    /// The largest distance from the median of a step in the steady state.
    private static final double FAR_OFF = 1.5;
    /// An upper bound of the difference between two logs of the same run.
    private static final double SAME = 0.01;

    private final String tool;
    private final List<List<Step>> runs = new ArrayList<>();

    StepLog(String tool) {
        this.tool = tool;
    }

    /// One step, or the mean of some, from a line of the log; 0 for missing values.
    ///
    /// @param number number of the step
    /// @param of number of steps of the run
    /// @param seconds duration
    /// @param rate tokens per second over all devices
    /// @param deviceRate tokens per second on each device
    /// @param operations operations per second on each device
    /// @param batch sequences over all devices
    record Step(
            double number,
            double of,
            double seconds,
            double rate,
            double deviceRate,
            double operations,
            double batch) {}

    /// Adds a step. A repeated one was printed by another rank; one before the last begins another run.
    void add(Step step) {
        if (runs.isEmpty()) {
            runs.add(new ArrayList<>());
        }
        List<Step> run = runs.getLast();
        if (!run.isEmpty()) {
            Step last = run.getLast();
            if (step.number() < last.number() || step.of() != last.of()) {
                run = new ArrayList<>();
                runs.add(run);
            } else if (step.number() == last.number()) {
                return;
            }
        }
        run.add(step);
    }

    /// Returns the runs.
    ///
    /// @param facts adds the facts that the log states beside its steps
    /// @throws ResultsException if none has a steady state
    List<MeasuredRun> finish(Consumer<RunBuilder> facts) {
        List<MeasuredRun> found = new ArrayList<>();
        for (List<Step> run : runs) {
            List<Step> steady = steady(run);
            if (!steady.isEmpty()) {
                MeasuredRun next = build(steady, facts);
                if (found.stream().noneMatch(known -> isSame(known, next))) {
                    found.add(next);
                }
            }
        }
        if (found.isEmpty()) {
            throw ResultsException.of(
                    runs.isEmpty()
                            ? "the log has no step with a time or a speed"
                            : "the log has only the first step, which is warm-up, not steady state");
        }
        return found;
    }

    private MeasuredRun build(List<Step> steady, Consumer<RunBuilder> facts) {
        RunBuilder builder = RunBuilder.of(tool);
        builder.say(Fact.GLOBAL_BATCH, steady.getLast().batch());
        facts.accept(builder);
        double seconds = median(steady, Step::seconds);
        builder.figure(Metric.STEP_TIME, Statistic.MEDIAN, seconds);
        builder.figure(Metric.TRAINING_RATE, Statistic.MEDIAN, median(steady, Step::rate));
        builder.figure(Metric.TRAINING_DEVICE_RATE, Statistic.MEDIAN, median(steady, Step::deviceRate));
        builder.figure(Metric.DEVICE_OPERATIONS, Statistic.MEDIAN, median(steady, Step::operations));
        derive(builder, seconds);
        return builder.build();
    }

    /// Adds the tokens per second from batch, sequence and step time.
    private static void derive(RunBuilder builder, double seconds) {
        double batch = number(builder, Fact.GLOBAL_BATCH);
        double sequence = number(builder, Fact.SEQUENCE_LENGTH);
        double devices = number(builder, Fact.DEVICES);
        if (seconds > 0 && batch > 0) {
            builder.figure(Metric.SAMPLE_RATE, Statistic.MEDIAN, batch / seconds);
            builder.figure(Metric.TRAINING_RATE, Statistic.MEDIAN, batch * sequence / seconds);
        }
        OptionalDouble rate = builder.find(Metric.TRAINING_RATE, Statistic.MEDIAN);
        if (rate.isPresent() && devices > 0) {
            builder.figure(Metric.TRAINING_DEVICE_RATE, Statistic.MEDIAN, rate.getAsDouble() / devices);
        }
    }

    private static double number(RunBuilder builder, Fact fact) {
        return builder.find(fact)
                .map(Numbers::find)
                .orElse(OptionalDouble.empty())
                .orElse(0);
    }

    /// Returns all steps but the first and those far off. A log that begins later has no first one.
    private static List<Step> steady(List<Step> run) {
        boolean isWarm = run.getFirst().number() > 1 && run.size() == 1;
        List<Step> rest = isWarm ? run : run.subList(1, run.size());
        double usual = median(rest, StepLog::time);
        return rest.stream()
                .filter(step -> time(step) <= usual * FAR_OFF && time(step) >= usual / FAR_OFF)
                .toList();
    }

    /// Returns a value proportional to the time of a step.
    private static double time(Step step) {
        return step.seconds() > 0
                ? step.seconds()
                : step.deviceRate() > 0 ? 1 / step.deviceRate() : step.rate() > 0 ? 1 / step.rate() : 0;
    }

    private static double median(List<Step> steps, ToDoubleFunction<Step> value) {
        return Numbers.median(steps.stream()
                .map(value::applyAsDouble)
                .filter(known -> known > 0)
                .toList());
    }

    private static boolean isSame(MeasuredRun one, MeasuredRun other) {
        return one.facts().equals(other.facts())
                && one.figures().size() == other.figures().size()
                && one.figures().stream()
                        .allMatch(figure -> Math.abs(other.find(figure.metric(), figure.statistic())
                                                        .orElse(0)
                                                / figure.value()
                                        - 1)
                                < SAME);
    }
}
