// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.detect.text.Amount;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads a topology file of NCCL or RCCL: where it puts PCI functions, GPUs with their links, network cards. Machines
/// without such a file load nothing of this. Confined to one thread.
final class NcclTopologyParser {
    private static final int MAX_FUNCTIONS = 4096;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_WIRES = 64;
    /// The class of bridges: an NVSwitch is one.
    private static final String SWITCH_CLASS = "0x0680";

    private static final long MAX_LANES = 1024;
    private static final long NO_NODE = -1;

    private final XMLStreamReader xml;
    private final Map<PciAddress, Function> functions = new LinkedHashMap<>();
    private final List<NcclTopology.Gpu> gpus = new ArrayList<>();
    private final List<NcclTopology.Card> cards = new ArrayList<>();
    private final List<NcclTopology.Wire> wires = new ArrayList<>();
    /// The functions that are open, the innermost first.
    private final Deque<PciAddress> open = new ArrayDeque<>();
    /// The attributes of the innermost function, which its GPU repeats.
    private Map<String, String> attributes = Map.of();
    /// The attributes of the GPU that is open; none outside of one.
    private Map<String, String> gpu = Map.of();

    private String architecture = "";
    private long numa = NO_NODE;

    private NcclTopologyParser(XMLStreamReader xml) {
        this.xml = xml;
    }

    /// A function on the PCI bus.
    ///
    /// @param numa the NUMA node above it; -1 where the file does not say
    /// @param above the bridges above it, the host's first; those of domain ffff are made up
    record Function(long numa, List<PciAddress> above) {
        Function {
            above = List.copyOf(above);
        }
    }

    /// Returns the topology; an empty one, and a gap, if the text is not such a file.
    static NcclTopology parse(String text, String file, Consumer<Gap> gaps) {
        try {
            return parse(text);
        } catch (XMLStreamException e) {
            gaps.accept(new Gap.Unparsable("topology", file + ": " + e.getMessage()));
            return NcclTopology.NONE;
        }
    }

    /// Returns the topology; functions behind a bridge come before the bridge.
    ///
    /// @throws XMLStreamException if the text is not such a file
    static NcclTopology parse(String text) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
        try {
            return new NcclTopologyParser(xml).read();
        } catch (RuntimeException e) {
            // The JDK's reader lets some broken texts through to its own arrays.
            throw new XMLStreamException("not readable as XML: " + e, e);
        } finally {
            xml.close();
        }
    }

    private NcclTopology read() throws XMLStreamException {
        if (xml.nextTag() != XMLStreamConstants.START_ELEMENT
                || !xml.getLocalName().equals("system")) {
            throw new XMLStreamException("the root is <" + xml.getLocalName() + ">, not <system>", xml.getLocation());
        }
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                enter(xml.getLocalName());
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                leave(xml.getLocalName());
            }
        }
        return new NcclTopology(functions, gpus, cards, architecture);
    }

    private void enter(String element) throws XMLStreamException {
        switch (element) {
            case "cpu" -> {
                numa = node();
                architecture = architecture.isEmpty() ? attribute("arch") : architecture;
            }
            case "pci" -> enterFunction();
            case "gpu" -> gpu = attributes();
            case "xgmi", "nvlink" -> addWire(element);
            case "net" -> addCard();
            default -> {}
        }
    }

    private void enterFunction() throws XMLStreamException {
        if (open.size() == MAX_DEPTH || functions.size() + open.size() >= MAX_FUNCTIONS) {
            throw new XMLStreamException("more functions than a machine has", xml.getLocation());
        }
        Optional<PciAddress> address = PciAddress.find(attribute("busid"));
        if (address.isEmpty()) {
            throw new XMLStreamException("'" + attribute("busid") + "' is not a PCI address", xml.getLocation());
        }
        open.push(address.get());
        attributes = attributes();
    }

    private void addWire(String kind) {
        Optional<PciAddress> target = PciAddress.find(attribute("target"));
        Optional<Long> lanes = Amount.count(attribute("count"), MAX_LANES).filter(count -> count > 0);
        if (!gpu.isEmpty() && target.isPresent() && lanes.isPresent() && wires.size() < MAX_WIRES) {
            boolean toSwitch = attribute("tclass").startsWith(SWITCH_CLASS);
            wires.add(new NcclTopology.Wire(kind.equals("xgmi"), target.get(), Math.toIntExact(lanes.get()), toSwitch));
        }
    }

    private void addCard() {
        if (!attribute("name").isEmpty() && cards.size() < MAX_FUNCTIONS) {
            cards.add(new NcclTopology.Card(
                    attribute("name"),
                    attribute("speed"),
                    Optional.ofNullable(open.peek()),
                    numa,
                    attributes.getOrDefault("class", "")));
        }
    }

    private long node() {
        try {
            return Long.parseLong(attribute("numaid"));
        } catch (NumberFormatException _) {
            return NO_NODE;
        }
    }

    private void leave(String element) {
        switch (element) {
            case "cpu" -> numa = NO_NODE;
            case "gpu" -> leaveGpu();
            case "pci" -> {
                addByClass(open.getFirst());
                PciAddress address = open.pop();
                functions.putIfAbsent(address, new Function(numa, new ArrayList<>(open).reversed()));
            }
            default -> {}
        }
    }

    /// The files of clouds place GPUs and network cards by their classes alone.
    private void addByClass(PciAddress address) {
        String code = attributes.getOrDefault("class", "");
        boolean isLeaf = PciAddress.find(attributes.getOrDefault("busid", ""))
                .filter(address::equals)
                .isPresent();
        boolean isGpu = code.startsWith("0x0302") || code.startsWith("0x0300") || code.startsWith("0x1200");
        if (isLeaf && isGpu && gpus.stream().noneMatch(gpu -> gpu.address().equals(address))) {
            gpus.add(new NcclTopology.Gpu(address, attributes, List.of()));
        } else if (isLeaf
                && code.startsWith("0x0207")
                && cards.stream().noneMatch(card -> card.function().equals(Optional.of(address)))) {
            cards.add(new NcclTopology.Card(address.toString(), "", Optional.of(address), numa, code));
        }
    }

    /// A package that is divided has several GPUs at one address; the first stands for it.
    private void leaveGpu() {
        PciAddress place = open.peek();
        if (place != null && gpus.stream().noneMatch(other -> other.address().equals(place))) {
            Map<String, String> all = new HashMap<>(attributes);
            all.putAll(gpu);
            gpus.add(new NcclTopology.Gpu(place, all, wires));
        }
        wires.clear();
        gpu = Map.of();
    }

    private Map<String, String> attributes() {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            all.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i).strip());
        }
        return all;
    }

    private String attribute(String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value.strip();
    }
}
