// SPDX-License-Identifier: Apache-2.0
package dev.muster.testing.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/// The texts of a picture, measured with the same width for every character.
public final class SvgTexts {
    private static final double ADVANCE = 0.6;
    private static final double BOLD_ADVANCE = 0.7;
    /// Of the size of a font, what letters take above the baseline and below it.
    private static final double ABOVE = 0.78;

    private static final double BELOW = 0.22;

    private SvgTexts() {}

    /// A text and the room that it takes.
    private record Box(String text, double left, double top, double right, double bottom) {
        boolean overlaps(Box other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    /// The picture as XML.
    public static Document parse(String picture) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(picture.getBytes(StandardCharsets.UTF_8)));
        } catch (Exception e) {
            throw new AssertionError("no XML: " + picture, e);
        }
    }

    /// Reports whether all texts are on the page and none overlaps another.
    public static void assertFits(String picture) {
        Document document = parse(picture);
        double width = number(document.getDocumentElement(), "width");
        double height = number(document.getDocumentElement(), "height");
        List<Box> boxes = boxes(document);
        assertThat(boxes).isNotEmpty();
        for (int i = 0; i < boxes.size(); i++) {
            Box box = boxes.get(i);
            boolean inside = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;
            assertThat(inside).as(box + " lies on the page").isTrue();
            for (Box other : boxes.subList(0, i)) {
                assertThat(box.overlaps(other)).as(box + " lies on " + other).isFalse();
            }
        }
    }

    private static List<Box> boxes(Document document) {
        List<Box> boxes = new ArrayList<>();
        var texts = document.getElementsByTagName("text");
        for (int i = 0; i < texts.getLength(); i++) {
            boxes.add(box((Element) texts.item(i)));
        }
        return boxes;
    }

    private static Box box(Element text) {
        String style = text.getAttribute("class");
        double size = switch (style) {
            case "title" -> 15;
            case "name" -> 12;
            case "line" -> 11;
            case "small" -> 10;
            default -> throw new AssertionError("a text of unknown size: " + style);
        };
        boolean bold = style.equals("title") || style.equals("name");
        String words = text.getTextContent();
        double width = words.codePointCount(0, words.length()) * size * (bold ? BOLD_ADVANCE : ADVANCE);
        double x = number(text, "x");
        double y = number(text, "y");
        double left = switch (text.getAttribute("text-anchor")) {
            case "middle" -> x - width / 2;
            case "end" -> x - width;
            default -> x;
        };
        return new Box(words, left, y - ABOVE * size, left + width, y + BELOW * size);
    }

    private static double number(Element element, String name) {
        return Double.parseDouble(element.getAttribute(name));
    }
}
