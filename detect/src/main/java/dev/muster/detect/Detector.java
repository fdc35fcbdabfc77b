package dev.muster.detect;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.topology.Link;
import dev.muster.core.topology.LinkKind;
import dev.muster.core.topology.NodeId;
import dev.muster.core.topology.TopologyGraph;
import dev.muster.core.topology.TopologyNode;
import dev.muster.detect.cpu.CpuProbe;
import dev.muster.detect.host.LiveFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

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
    private static final NodeId HOST = new NodeId("host");

    private final ProbeContext context;
    private final List<Probe> probes;

    private Detector(ProbeContext context, List<Probe> probes) {
        this.context = context;
        this.probes = List.copyOf(probes);
    }

    /// A detector of this machine that logs to the logger `dev.muster.detect`.
    public static Detector ofThisHost() {
        return of(new ProbeContext(
                new LiveFiles(Path.of("/")), Clock.systemUTC(), System.getLogger("dev.muster.detect")));
    }

    /// A detector of the host that a context leads to.
    public static Detector of(ProbeContext context) {
        return new Detector(context, List.of(new CpuProbe()));
    }

    /// Asks all probes and makes one registry of what they say.
    public AcceleratorRegistry detect() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        List<Gap> gaps = new ArrayList<>();
        for (Probe probe : probes) {
            ProbeReport report = ask(probe);
            profiles.addAll(report.profiles());
            gaps.addAll(report.gaps());
        }
        if (profiles.stream().noneMatch(Detector::isCpu)) {
            // Something runs this program, whatever could be learned about it.
            profiles.addFirst(AcceleratorProfile.builder(AcceleratorType.cpu()).build());
        }
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                gaps,
                SystemIo.EMPTY,
                join(profiles),
                Reading.known(context.clock().instant().truncatedTo(ChronoUnit.MILLIS), CLOCK));
    }

    /// A probe that breaks its promise and throws costs its own answer, not the others'.
    private ProbeReport ask(Probe probe) {
        try {
            ProbeReport report = probe.probe(context);
            context.log().log(
                    System.Logger.Level.DEBUG,
                    () -> probe.name() + ": " + report.profiles().size() + " devices, "
                            + report.gaps().size() + " gaps");
            return report;
        } catch (RuntimeException e) {
            context.log().log(System.Logger.Level.ERROR, probe.name() + ": the probe failed", e);
            return new ProbeReport(
                    List.of(), List.of(new Gap.ProbeFailed(probe.name(), String.valueOf(e.getMessage()))));
        }
    }

    private static boolean isCpu(AcceleratorProfile profile) {
        return profile.accelerator().kind() == AcceleratorKind.CPU;
    }

    private static TopologyGraph join(List<AcceleratorProfile> profiles) {
        List<TopologyNode> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        nodes.add(new TopologyNode.Host(HOST, ""));
        for (AcceleratorProfile profile : profiles) {
            TopologyNode.Device node = TopologyNode.Device.of(profile.id());
            nodes.add(node);
            links.add(Link.of(HOST, node.id(), LinkKind.INTERNAL));
        }
        return TopologyGraph.of(nodes, links);
    }
}
