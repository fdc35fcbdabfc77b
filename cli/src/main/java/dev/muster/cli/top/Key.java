// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A key, or what else a terminal sends.
sealed interface Key {
    /// A character.
    ///
    /// @param letter the character
    record Letter(int letter) implements Key {}

    /// A key without a character.
    enum Named implements Key {
        UP,
        DOWN,
        LEFT,
        RIGHT,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        TAB,
        BACK_TAB,
        ENTER,
        ESCAPE,
        BACKSPACE,
        SUSPEND
    }

    /// The terminal's answer to where the cursor is, which is how large it is when the cursor was sent far away.
    ///
    /// @param lines its lines
    /// @param columns its columns
    record Size(int lines, int columns) implements Key {}

    /// Parses input of a terminal as keys. Unknown sequences are left out. A terminal sends a sequence in one
    /// piece, so an escape at the end of one is the key of that name.
    static List<Key> decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        List<Key> keys = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (point != '\u001b') {
                addPlain(point, keys);
                at += Character.charCount(point);
            } else if (at + 1 < text.length() && (text.charAt(at + 1) == '[' || text.charAt(at + 1) == 'O')) {
                int end = at + 2;
                while (end < text.length() && (text.charAt(end) < '@' || text.charAt(end) > '~')) {
                    end++;
                }
                if (end < text.length()) {
                    addSequence(text.substring(at + 2, end), text.charAt(end), keys);
                }
                at = end + 1;
            } else {
                keys.add(Named.ESCAPE);
                at++;
            }
        }
        return keys;
    }

    private static void addPlain(int point, List<Key> keys) {
        switch (point) {
            case '\t' -> keys.add(Named.TAB);
            case '\r', '\n' -> keys.add(Named.ENTER);
            case '\b', 0x7F -> keys.add(Named.BACKSPACE);
            case 0x1A -> keys.add(Named.SUSPEND);
            default -> {
                if (point >= ' ' && point != 0xFFFD) {
                    keys.add(new Letter(point));
                }
            }
        }
    }

    private static void addSequence(String parameters, char last, List<Key> keys) {
        switch (last) {
            case 'A' -> keys.add(Named.UP);
            case 'B' -> keys.add(Named.DOWN);
            case 'C' -> keys.add(Named.RIGHT);
            case 'D' -> keys.add(Named.LEFT);
            case 'H' -> keys.add(Named.HOME);
            case 'F' -> keys.add(Named.END);
            case 'Z' -> keys.add(Named.BACK_TAB);
            case 'R' -> addSize(parameters, keys);
            case '~' -> {
                switch (parameters) {
                    case "1", "7" -> keys.add(Named.HOME);
                    case "4", "8" -> keys.add(Named.END);
                    case "5" -> keys.add(Named.PAGE_UP);
                    case "6" -> keys.add(Named.PAGE_DOWN);
                    default -> {}
                }
            }
            default -> {}
        }
    }

    private static void addSize(String parameters, List<Key> keys) {
        if (parameters.matches("[0-9]{1,4};[0-9]{1,4}")) {
            int middle = parameters.indexOf(';');
            int lines = Integer.parseInt(parameters.substring(0, middle));
            int columns = Integer.parseInt(parameters.substring(middle + 1));
            if (lines > 0 && columns > 0) {
                keys.add(new Size(lines, columns));
            }
        }
    }
}
