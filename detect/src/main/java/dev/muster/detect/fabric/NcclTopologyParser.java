package dev.muster.detect.fabric;

import dev.muster.core.PciAddress;
import dev.muster.detect.fabric.NcclTopology.FabricLink;
import dev.muster.detect.fabric.NcclTopology.Function;
import dev.muster.detect.fabric.NcclTopology.Port;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads a topology file of NCCL or RCCL. Confined to one thread.
final class NcclTopologyParser {
    private static final int MAX_FUNCTIONS = 4096;
    private static final int MAX_DEPTH = 64;
    private static final int MAX_LINKS = 256;
    private static final int HEXADECIMAL = 16;
    private static final long NO_NODE = -1;

    private final XMLStreamReader xml;
    private final List<Function> functions = new ArrayList<>();
    private final List<Port> ports = new ArrayList<>();
    /// The functions that are open, the innermost first.
    private final Deque<OpenFunction> open = new ArrayDeque<>();
    private long numa = NO_NODE;

    private NcclTopologyParser(XMLStreamReader xml) {
        this.xml = xml;
    }

    /// @throws XMLStreamException if the text is no such file
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
        return new NcclTopology(functions, ports);
    }

    private void enter(String element) throws XMLStreamException {
        switch (element) {
            case "cpu" -> numa = number("numaid", NO_NODE);
            case "pci" -> enterFunction();
            case "gpu" -> {
                if (!open.isEmpty()) {
                    String gcn = attribute("gcn");
                    open.peek().architecture = gcn.isEmpty() ? attribute("sm") : gcn;
                }
            }
            case "nvlink", "xgmi" -> addLink(element.equals("xgmi"));
            case "net" -> addPort();
            default -> {}
        }
    }

    private void enterFunction() throws XMLStreamException {
        if (open.size() == MAX_DEPTH || functions.size() + open.size() >= MAX_FUNCTIONS) {
            throw new XMLStreamException("more functions than a machine has", xml.getLocation());
        }
        Optional<PciAddress> address = PciAddress.find(attribute("busid"));
        if (address.isEmpty()) {
            throw new XMLStreamException("'" + attribute("busid") + "' is no PCI address", xml.getLocation());
        }
        List<PciAddress> above = new ArrayList<>();
        open.descendingIterator().forEachRemaining(function -> above.add(function.address));
        open.push(new OpenFunction(
                address.get(), above, hex("class"), attribute("link_speed"), Math.max(0, number("link_width", 0))));
    }

    private void addLink(boolean xgmi) {
        Optional<PciAddress> target = PciAddress.find(attribute("target"));
        long count = number("count", 0);
        if (!open.isEmpty() && target.isPresent() && count > 0 && count <= MAX_LINKS) {
            List<FabricLink> links = open.peek().links;
            if (links.size() < MAX_LINKS) {
                links.add(new FabricLink(xgmi, target.get(), (int) count));
            }
        }
    }

    private void addPort() {
        if (ports.size() < MAX_FUNCTIONS) {
            ports.add(new Port(attribute("name"), Math.max(0, number("speed", 0))));
        }
    }

    private void leave(String element) {
        if (element.equals("cpu")) {
            numa = NO_NODE;
        } else if (element.equals("pci")) {
            OpenFunction function = open.pop();
            functions.add(function.close(numa));
        }
    }

    private String attribute(String name) {
        String value = xml.getAttributeValue(null, name);
        return value == null ? "" : value.strip();
    }

    private long number(String name, long otherwise) {
        try {
            return Long.parseLong(attribute(name));
        } catch (NumberFormatException _) {
            return otherwise;
        }
    }

    private int hex(String name) {
        String text = attribute(name);
        try {
            return Integer.parseInt(text.startsWith("0x") ? text.substring(2) : text, HEXADECIMAL);
        } catch (NumberFormatException _) {
            return -1;
        }
    }

    private static final class OpenFunction {
        private final PciAddress address;
        private final List<PciAddress> above;
        private final int classCode;
        private final String linkSpeed;
        private final long linkWidth;
        private final List<FabricLink> links = new ArrayList<>();
        private String architecture = "";

        OpenFunction(PciAddress address, List<PciAddress> above, int classCode, String linkSpeed, long linkWidth) {
            this.address = address;
            this.above = above;
            this.classCode = classCode;
            this.linkSpeed = linkSpeed;
            this.linkWidth = linkWidth;
        }

        Function close(long numa) {
            return new Function(address, numa, above, classCode, linkSpeed, linkWidth, architecture, links);
        }
    }
}
