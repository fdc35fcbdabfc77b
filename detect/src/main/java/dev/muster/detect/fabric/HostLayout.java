// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.normalise.NumaNode;
import dev.muster.detect.normalise.PciPlace;
import dev.muster.detect.pci.PciFacts;
import dev.muster.detect.pci.PciPath;
import dev.muster.detect.probe.ProbeContext;
import dev.muster.detect.text.CpuSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Knows where things sit in a host: from the kernel's tree of devices, or, in virtual machines that hide it, from the
/// topology file that their maker publishes. Confined to one thread.
public final class HostLayout {
    /// The file in which Azure's machines publish theirs.
    private static final String PUBLISHED = "/var/run/nvidia-topologyd/virtualTopology.xml";

    private static final String VARIABLE = "NCCL_TOPO_FILE";
    private static final int MAX_FILE = 4 << 20;

    private final ProbeContext context;
    private final Consumer<Gap> gaps;
    private final PciFacts pci;
    private final List<NumaNode> numa;
    private final NcclTopology published;
    private final String publishedIn;

    private HostLayout(
            ProbeContext context, Consumer<Gap> gaps, List<NumaNode> numa, NcclTopology published, String publishedIn) {
        this.context = context;
        this.gaps = gaps;
        this.pci = new PciFacts(context.files(), context.pci(), context.now(), gaps);
        this.numa = numa;
        this.published = published;
        this.publishedIn = publishedIn;
    }

    /// Reads the layout of a host.
    ///
    /// @param gaps told of each file that could not be read
    public static HostLayout of(ProbeContext context, Consumer<Gap> gaps) {
        List<NumaNode> numa = new NumaProbe().probe(context, gaps);
        String named = context.host().variables().getOrDefault(VARIABLE, "");
        String file = named.startsWith("/") ? named : PUBLISHED;
        return new HostLayout(context, gaps, numa, readPublished(context, gaps, file), file);
    }

    private static NcclTopology readPublished(ProbeContext context, Consumer<Gap> gaps, String file) {
        HostAnswer<String> outcome = context.files().read(file, MAX_FILE);
        if (outcome instanceof HostAnswer.Found(String text)) {
            return NcclTopologyParser.parse(text, file, gaps);
        }
        if (outcome instanceof HostAnswer.Unreadable(String message)) {
            gaps.accept(new Gap.FileUnreadable(file, message));
        }
        return NcclTopology.NONE;
    }

    /// The same layout for another reader.
    ///
    /// @param reader source of files from here on
    /// @param told of each file that could not be read
    public HostLayout readBy(ProbeContext reader, Consumer<Gap> told) {
        return new HostLayout(reader, told, numa, published, publishedIn);
    }

    /// The NUMA nodes, by number.
    public List<NumaNode> numa() {
        return numa;
    }

    /// The device with what the kernel says about its place and its link, where its own source did not.
    public AcceleratorProfile complete(AcceleratorProfile profile) {
        AcceleratorProfile completed = pci.complete(profile);
        Optional<PciAddress> address = profile.reading(DeviceFact.PCI_ADDRESS).find();
        if (address.isEmpty() || completed.reading(DeviceFact.NUMA_NODE).isKnown()) {
            return completed;
        }
        Reading<Long> node = findPlace(address.get()).map(PciPlace::numa).orElse(Reading.notProbed());
        return node.isKnown()
                ? completed.toBuilder().with(DeviceFact.NUMA_NODE, node).build()
                : completed;
    }

    /// The place of a device.
    public Optional<PciPlace> findPlace(AcceleratorProfile profile) {
        return profile.reading(DeviceFact.PCI_ADDRESS).find().flatMap(this::findPlace);
    }

    /// The place of a function on the PCI bus.
    public Optional<PciPlace> findPlace(PciAddress address) {
        NcclTopologyParser.Function function = published.functions().get(address);
        if (function != null) {
            return Optional.of(new PciPlace(publishedNode(function.numa()), "", function.above()));
        }
        Optional<PciPath> path = pci.findPath(address);
        return path.map(way -> PciPlace.of(numaNode(address), way));
    }

    /// Returns the XGMI links that the published topology has between devices, for kinds of links that no probe
    /// reports.
    ///
    /// @param told links that probes report
    public List<Link> publishedLinks(List<AcceleratorProfile> devices, List<Link> told) {
        if (published.gpus().isEmpty()) {
            return List.of();
        }
        Map<PciAddress, AcceleratorProfile> byAddress = new LinkedHashMap<>();
        for (AcceleratorProfile device : devices) {
            device.reading(DeviceFact.PCI_ADDRESS).find().ifPresent(address -> byAddress.putIfAbsent(address, device));
        }
        return NcclDocument.links(published, byAddress).stream()
                .filter(link -> link.kind() == LinkKind.XGMI)
                .filter(_ -> told.stream().noneMatch(other -> other.kind() == LinkKind.XGMI))
                .toList();
    }

    private Reading<Long> publishedNode(long number) {
        return number < 0
                ? Reading.notSupported(publishedIn + " does not report it")
                : Reading.known(
                        number,
                        Provenance.of(publishedIn, Provenance.Method.FILE, Provenance.Confidence.STATED)
                                .withObservedAt(context.now()));
    }

    /// If the firmware names no node, the processors next to the device may; on a host of one node there is only one
    /// answer.
    private Reading<Long> numaNode(PciAddress address) {
        Reading<Long> stated = pci.numaNode(address);
        if (stated.isKnown() || numa.isEmpty()) {
            return stated;
        }
        Reading<CpuSet> near =
                context.folder("/sys/bus/pci/devices/" + address, gaps).reading("local_cpulist", CpuSet::parseList);
        if (!(near instanceof Reading.Known<CpuSet>(CpuSet cpus, Provenance source))) {
            return stated;
        }
        List<NumaNode> holders = new ArrayList<>();
        for (NumaNode node : numa) {
            if (cpus.isPartOf(node.cpus())) {
                holders.add(node);
            }
        }
        return holders.size() == 1 ? Reading.known(holders.getFirst().number(), source) : stated;
    }
}
