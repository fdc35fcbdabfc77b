// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// A fixed set of names, prepared so that a reader recognises one without making a string of it.
///
/// Names are tried from a guess onward: documents mostly keep one order, so the first try is usually right.
final class JsonKeys {
    /// No name of the set matches.
    static final int NONE = -1;

    /// No names: every key is unknown.
    static final JsonKeys NO_KEYS = of();

    private final List<String> names;
    /// Each name with its quotes, as it stands in a compact document.
    private final byte[][] quoted;
    /// Each name with its quotes and the colon behind it.
    private final byte[][] members;

    private JsonKeys(List<String> names) {
        this.names = List.copyOf(names);
        this.quoted = new byte[names.size()][];
        this.members = new byte[names.size()][];
        for (int i = 0; i < quoted.length; i++) {
            quoted[i] = ('"' + names.get(i) + '"').getBytes(StandardCharsets.US_ASCII);
            members[i] = ('"' + names.get(i) + "\":").getBytes(StandardCharsets.US_ASCII);
        }
    }

    static JsonKeys of(String... names) {
        return new JsonKeys(List.of(names));
    }

    static JsonKeys of(List<String> names) {
        return new JsonKeys(names);
    }

    int size() {
        return quoted.length;
    }

    String name(int index) {
        return names.get(index);
    }

    byte[] quoted(int index) {
        return quoted[index];
    }

    /// A name with its quotes and the colon behind it.
    byte[] member(int index) {
        return members[index];
    }

    List<String> names() {
        return names;
    }

    int indexOf(String name) {
        return names.indexOf(name);
    }

    /// The name that stands, quoted, at a position of the text; tried from the guess onward.
    int match(byte[] text, int position, int limit, int guess) {
        for (int i = guess; i < quoted.length; i++) {
            if (matches(quoted[i], text, position, limit)) {
                return i;
            }
        }
        for (int i = 0; i < Math.min(guess, quoted.length); i++) {
            if (matches(quoted[i], text, position, limit)) {
                return i;
            }
        }
        return NONE;
    }

    private static boolean matches(byte[] name, byte[] text, int position, int limit) {
        int end = position + name.length;
        // The second byte differs for most wrong guesses: look at it before comparing all.
        return end <= limit
                && text[position + 1] == name[1]
                && Arrays.equals(name, 0, name.length, text, position, end);
    }
}
