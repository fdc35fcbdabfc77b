// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.Gap;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.timed.TimedFiles;
import dev.muster.detect.timed.TimedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.FlightRecorder;

/// One probe at work on a thread of its own.
final class ProbeRun {
    private static final double MILLIS = 1000.0;
    private static final int MOST_GAPS = 64;

    private final Probe probe;
    private final Duration limit;
    private final TimedTask<ProbeReport> task;
    private final long started = System.nanoTime();
    private volatile long ended;

    private ProbeRun(Probe probe, ProbeContext context, TimedFiles files, Duration limit) {
        this.probe = probe;
        this.limit = limit;
        this.task = TimedTask.start(probe.name(), files, () -> ask(context));
    }

    /// Starts to ask.
    ///
    /// @param files the files of the context's host
    static ProbeRun start(Probe probe, ProbeContext context, TimedFiles files, Duration limit) {
        return new ProbeRun(probe, context, files, limit);
    }

    /// A probe that breaks its promise and throws costs its own answer, not the others'.
    private ProbeReport ask(ProbeContext context) {
        try {
            // An event class is in no start-up cache: the first one opens the jar and loads 114 classes.
            ProbeReport report =
                    FlightRecorder.isInitialized() ? ProbeEvent.record(name(), () -> read(context)) : read(context);
            log(name(), report, context);
            return report;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            context.log().log(System.Logger.Level.ERROR, name() + ": the probe failed", e);
            return failed(e);
        } finally {
            ended = System.nanoTime();
        }
    }

    private ProbeReport read(ProbeContext context) {
        return shorten(probe.probe(context));
    }

    /// Of a source that talks nonsense every line could be a gap: people need the first ones, and to know of the rest.
    private ProbeReport shorten(ProbeReport report) {
        int more = report.gaps().size() - MOST_GAPS;
        if (more <= 0) {
            return report;
        }
        List<Gap> gaps = new ArrayList<>(report.gaps().subList(0, MOST_GAPS));
        gaps.add(new Gap.Unparsable(name(), more + " more like these"));
        return new ProbeReport(report.profiles(), gaps, report.interconnects(), report.nodes(), report.links());
    }

    static void log(String name, ProbeReport report, ProbeContext context) {
        context.log().log(
                System.Logger.Level.DEBUG,
                () -> name + ": " + report.profiles().size() + " devices, "
                        + report.gaps().size() + " gaps");
    }

    private ProbeReport failed(Throwable e) {
        return ProbeReport.builder()
                .add(new Gap.ProbeFailed(name(), String.valueOf(e)))
                .build();
    }

    TimedTask<?> task() {
        return task;
    }

    /// The report; a gap in its place if the probe is not done, and then it is told to stop.
    ProbeReport report() {
        return task.finish(limit)
                .orElseGet(() -> ProbeReport.builder()
                        .add(new Gap.Timeout(name(), limit.toMillis() / MILLIS))
                        .build());
    }

    Duration took() {
        long end = task.isDone() ? ended : System.nanoTime();
        return Duration.ofNanos(end - started);
    }

    String name() {
        return probe.name();
    }
}
