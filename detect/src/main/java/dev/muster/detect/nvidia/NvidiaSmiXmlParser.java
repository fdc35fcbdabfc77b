// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import java.util.ArrayList;
import java.util.List;

/// Reads what `nvidia-smi -q -x` prints: elements, attributes, text and the usual entities. The document names a DTD
/// that is never fetched; which tags there are differs from driver to driver, so this only builds the tree. The JDK's
/// reader takes ten times as long for a first document (docs/decisions/0004).
final class NvidiaSmiXmlParser {
    private static final String ROOT = "nvidia_smi_log";
    /// Hundreds of unused lines per GPU: more than half of the document.
    private static final String CLOCKS = "supported_clocks";

    private static final int MAX_DEPTH = 32;
    /// A GPU has some 300 tags beside its clocks.
    private static final int MAX_ELEMENTS = 500_000;
    private static final int MAX_VALUE = 4096;

    private final String text;
    private int at;
    private int elements;

    private NvidiaSmiXmlParser(String text) {
        this.text = text;
    }

    /// The document's root.
    ///
    /// @throws NvidiaFormatException if the text holds no such document
    static NvidiaElement parse(String text) throws NvidiaFormatException {
        return new NvidiaSmiXmlParser(document(text)).readRoot();
    }

    /// The document without the warnings that the tool may print around it.
    private static String document(String text) throws NvidiaFormatException {
        int declaration = text.indexOf("<?xml");
        int start = declaration >= 0 ? declaration : text.indexOf("<" + ROOT);
        String closing = "</" + ROOT + ">";
        int end = text.lastIndexOf(closing);
        if (start < 0 || end < start) {
            throw notXml(text);
        }
        return text.substring(start, end + closing.length());
    }

    private NvidiaElement readRoot() throws NvidiaFormatException {
        skip("<?", "?>");
        skip("<!--", "-->");
        if (isNext("<!DOCTYPE")) {
            int subset = text.indexOf('[', at);
            int end = text.indexOf('>', at);
            skip("<!", subset >= 0 && subset < end ? "]>" : ">");
        }
        skip("<!--", "-->");
        String tag = tag();
        if (!name(tag).equals(ROOT)) {
            throw new NvidiaFormatException("the document is a " + NvidiaFormatException.quote(name(tag)));
        }
        return readElement(tag, 0);
    }

    /// Reads what stands between a start tag, which has been read, and its end tag.
    private NvidiaElement readElement(String tag, int depth) throws NvidiaFormatException {
        if (depth > MAX_DEPTH || ++elements > MAX_ELEMENTS) {
            throw new NvidiaFormatException("more tags than any driver prints");
        }
        String name = name(tag);
        String id = tag.length() == name.length() ? "" : attribute(tag, "id");
        if (tag.endsWith("/")) {
            return new NvidiaElement(name, id, "", List.of());
        }
        if (name.equals(CLOCKS)) {
            at = Math.max(at, text.indexOf("</" + CLOCKS + ">", at));
        }
        String value = "";
        List<NvidiaElement> children = List.of();
        while (true) {
            int open = text.indexOf('<', at);
            if (open < 0) {
                throw new NvidiaFormatException("the document ends inside " + name);
            }
            value = joined(value, text.substring(at, open).strip());
            at = open;
            if (skip("<!--", "-->")) {
                continue;
            }
            String next = tag();
            if (next.startsWith("/")) {
                if (!next.substring(1).strip().equals(name)) {
                    throw notXml("<" + name + "> is closed by <" + next + ">");
                }
                return new NvidiaElement(name, id, value, children);
            }
            children = children.isEmpty() ? new ArrayList<>() : children;
            children.add(readElement(next, depth + 1));
        }
    }

    /// The tag that begins here or behind white space, without its brackets.
    private String tag() throws NvidiaFormatException {
        int open = text.indexOf('<', at);
        int close = text.indexOf('>', at);
        if (open < 0 || close < open || !text.substring(at, open).isBlank()) {
            throw notXml(text.substring(at));
        }
        at = close + 1;
        return text.substring(open + 1, close);
    }

    private static String name(String tag) {
        int end = 0;
        while (end < tag.length() && tag.charAt(end) > ' ' && (end == 0 || tag.charAt(end) != '/')) {
            end++;
        }
        return tag.substring(0, end);
    }

    private static String attribute(String tag, String name) throws NvidiaFormatException {
        int start = tag.indexOf(' ' + name + "=\"");
        int from = start + name.length() + 3;
        int end = start < 0 ? -1 : tag.indexOf('"', from);
        return end < 0 ? "" : plain(tag.substring(from, end));
    }

    private boolean isNext(String opening) {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.startsWith(opening, at);
    }

    /// Goes on behind a part that is of no interest, if one begins here.
    private boolean skip(String opening, String closing) throws NvidiaFormatException {
        if (!isNext(opening)) {
            return false;
        }
        int end = text.indexOf(closing, at);
        if (end < 0) {
            throw notXml(text.substring(at));
        }
        at = end + closing.length();
        return true;
    }

    private static String joined(String value, String more) throws NvidiaFormatException {
        if (more.isEmpty()) {
            return value;
        }
        String all = value + plain(more);
        return all.length() > MAX_VALUE ? all.substring(0, MAX_VALUE) : all;
    }

    /// The text with its entities resolved, and without the control characters that names of processes can hold.
    private static String plain(String text) throws NvidiaFormatException {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int end = c == '&' ? text.indexOf(';', i) : i;
            if (end < 0) {
                throw notXml(text);
            }
            char own = c == '&' ? entity(text.substring(i + 1, end)) : c;
            plain.append(Character.isISOControl(own) ? ' ' : own);
            i = end;
        }
        return plain.toString();
    }

    private static char entity(String name) throws NvidiaFormatException {
        return switch (name) {
            case "amp" -> '&';
            case "lt" -> '<';
            case "gt" -> '>';
            case "quot" -> '"';
            case "apos" -> '\'';
            default -> numbered(name);
        };
    }

    private static char numbered(String name) throws NvidiaFormatException {
        boolean isHex = name.startsWith("#x");
        try {
            int code = Integer.parseInt(name.substring(isHex ? 2 : 1), isHex ? 16 : 10);
            if (name.startsWith("#") && Character.isBmpCodePoint(code) && Character.isDefined(code)) {
                return (char) code;
            }
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            // refused below
        }
        throw notXml("&" + name + ";");
    }

    private static NvidiaFormatException notXml(String text) {
        return new NvidiaFormatException("not XML: " + NvidiaFormatException.quote(text));
    }
}
