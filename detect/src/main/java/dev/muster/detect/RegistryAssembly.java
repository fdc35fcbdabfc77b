// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.fabric.HostLayout;
import dev.muster.detect.fabric.NetworkReport;
import dev.muster.detect.normalise.DeviceUnion;
import dev.muster.detect.normalise.TopologyAssembly;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.probe.ProbeReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One registry of what all probes said. Making one reads where the devices sit; after that nothing is read.
/// Confined to one thread.
final class RegistryAssembly {
    private static final Provenance CLOCK =
            Provenance.of("system clock", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED);

    private static final Provenance VARIABLES =
            Provenance.of("environment", Provenance.Method.DERIVED, Provenance.Confidence.STATED);

    private final HostFacts hostFacts;
    private final List<Gap> gaps = new ArrayList<>();
    private final List<Interconnect> interconnects = new ArrayList<>();
    private final List<TopologyNode> nodes = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final List<AcceleratorProfile> profiles = new ArrayList<>();
    private final TopologyGraph topology;

    RegistryAssembly(ProbeContext context, HostFacts hostFacts, List<ProbeReport> reports) {
        this.hostFacts = hostFacts;
        DeviceUnion devices = new DeviceUnion(gaps::add);
        gaps.addAll(hostFacts.layoutGaps());
        add(devices, hostFacts.cpu());
        interconnects.addAll(hostFacts.network().ports());
        gaps.addAll(hostFacts.network().gaps());
        gaps.addAll(hostFacts.ioGaps());
        for (ProbeReport report : reports) {
            add(devices, report);
        }
        HostLayout layout = hostFacts.layout().readBy(context, gaps::add);
        Map<DeviceId, String> hidden =
                VisibleDevices.hidden(devices.devices(), context.host().variables(), context.nodes());
        for (AcceleratorProfile device : devices.devices()) {
            profiles.add(withUsability(layout.complete(device), hidden));
        }
        this.topology = join(layout);
    }

    private void add(DeviceUnion devices, ProbeReport report) {
        devices.add(report.profiles());
        gaps.addAll(report.gaps());
        interconnects.addAll(report.interconnects());
        nodes.addAll(report.nodes());
        links.addAll(report.links());
    }

    /// Adds the facts that other parts of the host decide: which variable hides the device, and how much of the host's
    /// memory is left for it. The driver's limit of that memory may be lower.
    private AcceleratorProfile withUsability(AcceleratorProfile device, Map<DeviceId, String> hidden) {
        String variable = hidden.get(device.id());
        Reading<Bytes> left = hostFacts.memoryFree();
        boolean isShort = device.sharesHostMemory()
                && left instanceof Reading.Known<Bytes>(Bytes free, var _)
                && !(device.reading(DeviceFact.MEMORY_SHARED_FREE) instanceof Reading.Known<Bytes>(Bytes own, var _)
                        && own.compareTo(free) <= 0);
        if (variable == null && !isShort) {
            return device;
        }
        AcceleratorProfile.ProfileBuilder builder = device.toBuilder();
        if (variable != null) {
            builder.with(DeviceFact.HIDDEN_BY, Reading.known(variable, VARIABLES));
        }
        if (isShort) {
            builder.with(DeviceFact.MEMORY_SHARED_FREE, left);
        }
        return builder.build();
    }

    private TopologyGraph join(HostLayout layout) {
        TopologyAssembly joined = new TopologyAssembly(layout.numa());
        for (AcceleratorProfile profile : profiles) {
            layout.findPlace(profile).ifPresentOrElse(place -> joined.add(profile, place), () -> joined.add(profile));
        }
        for (NetworkReport.Card card : hostFacts.network().cards()) {
            card.address()
                    .find()
                    .flatMap(layout::findPlace)
                    .ifPresentOrElse(place -> joined.addCard(card.name(), place), () -> joined.addCard(card.name()));
        }
        List<Link> all = new ArrayList<>(links);
        all.addAll(layout.publishedLinks(profiles, links));
        return joined.build(nodes, all);
    }

    List<AcceleratorProfile> profiles() {
        return profiles;
    }

    List<Gap> gaps() {
        return gaps;
    }

    /// @param allGaps everything that could not be learned
    AcceleratorRegistry build(List<Gap> allGaps, Instant observedAt) {
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                allGaps,
                new SystemIo(interconnects, hostFacts.storage(), hostFacts.memory(), hostFacts.environment()),
                topology,
                Reading.known(observedAt, CLOCK));
    }
}
