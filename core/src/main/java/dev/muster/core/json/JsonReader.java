// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.TOO_LARGE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Pulls values out of a JSON text. The caller says what it expects next; anything else is a [DocumentException] with
/// the place. Strict: no comments, no trailing commas, no text behind the value. Confined to one thread.
final class JsonReader extends JsonText {
    /// The end of an object or array.
    static final int END = -1;

    /// A key that is not in the set; [#lastKey()] names it.
    static final int UNKNOWN = -2;

    private int depth;
    private boolean first;

    private JsonReader(byte[] text) {
        super(text);
    }

    static JsonReader of(String text) {
        return new JsonReader(checkSize(text.getBytes(StandardCharsets.UTF_8)));
    }

    static JsonReader of(byte[] utf8) {
        JsonReader reader = new JsonReader(checkSize(utf8));
        reader.checkEncoding();
        return reader;
    }

    /// Goes to a value, or to the end of one, whose position was remembered.
    void seek(int remembered) {
        position = remembered;
        first = false;
    }

    /// Reports whether nothing but white space is left.
    boolean isAtEnd() {
        peek();
        return position == limit;
    }

    /// Reports whether the next value is an object.
    boolean isObject() {
        return peek() == '{';
    }

    /// Reports whether the next value is an array.
    boolean isArray() {
        return peek() == '[';
    }

    boolean isString() {
        return peek() == '"';
    }

    boolean isBoolean() {
        byte next = peek();
        return next == 't' || next == 'f';
    }

    void beginObject() {
        begin('{', "an object");
    }

    void beginArray() {
        begin('[', "an array");
    }

    private void begin(char bracket, String what) {
        if (peek() != bracket) {
            throw unexpected(what);
        }
        position++;
        depth++;
        first = true;
        if (depth > MAX_DEPTH) {
            throw error(TOO_LARGE, "more than " + MAX_DEPTH + " objects and arrays inside each other");
        }
    }

    /// Reports whether the array has a further item, which is then read next; otherwise the array is left.
    boolean nextItem() {
        byte next = peek();
        if (next == ']') {
            return leave();
        }
        if (!first) {
            expectComma(next);
            if (peek() == ']') {
                throw error(MALFORMED, "a comma stands before the end of the array");
            }
        }
        first = false;
        return true;
    }

    <T> List<T> nextList(Supplier<T> item) {
        List<T> items = new ArrayList<>();
        beginArray();
        while (nextItem()) {
            items.add(item.get());
        }
        return items;
    }

    /// The devices of a registry, which are not without end.
    <T> List<T> nextDevices(Supplier<T> device) {
        int[] count = {0};
        return nextList(() -> {
            if (++count[0] > RegistryDocument.MAX_DEVICES) {
                throw error(
                        TOO_LARGE,
                        "the registry has more than " + RegistryDocument.MAX_DEVICES
                                + " devices; give the registry of some of its hosts");
            }
            return device.get();
        });
    }

    private boolean leave() {
        position++;
        depth--;
        first = false;
        return false;
    }

    /// Reports whether the object has no further key.
    boolean isAtObjectEnd() {
        return peek() == '}';
    }

    /// Leaves an object that has no further key.
    void endObject() {
        leave();
    }

    /// The next key of the object as its index in a set, [#UNKNOWN], or [#END] when the object is left.
    int nextKey(JsonKeys keys, int guess) {
        byte next = peek();
        if (next == '}') {
            leave();
            return END;
        }
        if (!first) {
            expectComma(next);
            next = peek();
        }
        first = false;
        if (next != '"') {
            throw error(
                    MALFORMED,
                    next == '}' ? "a comma stands before the end of the object" : "a key must be in double quotes");
        }
        int index = keys.match(text, position, limit, guess);
        if (index == JsonKeys.NONE) {
            lastKey = readString();
            // A key may be written with escapes and still be one of ours.
            index = keys.indexOf(lastKey);
        } else {
            position += keys.quoted(index).length;
            lastKey = keys.name(index);
        }
        if (peek() != ':') {
            throw error(MALFORMED, "expected ':' behind the key '" + shownKey() + "'");
        }
        position++;
        return index == JsonKeys.NONE ? UNKNOWN : index;
    }

    private void expectComma(byte next) {
        if (next != ',') {
            throw error(
                    MALFORMED, limit == position ? "the text ends too early" : "expected ',' or the end of the list");
        }
        position++;
    }

    /// A text that must be one of a set; its index.
    int nextName(JsonKeys names) {
        if (peek() != '"') {
            throw unexpected("a text");
        }
        int index = names.match(text, position, limit, 0);
        if (index != JsonKeys.NONE) {
            position += names.quoted(index).length;
            return index;
        }
        int start = position;
        String found = readString();
        index = names.indexOf(found);
        if (index == JsonKeys.NONE) {
            position = start;
            throw error(WRONG_VALUE, "'" + shorten(found) + "' is not one of " + String.join(", ", names.names()));
        }
        return index;
    }

    /// Reads over any value.
    void skipValue() {
        switch (peek()) {
            case '{' -> {
                beginObject();
                while (nextKey(JsonKeys.NO_KEYS, 0) != END) {
                    skipValue();
                }
            }
            case '[' -> {
                beginArray();
                while (nextItem()) {
                    skipValue();
                }
            }
            case '"' -> readString();
            case 't', 'f' -> nextBoolean();
            case 'n' -> literal("null");
            default -> nextUnboundedNumberText();
        }
    }

    /// Checks that nothing but white space is left.
    void requireEnd() {
        peek();
        if (position < limit) {
            throw error(MALFORMED, "there is text behind the end of the document");
        }
    }
}
