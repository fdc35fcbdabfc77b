// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeReport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Finds the devices of a host. Immutable and safe to share between threads.
///
/// ```java
/// AcceleratorRegistry registry = Detector.ofThisHost().detect();
/// ```
///
/// @since 0.1
public final class Detector {
    private final Host host;
    private final DetectBuilder request;
    private final System.Logger log;

    Detector(Host host, DetectBuilder request, System.Logger log) {
        this.host = host;
        this.request = request;
        this.log = log;
    }

    /// A detector of this machine that logs to the logger `dev.muster.detect`.
    public static Detector ofThisHost() {
        return DetectBuilder.all().build();
    }

    /// This machine.
    public static Host thisHost() {
        return Host.live(
                OperatingSystem.of(System.getProperty("os.name", "")),
                System.getProperty("os.arch", ""),
                System.getenv(),
                InstantSource.system());
    }

    /// Asks all probes and makes one registry of what they say.
    public AcceleratorRegistry detect() {
        return detectWithTiming().registry();
    }

    /// The same on another thread.
    ///
    /// @param executor runs the detection
    public CompletableFuture<AcceleratorRegistry> detectAsync(Executor executor) {
        return CompletableFuture.supplyAsync(this::detect, executor);
    }

    /// The same, with how long each part took.
    public Detection detectWithTiming() {
        long started = System.nanoTime();
        DetectionRun inquiry = startRun(request.probes());
        List<ProbeRun> runs = inquiry.startProbes();
        HostFacts hostFacts = inquiry.readHostFacts(request.asksSystemIo());
        List<ProbeReport> reports = inquiry.await(runs);
        Map<String, Duration> timings = new LinkedHashMap<>();
        for (ProbeRun run : runs) {
            timings.merge(run.name(), run.took(), Duration::plus);
        }
        AcceleratorRegistry registry = inquiry.assemble(hostFacts, reports);
        return new Detection(registry, timings, Duration.ofNanos(System.nanoTime() - started));
    }

    Host host() {
        return host;
    }

    DetectBuilder request() {
        return request;
    }

    System.Logger log() {
        return log;
    }

    /// Returns the limit for a detection.
    Duration maxWait() {
        return DetectionRun.maxWait(request.limit());
    }

    /// Begins to ask.
    ///
    /// @param probes those that may have something to do
    DetectionRun startRun(List<Probe> probes) {
        return new DetectionRun(host, request, log, probes);
    }

    /// Reports whether a device may be missing only because a probe failed or ran out of time.
    static boolean isCutShort(AcceleratorRegistry registry) {
        for (Gap gap : registry.gaps()) {
            if (gap instanceof Gap.Timeout || gap instanceof Gap.ProbeFailed) {
                return true;
            }
        }
        return false;
    }
}
