package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.MemoryDevice;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.detect.cpu.CpuProbe;
import dev.muster.detect.environment.EnvironmentProbe;
import dev.muster.detect.fabric.DeviceMemoryNodes;
import dev.muster.detect.fabric.HostLayout;
import dev.muster.detect.fabric.MemoryProbe;
import dev.muster.detect.fabric.NetworkProbe;
import dev.muster.detect.fabric.NetworkReport;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.detect.normalise.DeviceUnion;
import dev.muster.detect.normalise.TopologyAssembly;
import dev.muster.detect.probe.Probe;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.detect.storage.StorageProbe;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
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
    private static final Provenance CLOCK =
            Provenance.of("system clock", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED);
    /// What a probe gets beyond the deadline to end the tool it waits for and to say what it has.
    private static final Duration GRACE = Duration.ofMillis(260);

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
        ProbeContext context = newContext();
        List<ProbeRun> runs = new ArrayList<>();
        for (Probe probe : request.probes()) {
            if (probe.hasSigns(context)) {
                runs.add(start(probe, context));
            }
        }
        // Meanwhile, on this thread: what only reads a few files of the kernel's own.
        Assembly assembly = new Assembly(context);
        assembly.addCpu();
        if (request.asksSystemIo()) {
            assembly.addSystemIo();
        }
        List<Detection.Timing> timings = new ArrayList<>();
        for (ProbeRun run : runs) {
            assembly.add(run.name(), await(run, context));
            timings.add(run.timing());
        }
        AcceleratorRegistry registry = assembly.build();
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

    /// How long a detection takes at most, give or take what only reads a few files.
    Duration patience() {
        return request.limit().plus(GRACE);
    }

    ProbeContext newContext() {
        return new ProbeContext(host, Deadline.in(request.limit()), log);
    }

    ProbeRun start(Probe probe, ProbeContext context) {
        return ProbeRun.start(probe, context, request.limit());
    }

    static ProbeReport await(ProbeRun run, ProbeContext context) {
        return run.await(context.deadline().remaining().plus(GRACE));
    }

    /// Whether a device may be missing only because a probe failed or ran out of time.
    static boolean isCutShort(AcceleratorRegistry registry) {
        for (Gap gap : registry.gaps()) {
            if (gap instanceof Gap.TimedOut || gap instanceof Gap.ProbeFailed) {
                return true;
            }
        }
        return false;
    }

    /// The registry as it grows. Confined to one thread.
    static final class Assembly {
        private final ProbeContext context;
        private final List<Gap> gaps = new ArrayList<>();
        private final DeviceUnion devices = new DeviceUnion(gaps::add);
        private final List<Interconnect> interconnects = new ArrayList<>();
        private final List<TopologyNode> nodes = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private final List<NetworkReport.Card> cards = new ArrayList<>();
        private final HostLayout layout;
        private List<StorageDevice> storage = List.of();
        private List<MemoryDevice> memoryDevices = List.of();
        private Reading<RuntimeEnvironment> environment = Reading.notProbed();

        Assembly(ProbeContext context) {
            this.context = context;
            this.layout = HostLayout.of(context, gaps::add);
        }

        void addCpu() {
            add("cpu", new CpuProbe(DeviceMemoryNodes.list(context.files())).probe(context));
        }

        void addSystemIo() {
            NetworkReport network = new NetworkProbe().probe(context);
            interconnects.addAll(network.ports());
            cards.addAll(network.cards());
            gaps.addAll(network.gaps());
            storage = new StorageProbe().probe(context, gaps::add);
            memoryDevices = new MemoryProbe(context, gaps::add).probe(layout.numa());
            environment = new EnvironmentProbe().probe(context);
        }

        void add(String name, ProbeReport report) {
            context.log().log(
                    System.Logger.Level.DEBUG,
                    () -> name + ": " + report.profiles().size() + " devices, "
                            + report.gaps().size() + " gaps");
            devices.add(report.profiles());
            gaps.addAll(report.gaps());
            interconnects.addAll(report.interconnects());
            nodes.addAll(report.nodes());
            links.addAll(report.links());
        }

        List<AcceleratorProfile> profiles() {
            List<AcceleratorProfile> profiles = new ArrayList<>();
            for (AcceleratorProfile device : devices.devices()) {
                profiles.add(layout.complete(device));
            }
            return profiles;
        }

        AcceleratorRegistry build() {
            return build(context.now());
        }

        AcceleratorRegistry build(Instant observedAt) {
            List<AcceleratorProfile> profiles = profiles();
            return new AcceleratorRegistry(
                    AcceleratorRegistry.REFERENCE_SCHEMA,
                    profiles,
                    gaps,
                    new SystemIo(interconnects, storage, memoryDevices, environment),
                    join(profiles),
                    Reading.known(observedAt, CLOCK));
        }

        private TopologyGraph join(List<AcceleratorProfile> profiles) {
            TopologyAssembly topology = new TopologyAssembly(layout.numa());
            for (AcceleratorProfile profile : profiles) {
                layout.findPlace(profile)
                        .ifPresentOrElse(place -> topology.add(profile, place), () -> topology.add(profile));
            }
            for (NetworkReport.Card card : cards) {
                card.address()
                        .find()
                        .flatMap(layout::findPlace)
                        .ifPresentOrElse(
                                place -> topology.addCard(card.name(), place), () -> topology.addCard(card.name()));
            }
            return topology.build(nodes, links);
        }
    }
}
