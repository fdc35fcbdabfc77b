// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Interconnect.InterconnectKind;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.normalise.NumaNode;
import dev.muster.detect.normalise.PciPlace;
import dev.muster.detect.normalise.TopologyAssembly;
import dev.muster.detect.pci.PcieLink;
import dev.muster.detect.pci.PcieRate;
import dev.muster.detect.text.Amount;
import dev.muster.detect.text.CpuSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;

/// A machine as a topology file of NCCL or RCCL describes it (`NCCL_TOPO_DUMP_FILE`), read as a registry: GPUs with
/// their places and links, and network cards. Confined to one thread.
public final class NcclDocument {
    private static final Provenance SOURCE =
            Provenance.of("NCCL topology", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);
    private static final TopologyNode.FabricSwitch SWITCH =
            new TopologyNode.FabricSwitch(new NodeId("nvswitch"), "NVSwitch");
    private static final String SILENT = "the topology file does not state it";
    private static final String NVIDIA = "0x10de";
    private static final String AMD = "0x1002";
    private static final double MEGABITS_PER_GIGABYTE = 8000;
    private static final long MAX_SPEED = 100_000_000;
    private static final long MAX_UNITS = 1_000_000;
    private static final int TEN = 10;

    private final NcclTopology topology;
    private final Map<PciAddress, AcceleratorProfile> devices = new LinkedHashMap<>();
    private final List<Gap> gaps = new ArrayList<>();

    private NcclDocument(NcclTopology topology) {
        this.topology = topology;
    }

    /// Returns the machine.
    ///
    /// @throws XMLStreamException if the text is not such a file
    public static AcceleratorRegistry read(String text) throws XMLStreamException {
        return registry(NcclTopologyParser.parse(text));
    }

    static AcceleratorRegistry registry(NcclTopology topology) {
        return new NcclDocument(topology).registry();
    }

    private AcceleratorRegistry registry() {
        for (NcclTopology.Gpu gpu : topology.gpus()) {
            findKind(gpu)
                    .ifPresentOrElse(
                            kind -> devices.put(gpu.address(), profile(gpu, kind)),
                            () -> gaps.add(new Gap.Unparsable(
                                    "topology", "the vendor of the GPU at " + gpu.address() + " is not known")));
        }
        List<Link> links = links(topology, devices);
        devices.replaceAll((_, device) -> withLinks(device, links));
        List<AcceleratorProfile> profiles = new ArrayList<>();
        profiles.add(AcceleratorProfile.builder(AcceleratorType.cpu())
                .with(DeviceFact.MEMORY, Reading.notSupported(SILENT))
                .build());
        profiles.addAll(devices.values());
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                gaps(),
                new SystemIo(interconnects(links), List.of(), List.of(), Reading.notSupported(SILENT)),
                join(links),
                Reading.notSupported(SILENT));
    }

    private List<Gap> gaps() {
        if (topology.gpus().isEmpty()) {
            gaps.add(new Gap.Unparsable("topology", "the file places PCI devices, but describes no GPU"));
        }
        return gaps;
    }

    /// Old files leave out the vendor; RCCL alone writes `gcn`.
    private static Optional<AcceleratorKind> findKind(NcclTopology.Gpu gpu) {
        String vendor = gpu.attribute("vendor");
        boolean isSilent = vendor.isEmpty();
        if (vendor.equals(AMD) || (isSilent && !gpu.attribute("gcn").isEmpty())) {
            return Optional.of(AcceleratorKind.ROCM_GPU);
        }
        return vendor.equals(NVIDIA) || isSilent ? Optional.of(AcceleratorKind.CUDA_GPU) : Optional.empty();
    }

    private AcceleratorProfile profile(NcclTopology.Gpu gpu, AcceleratorKind kind) {
        boolean isAmd = kind == AcceleratorKind.ROCM_GPU;
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(AcceleratorType.of(kind, devices.size()))
                .with(DeviceFact.MEMORY, Reading.notSupported(SILENT))
                .with(DeviceFact.PCI_ADDRESS, Reading.known(gpu.address(), SOURCE))
                .with(DeviceFact.PCI_ID, told(pciId(gpu)))
                .with(DeviceFact.COMPUTE_CAPABILITY, told(isAmd ? target(gpu.attribute("gcn")) : capability(gpu)))
                .with(DeviceFact.COMPUTE_UNITS, told(isAmd ? units(gpu) : Optional.empty()))
                .with(DeviceFact.NUMA_NODE, node(place(gpu.address()).numa()));
        Reading<Long> silent = Reading.notSupported(SILENT);
        new PcieLink(
                        silent,
                        silent,
                        told(PcieRate.parseGeneration(gpu.attribute("link_speed"))),
                        told(PcieRate.parseWidth(gpu.attribute("link_width"))))
                .addTo(profile);
        return profile.build();
    }

    private NcclTopologyParser.Function place(PciAddress address) {
        return topology.functions().getOrDefault(address, new NcclTopologyParser.Function(-1, List.of()));
    }

    private static <T> Reading<T> told(Optional<T> value) {
        return Reading.of(value, SOURCE, SILENT);
    }

    private static Reading<Long> node(long number) {
        return told(number < 0 ? Optional.empty() : Optional.of(number));
    }

    private static Optional<String> pciId(NcclTopology.Gpu gpu) {
        String vendor = gpu.attribute("vendor");
        String device = gpu.attribute("device");
        String id = vendor.replace("0x", "") + ":" + device.replace("0x", "");
        return id.matches("[0-9a-f]{4}:[0-9a-f]{4}") ? Optional.of(id) : Optional.empty();
    }

    /// NCCL writes capability 8.0 as 80.
    private static Optional<String> capability(NcclTopology.Gpu gpu) {
        return Amount.count(gpu.attribute("sm"), MAX_UNITS)
                .filter(sm -> sm >= TEN)
                .map(sm -> sm / TEN + "." + sm % TEN);
    }

    /// RCCL counts compute units where NCCL writes the capability.
    private static Optional<Long> units(NcclTopology.Gpu gpu) {
        return Amount.count(gpu.attribute("sm"), MAX_UNITS).filter(units -> units > 0);
    }

    /// Older releases of RCCL write gfx90a as 910, and others as their number.
    private static Optional<String> target(String gcn) {
        return switch (gcn) {
            case "" -> Optional.empty();
            case "910" -> Optional.of("gfx90a");
            default -> Optional.of(gcn.startsWith("gfx") ? gcn : "gfx" + gcn);
        };
    }

    /// Returns the links between known devices, each pair once, and those to the switch.
    static List<Link> links(NcclTopology topology, Map<PciAddress, AcceleratorProfile> devices) {
        List<Link> links = new ArrayList<>();
        for (NcclTopology.Gpu gpu : topology.gpus()) {
            AcceleratorProfile one = devices.get(gpu.address());
            if (one != null) {
                for (NcclTopology.Wire wire : gpu.wires()) {
                    findLink(gpu, one, wire, devices).ifPresent(link -> add(links, link));
                }
            }
        }
        return links;
    }

    private static Optional<Link> findLink(
            NcclTopology.Gpu gpu,
            AcceleratorProfile one,
            NcclTopology.Wire wire,
            Map<PciAddress, AcceleratorProfile> devices) {
        if (gpu.isSwitched(wire)) {
            return Optional.of(link(one, SWITCH.id(), LinkKind.NVLINK, wire.lanes()));
        }
        LinkKind kind = wire.xgmi() ? LinkKind.XGMI : LinkKind.NVLINK;
        return Optional.ofNullable(devices.get(wire.target()))
                .filter(other -> !other.id().equals(one.id()))
                .map(other -> link(one, TopologyNode.DeviceNode.idOf(other.id()), kind, wire.lanes()));
    }

    private static Link link(AcceleratorProfile device, NodeId end, LinkKind kind, int lanes) {
        NodeId from = TopologyNode.DeviceNode.idOf(device.id());
        return new Link(from, end, kind, lanes, Reading.notSupported(SILENT), Reading.notProbed());
    }

    private static void add(List<Link> links, Link link) {
        if (links.stream().noneMatch(other -> other.touches(link.from()) && other.touches(link.to()))) {
            links.add(link);
        }
    }

    private static AcceleratorProfile withLinks(AcceleratorProfile device, List<Link> links) {
        long count = links.stream()
                .filter(link -> link.touches(TopologyNode.DeviceNode.idOf(device.id())))
                .mapToLong(Link::lanes)
                .sum();
        return count == 0
                ? device
                : device.toBuilder()
                        .with(DeviceFact.FABRIC_LINKS, Reading.known(count, SOURCE))
                        .build();
    }

    private List<Interconnect> interconnects(List<Link> links) {
        List<Interconnect> all = new ArrayList<>();
        long joined = devices.values().stream()
                .filter(device -> device.reading(DeviceFact.FABRIC_LINKS).isKnown())
                .count();
        if (joined > 1) {
            boolean xgmi = links.getFirst().kind() == LinkKind.XGMI;
            boolean switched = hasSwitch(links);
            InterconnectKind kind =
                    xgmi ? InterconnectKind.XGMI : switched ? InterconnectKind.NVSWITCH : InterconnectKind.NVLINK;
            String size = joined + " GPUs";
            all.add(new Interconnect(
                    kind,
                    kind.display() + " (" + size + ")",
                    Reading.notSupported(SILENT),
                    Reading.known(size, SOURCE)));
        }
        for (NcclTopology.Card card : topology.cards()) {
            if (card.isRdma()) {
                all.add(new Interconnect(
                        card.isEthernet() ? InterconnectKind.ROCE : InterconnectKind.INFINIBAND,
                        card.name(),
                        told(rate(card)),
                        Reading.notSupported(SILENT)));
            }
        }
        return all;
    }

    private static boolean hasSwitch(List<Link> links) {
        return links.stream().anyMatch(link -> link.touches(SWITCH.id()));
    }

    private static Optional<Bandwidth> rate(NcclTopology.Card card) {
        return Amount.count(card.speed(), MAX_SPEED)
                .filter(speed -> speed > 0)
                .map(speed -> new Bandwidth(speed / MEGABITS_PER_GIGABYTE));
    }

    private TopologyGraph join(List<Link> links) {
        List<NumaNode> numa = topology.functions().values().stream()
                .map(NcclTopologyParser.Function::numa)
                .filter(number -> number >= 0)
                .distinct()
                .sorted()
                .map(number -> new NumaNode(number, Reading.notSupported(SILENT), CpuSet.NONE))
                .toList();
        TopologyAssembly assembly = new TopologyAssembly(numa, SOURCE);
        devices.forEach((address, device) -> assembly.add(device, pciPlace(address)));
        for (NcclTopology.Card card : topology.cards()) {
            assembly.addCard(
                    card.name(),
                    card.function()
                            .map(this::pciPlace)
                            .orElseGet(() -> new PciPlace(node(card.numa()), "", List.of())));
        }
        return assembly.build(hasSwitch(links) ? List.of(SWITCH) : List.of(), links);
    }

    private PciPlace pciPlace(PciAddress address) {
        NcclTopologyParser.Function function = place(address);
        return new PciPlace(node(function.numa()), "", function.above());
    }
}
