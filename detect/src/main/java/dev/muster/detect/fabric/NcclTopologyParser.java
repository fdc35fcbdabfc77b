// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads where a topology file of NCCL or RCCL puts PCI functions; what else is in it is passed over. Machines without
/// such a file load nothing of this. Confined to one thread.
final class NcclTopologyParser {
    private static final int MAX_FUNCTIONS = 4096;
    private static final int MAX_DEPTH = 64;
    private static final long NO_NODE = -1;

    private final XMLStreamReader xml;
    private final Map<PciAddress, Function> functions = new LinkedHashMap<>();
    /// The functions that are open, the innermost first.
    private final Deque<PciAddress> open = new ArrayDeque<>();

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

    /// Returns the functions by address; none, and a gap, if the text is not such a file.
    static Map<PciAddress, Function> parse(String text, String file, Consumer<Gap> gaps) {
        try {
            return parse(text);
        } catch (XMLStreamException e) {
            gaps.accept(new Gap.Unparsable("topology", file + ": " + e.getMessage()));
            return Map.of();
        }
    }

    /// The functions by address, those behind a bridge before the bridge.
    ///
    /// @throws XMLStreamException if the text is not such a file
    static Map<PciAddress, Function> parse(String text) throws XMLStreamException {
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

    private Map<PciAddress, Function> read() throws XMLStreamException {
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
        return functions;
    }

    private void enter(String element) throws XMLStreamException {
        if (element.equals("cpu")) {
            numa = node();
        } else if (element.equals("pci")) {
            if (open.size() == MAX_DEPTH || functions.size() + open.size() >= MAX_FUNCTIONS) {
                throw new XMLStreamException("more functions than a machine has", xml.getLocation());
            }
            Optional<PciAddress> address = PciAddress.find(attribute("busid"));
            if (address.isEmpty()) {
                throw new XMLStreamException("'" + attribute("busid") + "' is not a PCI address", xml.getLocation());
            }
            open.push(address.get());
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
        if (element.equals("cpu")) {
            numa = NO_NODE;
        } else if (element.equals("pci")) {
            PciAddress address = open.pop();
            functions.putIfAbsent(address, new Function(numa, new ArrayList<>(open).reversed()));
        }
    }

    private String attribute(String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value.strip();
    }
}
