// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// Joins the devices of synthetic hosts by their fabrics, with the interconnects that detection would show. Confined
/// to one thread.
final class FabricAssembly {
    /// The largest number of devices joined in pairs; more are joined through a switch, since pairs grow with the
    /// square.
    static final int MAX_MESH = 16;

    private final List<TopologyNode> nodes;
    private final List<Link> links;
    private final List<Interconnect> interconnects = new ArrayList<>();
    private final Map<HostFabric, Integer> switches = new HashMap<>();

    /// @param nodes receives switches
    /// @param links receives links
    FabricAssembly(List<TopologyNode> nodes, List<Link> links) {
        this.nodes = nodes;
        this.links = links;
    }

    List<Interconnect> interconnects() {
        return List.copyOf(interconnects);
    }

    /// Returns the devices, which are all of one kind and in one host, with the facts of their links.
    ///
    /// @param asked fabric from the description
    List<AcceleratorProfile> join(DeviceCount item, List<AcceleratorProfile> devices, Optional<HostFabric> asked) {
        HostFabric fabric = asked.orElseGet(() -> HostFabric.usual(item));
        int size = fabric.groupSize(item, asked.isPresent());
        List<AcceleratorProfile> joined = new ArrayList<>();
        for (int first = 0; first < devices.size(); first += size) {
            List<AcceleratorProfile> group = devices.subList(first, Math.min(first + size, devices.size()));
            joined.addAll(
                    group.size() == 1 ? List.of(alone(group.getFirst())) : joinGroup(fabric, item.entry(), group));
        }
        return joined;
    }

    private static AcceleratorProfile alone(AcceleratorProfile device) {
        return device.toBuilder()
                .with(DeviceFact.FABRIC_BANDWIDTH, Reading.notProbed())
                .build();
    }

    private List<AcceleratorProfile> joinGroup(HostFabric fabric, DeviceEntry entry, List<AcceleratorProfile> group) {
        Share share = Share.of(fabric, entry, group.size());
        List<AcceleratorProfile> described = group.stream().map(share::describe).toList();
        boolean switched = fabric == HostFabric.NVSWITCH || group.size() > MAX_MESH;
        if (switched) {
            addSwitch(fabric, share, group);
        } else {
            addPairs(fabric, share, group);
        }
        addInterconnects(fabric, share, described);
        return described;
    }

    private void addSwitch(HostFabric fabric, Share share, List<AcceleratorProfile> group) {
        int number = switches.merge(fabric, 1, Integer::sum) - 1;
        NodeId joint = new NodeId(number == 0 ? fabric.word : fabric.word + ":" + number);
        nodes.add(new TopologyNode.FabricSwitch(joint, fabric.display));
        int lanes = (int) (long) share.lanes().find().orElse(1L);
        for (AcceleratorProfile device : group) {
            links.add(new Link(node(device), joint, fabric.link, lanes, share.rate(), Reading.notProbed()));
        }
    }

    private void addPairs(HostFabric fabric, Share share, List<AcceleratorProfile> group) {
        for (int i = 0; i < group.size(); i++) {
            for (AcceleratorProfile other : group.subList(i + 1, group.size())) {
                links.add(new Link(
                        node(group.get(i)),
                        node(other),
                        fabric.link,
                        share.pairLanes(),
                        share.pairRate(),
                        Reading.notProbed()));
            }
        }
    }

    private static NodeId node(AcceleratorProfile device) {
        return TopologyNode.DeviceNode.idOf(device.id());
    }

    /// Adds the interconnects of detection: NVLinks GPU by GPU, switches, hives and tori as a whole.
    private void addInterconnects(HostFabric fabric, Share share, List<AcceleratorProfile> group) {
        int size = group.size();
        switch (fabric) {
            case NVSWITCH -> {
                addNvlinks(share, group);
                interconnects.add(new Interconnect(
                        Interconnect.InterconnectKind.NVSWITCH,
                        "NVSwitch (" + size + " GPUs)",
                        share.rate(),
                        share.lanes().map(lanes -> "NV" + lanes)));
            }
            case NVLINK -> addNvlinks(share, group);
            case XGMI -> {
                String gpus = size + " GPUs";
                interconnects.add(new Interconnect(
                        Interconnect.InterconnectKind.XGMI,
                        "XGMI (" + gpus + ")",
                        group.getFirst().reading(DeviceFact.FABRIC_BANDWIDTH),
                        Reading.known(gpus, Provenance.GIVEN)));
            }
            case ICI -> addTorus(share, group);
            case XE_LINK, NEURON_LINK, ROCE_PORTS, ETHERNET_PORTS, PCIE -> {
                // Detection shows them as links alone.
            }
        }
    }

    private void addNvlinks(Share share, List<AcceleratorProfile> group) {
        for (AcceleratorProfile gpu : group) {
            interconnects.add(new Interconnect(
                    Interconnect.InterconnectKind.NVLINK,
                    gpu.id().text(),
                    share.rate(),
                    share.lanes().map(lanes -> lanes + " links")));
        }
    }

    private void addTorus(Share share, List<AcceleratorProfile> chips) {
        double sum = chips.stream().mapToDouble(FabricAssembly::torusRate).sum();
        String size = chips.size() + " chips";
        interconnects.add(new Interconnect(
                Interconnect.InterconnectKind.ICI,
                "ICI (" + size + ")",
                share.rate().map(_ -> new Bandwidth(sum)),
                Reading.known(size, Provenance.GIVEN)));
    }

    private static double torusRate(AcceleratorProfile chip) {
        return chip.accelerator() instanceof AcceleratorType.Tpu tpu
                ? tpu.version().interconnectPerChip().gigabytesPerSecond()
                : 0;
    }

    /// The part of a fabric of each device, and of each pair of directly joined devices.
    ///
    /// @param lanes number of links of the device, if that follows from the data sheet
    /// @param rate the rate of all its links, one way
    /// @param pairLanes number of links between two devices
    /// @param pairRate the rate between two devices, one way
    private record Share(Reading<Long> lanes, Reading<Bandwidth> rate, int pairLanes, Reading<Bandwidth> pairRate) {
        /// The bandwidth of one NVLink one way, in GB/s: NVIDIA's data sheets of P100, B200, and all between; cards
        /// for desktops have slower ones, of 112.5 GB/s both ways in four links (RTX A6000).
        private static final double FIRST_NVLINK = 20;

        private static final double FIFTH_NVLINK = 50;
        private static final double[] OTHER_NVLINKS = {25, 14.0625};

        static Share of(HostFabric fabric, DeviceEntry entry, int devices) {
            DeviceEntry.DeviceLink link = entry.perDeviceShown().link();
            boolean nvlink = fabric == HostFabric.NVLINK || fabric == HostFabric.NVSWITCH;
            if (nvlink) {
                return ofNvlink(link, entry.provenance(), devices - 1);
            }
            return devices > FabricAssembly.MAX_MESH
                    ? new Share(Reading.notProbed(), link.oneWay(), 1, Reading.notProbed())
                    : ofMesh(link, entry.provenance(), devices - 1);
        }

        private static Share ofNvlink(DeviceEntry.DeviceLink link, Provenance source, int peers) {
            OptionalDouble one = findNvlink(link);
            if (one.isEmpty()) {
                return new Share(Reading.notProbed(), link.oneWay(), 1, share(link.oneWay(), 1, peers));
            }
            int lanes = (int) Math.round(rate(link) / one.getAsDouble());
            int pairLanes = Math.max(1, lanes / peers);
            Reading<Bandwidth> pair =
                    lanes < peers ? share(link.oneWay(), 1, peers) : share(link.oneWay(), pairLanes, lanes);
            return new Share(Reading.known((long) lanes, source), link.oneWay(), pairLanes, pair);
        }

        /// Returns a link for each device that the data sheet's fabric could join; those without a peer carry
        /// nothing.
        private static Share ofMesh(DeviceEntry.DeviceLink link, Provenance source, int peers) {
            long domain = link.domain().find().orElse(1L);
            long built = domain <= FabricAssembly.MAX_MESH ? Math.max(peers, domain - 1) : peers;
            return new Share(
                    Reading.known((long) peers, source),
                    share(link.oneWay(), peers, built),
                    1,
                    share(link.oneWay(), 1, built));
        }

        AcceleratorProfile describe(AcceleratorProfile device) {
            return device.toBuilder()
                    .with(DeviceFact.FABRIC_BANDWIDTH, rate)
                    .with(DeviceFact.FABRIC_LINKS, lanes)
                    .build();
        }

        /// Returns the rate of one link, if it divides the whole without remainder.
        private static OptionalDouble findNvlink(DeviceEntry.DeviceLink link) {
            if (link.kind().startsWith("nvlink1")) {
                return whole(link, FIRST_NVLINK);
            }
            if (link.kind().startsWith("nvlink5")) {
                return whole(link, FIFTH_NVLINK);
            }
            for (double candidate : OTHER_NVLINKS) {
                OptionalDouble found = whole(link, candidate);
                if (found.isPresent()) {
                    return found;
                }
            }
            return OptionalDouble.empty();
        }

        private static OptionalDouble whole(DeviceEntry.DeviceLink link, double one) {
            double links = rate(link) / one;
            return links >= 1 && links == Math.rint(links) ? OptionalDouble.of(one) : OptionalDouble.empty();
        }

        private static double rate(DeviceEntry.DeviceLink link) {
            return link.oneWay().find().map(Bandwidth::gigabytesPerSecond).orElse(0.0);
        }

        private static Reading<Bandwidth> share(Reading<Bandwidth> rate, long part, long whole) {
            return rate.map(value -> new Bandwidth(value.gigabytesPerSecond() * part / whole));
        }
    }
}
