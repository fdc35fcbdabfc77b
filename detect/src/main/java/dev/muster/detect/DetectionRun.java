// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.timed.TimedFiles;
import dev.muster.detect.timed.TimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// One detection on a host. It always ends in time: the caller's thread reads nothing of the host
/// and only waits. Confined to one thread.
///
/// Four things follow each other, and each leaves some time to the next: a look at the bus and for signs of devices,
/// what stands around the devices, the probes (which began after the first), and where devices sit. A part that is not
/// done in its time is done as if the host had no files.
final class DetectionRun {
    /// Beyond the limit, for limits as short as a look at a few files takes. With the start of the program it stays
    /// within the 100 ms that a command gets.
    private static final Duration GRACE = Duration.ofMillis(30);
    /// Share of the limit reserved for the last part; at most a third of it. A program that leaves a thread
    /// behind takes as long to end, so that it is kept for that too.
    private static final Duration LAST_PART = Duration.ofMillis(100);

    private static final double MILLIS = 1000.0;

    private final Host host;
    private final Duration limit;
    private final boolean telemetry;
    private final System.Logger log;
    private final TimedFiles files;
    private final Duration lastPart;
    private final Deadline signsBy;
    private final Deadline hostFactsBy;
    private final Deadline probesBy;
    private final Deadline end;
    private final List<Gap> gaps = new ArrayList<>();
    private final Signs signs;

    /// The bus, and who has something to do.
    private record Signs(ProbeContext context, List<Probe> probes) {}

    /// Looks for signs of devices.
    DetectionRun(Host host, DetectBuilder request, System.Logger log, List<Probe> probes) {
        this.files = new TimedFiles(host.files());
        this.host = with(host, files, host.commands(), host.libraries());
        this.limit = request.limit();
        this.telemetry = request.asksTelemetry();
        this.log = log;
        // Not Duration.dividedBy: it takes a BigDecimal, whose first use costs 12 ms (docs/decisions/0004).
        long nanos = limit.toNanos();
        this.lastPart = Duration.ofNanos(Math.min(nanos / 3, LAST_PART.toNanos()));
        this.signsBy = Deadline.in(Duration.ofNanos(nanos * 2 / 5 + GRACE.toNanos() / 3));
        this.hostFactsBy = Deadline.in(Duration.ofNanos(nanos * 4 / 5 + GRACE.toNanos() / 2));
        this.probesBy = Deadline.in(limit.minus(lastPart));
        this.end = Deadline.in(limit.plus(GRACE));
        this.signs = ask("bus", signsBy, asked -> findSigns(asked, probes));
    }

    /// Returns the limit for a run.
    static Duration maxWait(Duration limit) {
        return limit.plus(GRACE);
    }

    private Signs findSigns(Host asked, List<Probe> probes) {
        ProbeContext seen = new ProbeContext(asked, probesBy, log);
        ProbeContext context = telemetry ? seen.withTelemetry() : seen;
        List<Probe> withSigns = new ArrayList<>();
        for (Probe probe : probes) {
            if (probe.hasSigns(context)) {
                withSigns.add(probe);
            }
        }
        return new Signs(context, withSigns);
    }

    ProbeContext context() {
        return signs.context();
    }

    /// Starts the probes that have something to do.
    List<ProbeRun> startProbes() {
        List<ProbeRun> runs = new ArrayList<>();
        for (Probe probe : signs.probes()) {
            runs.add(ProbeRun.start(probe, signs.context(), files, limit));
        }
        return runs;
    }

    /// Returns the facts of the host around its devices.
    HostFacts readHostFacts(boolean systemIo) {
        return ask("system", hostFactsBy, asked -> HostFacts.of(contextOf(asked), systemIo));
    }

    /// Waits for probes. What they have not said in time is a gap.
    List<ProbeReport> await(List<ProbeRun> runs) {
        List<TimedTask<?>> tasks = new ArrayList<>();
        for (ProbeRun run : runs) {
            tasks.add(run.task());
        }
        await(tasks, probesBy);
        List<ProbeReport> reports = new ArrayList<>();
        for (ProbeRun run : runs) {
            reports.add(run.report());
        }
        return reports;
    }

    /// The registry of what was found.
    AcceleratorRegistry assemble(HostFacts hostFacts, List<ProbeReport> reports) {
        return assemble(hostFacts, reports, context().now());
    }

    /// The registry of what was found at another time.
    AcceleratorRegistry assemble(HostFacts hostFacts, List<ProbeReport> reports, Instant observedAt) {
        RegistryAssembly assembly = place(hostFacts, reports);
        List<Gap> all = new ArrayList<>(gaps);
        all.addAll(context().pci().gaps());
        all.addAll(UnknownAccelerators.gaps(context().pci(), assembly.profiles()));
        all.addAll(assembly.gaps());
        return assembly.build(files.complete(all), observedAt);
    }

    /// The devices alone.
    List<AcceleratorProfile> assembleProfiles(HostFacts hostFacts, List<ProbeReport> reports) {
        return place(hostFacts, reports).profiles();
    }

    private RegistryAssembly place(HostFacts hostFacts, List<ProbeReport> reports) {
        return ask("places", end, asked -> new RegistryAssembly(contextOf(asked), hostFacts, reports));
    }

    /// The bus as it was seen, on a host that may be without files by now.
    private ProbeContext contextOf(Host asked) {
        return signs.context().withHost(asked);
    }

    private <T> T ask(String name, Deadline by, Function<Host, T> work) {
        TimedTask<T> task = TimedTask.start(name, files, () -> work.apply(host));
        await(List.of(task), by);
        return task.finish(limit).orElseGet(() -> {
            gaps.add(new Gap.Timeout(name, limit.toMillis() / MILLIS));
            return work.apply(with(host, new HostBuilder().build().files(), HostCommands.NONE, HostLibraries.NONE));
        });
    }

    private void await(List<TimedTask<?>> tasks, Deadline by) {
        TimedTask.await(tasks, files, limit, () -> left(by));
    }

    private long left(Deadline by) {
        long nanos = by.remaining().toNanos();
        return files.hasLate() ? Math.min(nanos, end.remaining().minus(lastPart).toNanos()) : nanos;
    }

    private static Host with(Host host, HostFiles files, HostCommands commands, HostLibraries libraries) {
        return new Host(host.system(), host.architecture(), files, commands, libraries, host.variables(), host.clock());
    }
}
