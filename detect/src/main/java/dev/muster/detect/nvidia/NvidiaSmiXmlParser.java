// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// Reads what `nvidia-smi -q -x` prints. The document names a DTD that is never fetched; which tags there are differs
/// from driver to driver, so this only builds the tree.
final class NvidiaSmiXmlParser {
    private static final String ROOT = "nvidia_smi_log";
    /// Hundreds of unused lines per GPU: more than half of the document.
    private static final String CLOCKS_START = "<supported_clocks>";

    private static final String CLOCKS_END = "</supported_clocks>";
    private static final int MAX_DEPTH = 32;
    /// A GPU has some 300 tags beside its clocks.
    private static final int MAX_ELEMENTS = 500_000;
    private static final int MAX_VALUE = 4096;

    private final XMLStreamReader reader;
    private int elements;

    private NvidiaSmiXmlParser(XMLStreamReader reader) {
        this.reader = reader;
    }

    /// The document's root.
    ///
    /// @throws NvidiaFormatException if the text holds no such document
    static NvidiaElement parse(String text) throws NvidiaFormatException {
        String document = document(text);
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(document));
            try {
                return new NvidiaSmiXmlParser(reader).readRoot();
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            throw new NvidiaFormatException(
                    "not XML: " + NvidiaFormatException.quote(String.valueOf(e.getMessage())), e);
        } catch (RuntimeException e) {
            // The JDK's reader answers some malformed documents so.
            throw new NvidiaFormatException("not XML: " + e.getClass().getSimpleName(), e);
        }
    }

    /// The document without the warnings that the tool may print around it, without the clocks, and without the control
    /// characters that XML forbids but names of processes can hold.
    private static String document(String text) throws NvidiaFormatException {
        int declaration = text.indexOf("<?xml");
        int start = declaration >= 0 ? declaration : text.indexOf("<" + ROOT);
        String closing = "</" + ROOT + ">";
        int end = text.lastIndexOf(closing);
        if (start < 0 || end < start) {
            throw new NvidiaFormatException("not XML: " + NvidiaFormatException.quote(text));
        }
        return withoutControls(withoutClocks(text.substring(start, end + closing.length())));
    }

    private static String withoutClocks(String text) {
        StringBuilder rest = new StringBuilder(text.length());
        int kept = 0;
        int start = text.indexOf(CLOCKS_START);
        while (start >= 0) {
            int end = text.indexOf(CLOCKS_END, start);
            if (end < 0) {
                break;
            }
            rest.append(text, kept, start);
            kept = end + CLOCKS_END.length();
            start = text.indexOf(CLOCKS_START, kept);
        }
        return rest.append(text, kept, text.length()).toString();
    }

    private static String withoutControls(String text) {
        int first = 0;
        while (first < text.length() && !isControl(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text);
        for (int i = first; i < clean.length(); i++) {
            if (isControl(clean.charAt(i))) {
                clean.setCharAt(i, ' ');
            }
        }
        return clean.toString();
    }

    private static boolean isControl(char character) {
        return character < ' ' && character != '\t' && character != '\n' && character != '\r';
    }

    private NvidiaElement readRoot() throws XMLStreamException, NvidiaFormatException {
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT) {
                if (!reader.getLocalName().equals(ROOT)) {
                    throw new NvidiaFormatException("the document is a " + reader.getLocalName());
                }
                return readElement(0);
            }
        }
        throw new NvidiaFormatException("the document is empty");
    }

    /// Reads from a start tag to its end tag.
    private NvidiaElement readElement(int depth) throws XMLStreamException, NvidiaFormatException {
        if (depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) {
            throw new NvidiaFormatException("more tags than any driver prints");
        }
        String name = reader.getLocalName();
        String id = reader.getAttributeCount() == 0 ? null : reader.getAttributeValue(null, "id");
        String text = "";
        List<NvidiaElement> children = List.of();
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    children = children.isEmpty() ? new ArrayList<>() : children;
                    children.add(readElement(depth + 1));
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
                    if (!reader.isWhiteSpace()) {
                        text = joined(text, reader.getText());
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    return new NvidiaElement(name, id == null ? "" : id, text.strip(), children);
                }
                default -> {}
            }
        }
        throw new NvidiaFormatException("the document ends inside " + name);
    }

    private static String joined(String text, String more) {
        String all = text.isEmpty() ? more : text + more;
        return all.length() > MAX_VALUE ? all.substring(0, MAX_VALUE) : all;
    }
}
