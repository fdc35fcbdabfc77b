// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads the XML of hwloc 2 and 3. The document names a DTD that is never fetched. Confined to one thread.
final class HwlocXmlParser {
    private static final String OBJECT = "object";
    /// hwloc nests some 20 objects: machine, groups, caches, cores, and the bridges of PCI.
    private static final int MAX_DEPTH = 64;
    /// A machine of a thousand processors has some 10,000 objects, each with a few notes.
    private static final int MAX_ELEMENTS = 500_000;
    /// The set of 65,536 processors in hexadecimal has some 22,000 characters.
    private static final int MAX_TEXT = 1 << 16;

    private final XMLStreamReader xml;
    private int elements;

    private HwlocXmlParser(XMLStreamReader xml) {
        this.xml = xml;
    }

    /// The content of an hwloc file, as far as it matters here.
    ///
    /// @param version the first number of the format's version: 2 or 3
    /// @param machine the root of the tree
    /// @param matrices the bandwidths between devices
    record Topology(int version, HwlocObject machine, List<HwlocMatrix> matrices) {
        Topology {
            matrices = List.copyOf(matrices);
        }
    }

    /// @throws HwlocFormatException if the text is not such a file
    static Topology parse(String text) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
            try {
                return new HwlocXmlParser(xml).read();
            } finally {
                xml.close();
            }
        } catch (XMLStreamException e) {
            // The JDK's own message has two lines and the language of the machine.
            throw new HwlocFormatException("this is not well-formed XML" + place(e), e);
        } catch (HwlocFormatException e) {
            throw e;
        } catch (RuntimeException e) {
            // The JDK's reader lets some broken texts through to its own arrays.
            throw new HwlocFormatException(
                    "this is not readable as XML: " + e.getClass().getSimpleName(), e);
        }
    }

    /// Returns line and column of an error, if the reader reports them.
    static String place(XMLStreamException e) {
        return e.getLocation() == null
                ? ""
                : " (line " + e.getLocation().getLineNumber() + ", column "
                        + e.getLocation().getColumnNumber() + ")";
    }

    private Topology read() throws XMLStreamException {
        while (xml.hasNext()) {
            if (xml.next() == XMLStreamConstants.START_ELEMENT) {
                return readTopology();
            }
        }
        throw new HwlocFormatException("the document is empty");
    }

    private Topology readTopology() throws XMLStreamException {
        if (!xml.getLocalName().equals("topology")) {
            throw error("the document is a <" + quote(xml.getLocalName()) + ">, not the <topology> of hwloc");
        }
        int version = version();
        Optional<HwlocObject> machine = Optional.empty();
        List<HwlocMatrix> matrices = new ArrayList<>();
        while (nextChild()) {
            switch (xml.getLocalName()) {
                case OBJECT -> {
                    if (machine.isPresent()) {
                        throw error("a topology has one root");
                    }
                    machine = Optional.of(readObject(0));
                }
                case "distances2", "distances2hetero" -> readMatrix().ifPresent(matrices::add);
                default -> skip();
            }
        }
        // What stands behind the root can break the document too.
        while (xml.hasNext()) {
            xml.next();
        }
        return new Topology(
                version,
                machine.filter(root -> root.type().equals("Machine"))
                        .orElseThrow(() -> new HwlocFormatException("the topology has no machine")),
                matrices);
    }

    private int version() {
        String version = attributes().getOrDefault("version", "");
        if (version.startsWith("2.")) {
            return 2;
        }
        if (version.startsWith("3.")) {
            return 3;
        }
        throw error(
                version.isEmpty()
                        ? "this is the format of hwloc 1; write the file with hwloc 2 or newer"
                        : "the format's version " + quote(version) + " is not known; versions 2 and 3 are");
    }

    /// Reads from an object's start tag to its end tag.
    private HwlocObject readObject(int depth) throws XMLStreamException {
        if (depth == MAX_DEPTH) {
            throw error("objects lie more than " + MAX_DEPTH + " deep");
        }
        Map<String, String> attributes = attributes();
        Map<String, String> infos = new HashMap<>();
        List<HwlocObject> children = new ArrayList<>();
        while (nextChild()) {
            switch (xml.getLocalName()) {
                case OBJECT -> children.add(readObject(depth + 1));
                case "info" -> {
                    Map<String, String> info = attributes();
                    infos.putIfAbsent(info.getOrDefault("name", ""), info.getOrDefault("value", ""));
                    skip();
                }
                default -> skip();
            }
        }
        String type = attributes.getOrDefault("type", "");
        if (type.isEmpty()) {
            throw error("an object has no type");
        }
        return new HwlocObject(type, attributes, infos, children);
    }

    /// Reads a matrix of bandwidths between devices; others are passed over.
    private Optional<HwlocMatrix> readMatrix() throws XMLStreamException {
        Map<String, String> attributes = attributes();
        String name = attributes.getOrDefault("name", "");
        boolean byGlobalIndex = attributes.getOrDefault("indexing", "gp").equals("gp");
        Optional<HwlocFabric.Kind> kind = HwlocFabric.Kind.find(name);
        if (!byGlobalIndex || kind.isEmpty()) {
            skip();
            return Optional.empty();
        }
        HwlocMatrix matrix = new HwlocMatrix(kind.get(), attributes.getOrDefault("nbobjs", ""));
        while (nextChild()) {
            String part = xml.getLocalName();
            String words = readText();
            if (part.equals("indexes")) {
                matrix.addEnds(words);
            } else if (part.equals("u64values")) {
                matrix.addValues(words);
            }
        }
        return Optional.of(matrix.requireComplete());
    }

    /// Goes to the next element right inside the open one; at the open one's end, says no.
    private boolean nextChild() throws XMLStreamException {
        while (xml.hasNext()) {
            int event = xml.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                if (++elements > MAX_ELEMENTS) {
                    throw error("there are more than " + MAX_ELEMENTS + " elements");
                }
                return true;
            }
            if (event == XMLStreamConstants.END_ELEMENT) {
                return false;
            }
        }
        throw error("the document ends too early");
    }

    /// Passes over the open element.
    private void skip() throws XMLStreamException {
        int open = 1;
        while (open > 0) {
            open += nextChild() ? 1 : -1;
        }
    }

    /// The text of the open element, up to its end.
    private String readText() throws XMLStreamException {
        StringBuilder text = new StringBuilder();
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (text.length() + xml.getTextLength() > MAX_TEXT) {
                        throw error("a text is longer than " + MAX_TEXT + " characters");
                    }
                    text.append(xml.getText());
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    return text.toString();
                }
                case XMLStreamConstants.START_ELEMENT -> throw error("a list of numbers holds an element");
                default -> {}
            }
        }
        throw error("the document ends too early");
    }

    private Map<String, String> attributes() {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            String value = xml.getAttributeValue(i);
            if (value.length() > MAX_TEXT) {
                throw error("an attribute is longer than " + MAX_TEXT + " characters");
            }
            attributes.put(xml.getAttributeLocalName(i), value);
        }
        return attributes;
    }

    private HwlocFormatException error(String message) {
        return new HwlocFormatException(message + " (line " + xml.getLocation().getLineNumber() + ")");
    }

    private static String quote(String text) {
        return text.substring(0, Math.min(text.length(), 40));
    }
}
