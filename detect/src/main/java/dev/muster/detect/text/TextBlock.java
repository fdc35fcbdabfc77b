// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Lines of a tool that belong together: a first line, and those before the next of its kind.
///
/// @param head the first line, without blanks around it
/// @param lines the others, without blanks around them
public record TextBlock(String head, List<String> lines) {
    /// The blocks of a text; what stands before the first is left out.
    ///
    /// @param start start of a first line
    /// @param max the most blocks that are read
    public static List<TextBlock> split(String text, String start, int max) {
        List<TextBlock> blocks = new ArrayList<>();
        for (String line : text.split("\n")) {
            String item = line.strip();
            if (item.startsWith(start)) {
                if (blocks.size() == max) {
                    break;
                }
                blocks.add(new TextBlock(item, new ArrayList<>()));
            } else if (!blocks.isEmpty()) {
                blocks.getLast().lines.add(item);
            }
        }
        return blocks;
    }

    /// Returns the text before the first colon of a line, in lower case; blank if there is none.
    public static String key(String line) {
        int colon = line.indexOf(':');
        return colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
    }

    /// Returns the text behind the first colon of a line; blank if there is none.
    public static String value(String line) {
        int colon = line.indexOf(':');
        return colon < 0 ? "" : line.substring(colon + 1).strip();
    }
}
