package dev.muster.detect;

import dev.muster.core.Gap;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One probe at work on a thread of its own. A platform thread: reads of device files and calls into drivers block it,
/// and one that never returns must not take a carrier of virtual threads with it.
final class ProbeRun {
    private static final double MILLIS = 1000.0;

    private final Probe probe;
    private final ProbeContext context;
    private final Duration limit;
    private final CountDownLatch done = new CountDownLatch(1);
    private final Thread thread;
    private final long started = System.nanoTime();
    private volatile @Nullable ProbeReport report;
    private volatile long ended;

    private ProbeRun(Probe probe, ProbeContext context, Duration limit) {
        this.probe = probe;
        this.context = context;
        this.limit = limit;
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("muster-probe-" + probe.name())
                .unstarted(this::run);
    }

    static ProbeRun start(Probe probe, ProbeContext context, Duration limit) {
        ProbeRun run = new ProbeRun(probe, context, limit);
        run.thread.start();
        return run;
    }

    private void run() {
        report = ask();
        ended = System.nanoTime();
        done.countDown();
    }

    /// A probe that breaks its promise and throws costs its own answer, not the others'.
    private ProbeReport ask() {
        try {
            return probe.probe(context);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            context.log().log(System.Logger.Level.ERROR, name() + ": the probe failed", e);
            return ProbeReport.builder()
                    .add(new Gap.ProbeFailed(name(), String.valueOf(e)))
                    .build();
        }
    }

    /// The report; after the given time, a gap in its place, and the thread is told to stop.
    ProbeReport await(Duration patience) {
        try {
            if (done.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                ProbeReport finished = report;
                return finished == null ? ProbeReport.EMPTY : finished;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
        return ProbeReport.builder()
                .add(new Gap.TimedOut(name(), limit.toMillis() / MILLIS))
                .build();
    }

    Detection.Timing timing() {
        long end = done.getCount() == 0 ? ended : System.nanoTime();
        return new Detection.Timing(name(), Duration.ofNanos(end - started));
    }

    String name() {
        return probe.name();
    }
}
