// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.detect.fabric.NcclDocument;
import dev.muster.detect.host.DetectException;
import dev.muster.detect.normalise.TopologyAssembly;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;

/// A machine as `lstopo --of xml` of hwloc 2 or 3 describes it, or a topology file of NCCL or RCCL, read as a registry.
/// Thread-safe: nothing is kept between calls.
///
/// Every fact has the source `hwloc` or `NCCL topology`. What such a file does not hold, such as drivers, free memory
/// or
/// temperatures, is unknown.
///
/// @since 0.1
public final class HwlocDocument {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final HwlocXmlParser.Topology topology;
    private final HwlocInventory inventory;
    private final HwlocAccelerators accelerators;
    private final HwlocLayout layout;

    private HwlocDocument(HwlocXmlParser.Topology topology) throws HwlocFormatException {
        this.topology = topology;
        this.inventory = HwlocInventory.of(topology.machine());
        this.accelerators = HwlocAccelerators.of(inventory);
        this.layout = HwlocLayout.of(inventory.numaNodes);
    }

    /// Reads a machine from UTF-8 bytes.
    ///
    /// @throws DetectException if the text is not what hwloc, NCCL or RCCL writes
    public static AcceleratorRegistry read(byte[] utf8) {
        String whole = new String(utf8, StandardCharsets.UTF_8).strip();
        boolean marked = !whole.isEmpty() && whole.charAt(0) == BYTE_ORDER_MARK;
        String text = marked ? whole.substring(1).strip() : whole;
        if (isNccl(text)) {
            try {
                return NcclDocument.read(text);
            } catch (XMLStreamException e) {
                throw new HwlocFormatException(
                        "not a topology file of NCCL: this is not well-formed XML" + HwlocXmlParser.place(e), e);
            }
        }
        return new HwlocDocument(HwlocXmlParser.parse(text)).registry();
    }

    /// Reports whether the root is that of NCCL's files, behind a declaration and comments.
    private static boolean isNccl(String text) {
        int at = 0;
        while (at < text.length() && !text.startsWith("<system", at)) {
            boolean isComment = text.startsWith("<!--", at);
            if (isComment || text.startsWith("<?", at)) {
                int end = text.indexOf(isComment ? "-->" : "?>", at);
                at = end < 0 ? text.length() : end + (isComment ? 3 : 2);
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                return false;
            }
        }
        return at < text.length();
    }

    private AcceleratorRegistry registry() {
        List<AcceleratorProfile> devices = accelerators.profiles(layout);
        List<Interconnect> interconnects = new ArrayList<>();
        List<TopologyNode> switches = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (HwlocMatrix matrix : topology.matrices()) {
            HwlocFabric fabric = HwlocFabric.of(matrix, accelerators, inventory);
            devices = devices.stream().map(fabric::complete).toList();
            interconnects.addAll(fabric.interconnects(devices));
            links.addAll(fabric.links());
            if (fabric.hasSwitch()) {
                switches.add(HwlocFabric.SWITCH);
            }
        }
        HwlocSystemIo io = new HwlocSystemIo(topology.version());
        inventory.functions.forEach(function -> interconnects.addAll(io.ports(function)));
        List<AcceleratorProfile> profiles = new ArrayList<>();
        profiles.add(new HwlocProcessor(inventory).profile());
        profiles.addAll(devices);
        return new AcceleratorRegistry(
                AcceleratorRegistry.REFERENCE_SCHEMA,
                profiles,
                gaps(),
                new SystemIo(
                        interconnects,
                        io.drives(inventory),
                        io.memory(inventory),
                        HwlocFacts.missing("the hwloc file does not state where programs run")),
                join(profiles, io, switches, links),
                HwlocFacts.missing("the hwloc file does not state when it was written"));
    }

    private List<Gap> gaps() {
        return inventory.functions.isEmpty() && accelerators.byType().isEmpty()
                ? List.of(new Gap.Unparsable("hwloc", "the file lists no PCI devices, so it cannot show accelerators"))
                : List.of();
    }

    private TopologyGraph join(
            List<AcceleratorProfile> profiles, HwlocSystemIo io, List<TopologyNode> switches, List<Link> links) {
        TopologyAssembly assembly = new TopologyAssembly(layout.numa(), HwlocFacts.SOURCE);
        for (AcceleratorProfile profile : profiles) {
            Optional<HwlocFunction> function = Optional.ofNullable(
                            accelerators.byType().get(profile.accelerator()))
                    .flatMap(HwlocAccelerator::findFunction);
            function.ifPresentOrElse(found -> assembly.add(profile, layout.place(found)), () -> assembly.add(profile));
        }
        for (HwlocFunction function : inventory.functions) {
            io.cards(function).forEach(card -> assembly.addCard(card, layout.place(function)));
        }
        return assembly.build(switches, links);
    }
}
