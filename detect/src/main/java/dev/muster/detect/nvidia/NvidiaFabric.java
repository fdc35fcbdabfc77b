// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.probe.ProbeReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The links between GPUs: asks for their NVLinks, and adds devices, links and switch to the report. Confined to one
/// thread.
record NvidiaFabric(NvidiaSmi smi, ProbeReport.ReportBuilder report) {
    private static final NodeId SWITCH = new NodeId("nvswitch");
    /// The most NVLinks that a GPU has: `NVML_NVLINK_MAX_LINKS` of nvml.h, driver 580, 2025.
    private static final int MOST_LINKS = 18;
    /// A switch is not worth concluding below this number of GPUs: a bridge joins two.
    private static final int LEAST_GPUS = 3;

    /// Adds the devices with what is learned about their links.
    ///
    /// @param told the links, if the source of the devices stated them
    void add(List<AcceleratorProfile> devices, NvidiaTopology told) {
        List<AcceleratorProfile> gpus = new ArrayList<>();
        for (AcceleratorProfile device : devices) {
            if (isUsable(device)) {
                gpus.add(device);
            }
        }
        Map<Long, NvidiaNvlinks> links = askLinks(gpus);
        // A GPU that the bus does not show has its NUMA node from the matrix alone, however few there are.
        boolean placeless = false;
        for (AcceleratorProfile gpu : gpus) {
            placeless = placeless || gpu.reading(DeviceFact.NUMA_NODE).isNotProbed();
        }
        Optional<NvidiaTopology> topology = gpus.size() > 1 || placeless ? topology(told) : Optional.empty();
        List<AcceleratorProfile> complete = new ArrayList<>();
        for (AcceleratorProfile device : devices) {
            complete.add(isUsable(device) ? describe(device, links, topology) : device);
        }
        List<AcceleratorProfile> described = new ArrayList<>();
        for (AcceleratorProfile device : complete) {
            AcceleratorProfile judged = withFaultyLinks(device, complete);
            report.add(judged);
            if (isUsable(judged)) {
                addInterconnect(judged);
                described.add(judged);
            }
        }
        topology.ifPresent(matrix -> join(matrix, described));
        topology.ifPresent(matrix -> new NvidiaMatrixPlaces(matrix, report).add(described));
    }

    private static boolean isUsable(AcceleratorProfile device) {
        return device.partition().isEmpty() && (device.available() || device.isDivided());
    }

    private Map<Long, NvidiaNvlinks> askLinks(List<AcceleratorProfile> gpus) {
        Map<Long, NvidiaNvlinks> links = new HashMap<>();
        boolean worthAsking = false;
        for (AcceleratorProfile gpu : gpus) {
            // Its links were not asked for yet.
            worthAsking = worthAsking || gpu.reading(DeviceFact.FABRIC_LINKS).isNotProbed();
        }
        if (!worthAsking) {
            return links;
        }
        smi.askIfKnown("nvlink", "-s")
                .map(NvidiaNvlinkParser::parse)
                .ifPresent(found -> found.forEach(gpu -> links.put(gpu.gpu(), gpu)));
        return links;
    }

    private Optional<NvidiaTopology> topology(NvidiaTopology told) {
        if (!told.rows().isEmpty()) {
            return Optional.of(told);
        }
        return smi.askIfKnown("topo", "-m").flatMap(text -> {
            try {
                return Optional.of(NvidiaTopoParser.parse(text));
            } catch (NvidiaFormatException e) {
                report.add(new Gap.Unparsable(NvidiaProbe.NAME, "nvidia-smi topo -m: " + e.getMessage()));
                return Optional.empty();
            }
        });
    }

    private AcceleratorProfile describe(
            AcceleratorProfile device, Map<Long, NvidiaNvlinks> links, Optional<NvidiaTopology> topology) {
        AcceleratorProfile.ProfileBuilder described = device.toBuilder();
        NvidiaNvlinks own = links.get(device.accelerator().deviceId());
        if (own != null && !device.reading(DeviceFact.FABRIC_LINKS).isKnown()) {
            describeLinks(described, own);
        }
        if (!device.reading(DeviceFact.NUMA_NODE).isKnown()) {
            topology.flatMap(matrix -> matrix.find("GPU" + device.accelerator().deviceId()))
                    .map(row -> new NvidiaValue(row.numa(), smi.source()).count("", NvidiaSmiLog.MAX_GPUS))
                    .filter(Reading::isKnown)
                    .ifPresent(node -> described.with(DeviceFact.NUMA_NODE, node));
        }
        return described.build();
    }

    /// Says of a GPU's inactive links whether they should be up. They should where a fabric of switches is complete,
    /// and
    /// where most of several like GPUs have more links: else nothing may be connected to them.
    private static AcceleratorProfile withFaultyLinks(AcceleratorProfile gpu, List<AcceleratorProfile> all) {
        Reading<Long> inactive = gpu.reading(DeviceFact.FABRIC_LINKS_DOWN);
        if (!(inactive instanceof Reading.Known<Long>(Long down, var source)) || down == 0) {
            return gpu;
        }
        long up = linksUp(gpu);
        int like = 0;
        int better = 0;
        for (AcceleratorProfile other : all) {
            boolean isLike = other.deviceName().equals(gpu.deviceName()) && linksUp(other) > 0;
            like += isLike ? 1 : 0;
            better += isLike && linksUp(other) > up ? 1 : 0;
        }
        boolean hasSwitch = gpu.reading(DeviceFact.FABRIC_STATE).matches(state -> state.startsWith("completed"));
        boolean isFault = up > 0 && (hasSwitch || (like >= LEAST_GPUS && 2 * better > like));
        return isFault
                ? gpu
                : gpu.toBuilder()
                        .with(DeviceFact.FABRIC_LINKS_DOWN, Reading.known(0L, source))
                        .build();
    }

    private static long linksUp(AcceleratorProfile gpu) {
        return gpu.reading(DeviceFact.FABRIC_LINKS).find().orElse(0L);
    }

    private void describeLinks(AcceleratorProfile.ProfileBuilder described, NvidiaNvlinks own) {
        if (own.active().isEmpty() && own.inactive() == 0) {
            String detail = own.remark().isEmpty() ? "nvidia-smi lists no links" : own.remark();
            described.with(DeviceFact.FABRIC_LINKS, Reading.notSupported(detail));
            return;
        }
        described
                .with(DeviceFact.FABRIC_LINKS, Reading.known((long) own.active().size(), smi.source()))
                .with(DeviceFact.FABRIC_LINKS_DOWN, Reading.known((long) own.inactive(), smi.source()));
        own.findTotal()
                .ifPresent(total -> described.with(DeviceFact.FABRIC_BANDWIDTH, Reading.known(total, smi.source())));
    }

    private void addInterconnect(AcceleratorProfile gpu) {
        Optional<Long> count = gpu.reading(DeviceFact.FABRIC_LINKS).find();
        if (count.isPresent() && count.get() > 0) {
            report.add(new Interconnect(
                    Interconnect.InterconnectKind.NVLINK,
                    gpu.id().text(),
                    gpu.reading(DeviceFact.FABRIC_BANDWIDTH),
                    Reading.known(count.get() + " links", smi.source())));
        }
    }

    /// Adds links, and the switch if there is one. Through a switch each GPU reaches each other one with as many links
    /// as both have; without, its links are divided.
    private void join(NvidiaTopology topology, List<AcceleratorProfile> gpus) {
        List<AcceleratorProfile> joined =
                gpus.stream().filter(gpu -> hasPeer(topology, gpus, gpu)).toList();
        if (isSwitched(topology, joined)) {
            addSwitch(topology, joined);
            return;
        }
        for (int i = 0; i < joined.size(); i++) {
            for (int j = i + 1; j < joined.size(); j++) {
                int between = lanes(topology, joined.get(i), joined.get(j));
                if (between > 0) {
                    addLink(joined.get(i), joined.get(j), between);
                }
            }
        }
    }

    private static boolean hasPeer(NvidiaTopology topology, List<AcceleratorProfile> gpus, AcceleratorProfile gpu) {
        return gpus.stream().anyMatch(other -> !other.id().equals(gpu.id()) && lanes(topology, gpu, other) > 0);
    }

    private static int lanes(NvidiaTopology topology, AcceleratorProfile one, AcceleratorProfile other) {
        return topology.lanes(one.accelerator().deviceId(), other.accelerator().deviceId());
    }

    private static boolean isSwitched(NvidiaTopology topology, List<AcceleratorProfile> joined) {
        boolean fabricIsUp = !joined.isEmpty();
        long most = 0;
        for (AcceleratorProfile one : joined) {
            fabricIsUp =
                    fabricIsUp && one.reading(DeviceFact.FABRIC_STATE).matches(state -> state.startsWith("completed"));
            int own = mostLanes(topology, joined, one);
            most = Math.max(most, own);
            for (AcceleratorProfile other : joined) {
                if (!one.id().equals(other.id())
                        && lanes(topology, one, other) != Math.min(own, mostLanes(topology, joined, other))) {
                    return false;
                }
            }
        }
        return fabricIsUp || (joined.size() >= LEAST_GPUS && most * (joined.size() - 1) > linksOf(joined.getFirst()));
    }

    /// The links of a GPU that lead to the switch: fewer than the others', where one of them is down.
    private static int mostLanes(NvidiaTopology topology, List<AcceleratorProfile> joined, AcceleratorProfile gpu) {
        int most = 0;
        for (AcceleratorProfile other : joined) {
            most = other.id().equals(gpu.id()) ? most : Math.max(most, lanes(topology, gpu, other));
        }
        return most;
    }

    private static long linksOf(AcceleratorProfile gpu) {
        return gpu.reading(DeviceFact.FABRIC_LINKS).find().orElse((long) MOST_LINKS);
    }

    private void addLink(AcceleratorProfile one, AcceleratorProfile other, int lanes) {
        report.add(new Link(node(one), node(other), LinkKind.NVLINK, lanes, rate(one, lanes), up()));
    }

    private void addSwitch(NvidiaTopology topology, List<AcceleratorProfile> gpus) {
        report.add(new TopologyNode.FabricSwitch(SWITCH, "NVSwitch"));
        int most = 0;
        for (AcceleratorProfile gpu : gpus) {
            int lanes = mostLanes(topology, gpus, gpu);
            most = Math.max(most, lanes);
            report.add(new Link(node(gpu), SWITCH, LinkKind.NVLINK, lanes, rate(gpu, lanes), up()));
        }
        report.add(new Interconnect(
                Interconnect.InterconnectKind.NVSWITCH,
                "NVSwitch (" + gpus.size() + " GPUs)",
                rate(gpus.getFirst(), mostLanes(topology, gpus, gpus.getFirst())),
                Reading.known("NV" + most, smi.source())));
    }

    private Reading<Link.LinkState> up() {
        return Reading.known(Link.LinkState.UP, smi.source());
    }

    private static NodeId node(AcceleratorProfile gpu) {
        return TopologyNode.DeviceNode.idOf(gpu.id());
    }

    /// The share of a GPU's links that lead somewhere, of their whole rate.
    private static Reading<Bandwidth> rate(AcceleratorProfile gpu, int lanes) {
        Optional<Long> count = gpu.reading(DeviceFact.FABRIC_LINKS).find().filter(links -> links >= lanes);
        return count.isEmpty()
                ? Reading.notSupported("the rate of one link is not known")
                : gpu.reading(DeviceFact.FABRIC_BANDWIDTH)
                        .map(all -> new Bandwidth(all.gigabytesPerSecond() * lanes / count.get()));
    }
}
