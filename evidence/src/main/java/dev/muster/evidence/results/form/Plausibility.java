// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Load;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import java.util.List;
import java.util.OptionalDouble;

/// Finds figures in another unit than their key states. Requests in flight follow from the time of each and the rate
/// of answers (Little's law): if that is a thousand times off, so is the unit.
public final class Plausibility {
    /// A lower bound of the time per token of one sequence, in seconds.
    private static final double FASTEST_TOKEN = 1e-4;
    /// A lower bound of the time to first token over a network, in seconds.
    private static final double FASTEST_FIRST = 2e-4;
    /// A factor below that of a wrong unit, and above the effects of a run's start and end.
    private static final double FAR_OFF = 50;

    private Plausibility() {}

    /// Checks a run.
    ///
    /// @param duration duration of the run, in seconds
    /// @param completed number of requests that were answered
    /// @throws ResultsException if its figures contradict one another
    public static void check(RunBuilder run, OptionalDouble duration, OptionalDouble completed) {
        if (!run.hasFigures()) {
            throw ResultsException.of("the file has no figure above 0");
        }
        double token = usual(run, Metric.TPOT);
        double first = usual(run, Metric.TTFT);
        boolean isTooFast = (token > 0 && token < FASTEST_TOKEN) || (first > 0 && first < FASTEST_FIRST);
        if (isTooFast) {
            throw ResultsException.of("its times are too short for any device (TTFT " + (float) (first * 1e3)
                    + " ms, TPOT " + (float) (token * 1e3)
                    + " ms): they look like seconds in keys of milliseconds");
        }
        checkInFlight(run, duration.orElse(0), completed.orElse(0));
    }

    private static void checkInFlight(RunBuilder run, double duration, double completed) {
        double whole = wholeTime(run);
        if (!(duration > 0 && completed > 0 && whole > 0)) {
            return;
        }
        double inFlight = completed * whole / duration;
        double most = Math.min(completed, number(run, Fact.CONCURRENCY).orElse(completed));
        if (inFlight > most * FAR_OFF) {
            throw ResultsException.of("its times are too long for a run of " + (float) duration
                    + " s: they look like milliseconds in keys of seconds");
        }
        boolean isFull = run.find(Fact.LOAD).orElse("").equals(Load.CLOSED_LOOP.text());
        if (isFull && inFlight * FAR_OFF < most) {
            throw ResultsException.of("its times are too short for " + Numbers.text(most)
                    + " requests in flight: they look like seconds in keys of milliseconds");
        }
    }

    /// Returns the time of a request, in seconds; 0 if it is not known.
    private static double wholeTime(RunBuilder run) {
        double whole = usual(run, Metric.END_TO_END);
        if (whole > 0) {
            return whole;
        }
        double token = usual(run, Metric.TPOT);
        double output = number(run, Fact.OUTPUT_TOKENS).orElse(0);
        return token > 0 && output > 0 ? usual(run, Metric.TTFT) + token * Math.max(0, output - 1) : 0;
    }

    private static OptionalDouble number(RunBuilder run, Fact fact) {
        return run.find(fact).map(Numbers::find).orElse(OptionalDouble.empty());
    }

    private static double usual(RunBuilder run, Metric metric) {
        for (Statistic statistic : List.of(Statistic.MEAN, Statistic.MEDIAN)) {
            OptionalDouble value = run.find(metric, statistic);
            if (value.isPresent()) {
                return value.getAsDouble();
            }
        }
        return 0;
    }
}
