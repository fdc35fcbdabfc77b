// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.function.Consumer;

/// Writes JSON into a buffer of bytes: compact, or indented by two blanks. Confined to one thread.
final class JsonWriter {
    private static final int DELETE = 0x7f;
    /// Of `\u001b`.
    private static final int ESCAPED_LENGTH = 6;
    private static final int FIRST_CAPACITY = 4096;
    private static final int LONGEST_NUMBER = 32;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final boolean indented;
    private byte[] buffer = new byte[FIRST_CAPACITY];
    private int length;
    private int depth;
    private boolean needsComma;
    private boolean afterKey;
    private boolean ascii = true;

    JsonWriter(boolean indented) {
        this.indented = indented;
    }

    JsonWriter beginObject() {
        return begin('{');
    }

    JsonWriter endObject() {
        return end('}');
    }

    JsonWriter beginArray() {
        return begin('[');
    }

    JsonWriter endArray() {
        return end(']');
    }

    /// A key from a prepared set; its value follows.
    JsonWriter key(JsonKeys keys, int index) {
        byte[] member = keys.member(index);
        beforeItem();
        ensure(member.length + 1);
        System.arraycopy(member, 0, buffer, length, member.length);
        length += member.length;
        if (indented) {
            buffer[length++] = ' ';
        }
        afterKey = true;
        return this;
    }

    /// A key; its value follows.
    JsonWriter key(String name) {
        beforeItem();
        writeQuoted(name);
        ensure(2);
        buffer[length++] = ':';
        if (indented) {
            buffer[length++] = ' ';
        }
        afterKey = true;
        return this;
    }

    /// An array under a key, item by item.
    <T> JsonWriter array(String name, Collection<T> items, Consumer<T> write) {
        return key(name).array(items, write);
    }

    /// An array, item by item.
    <T> JsonWriter array(Collection<T> items, Consumer<T> write) {
        beginArray();
        items.forEach(write);
        return endArray();
    }

    JsonWriter string(String value) {
        beforeValue();
        writeQuoted(value);
        needsComma = true;
        return this;
    }

    JsonWriter bool(boolean value) {
        return literal(value ? "true" : "false");
    }

    JsonWriter nullValue() {
        return literal("null");
    }

    JsonWriter signed(long value) {
        if (value < 0) {
            return literal(Long.toString(value));
        }
        return unsigned(value);
    }

    JsonWriter unsigned(long value) {
        beforeValue();
        if (value < 0) {
            raw(Long.toUnsignedString(value));
        } else {
            writeDigits(value);
        }
        needsComma = true;
        return this;
    }

    /// A floating-point number in the shortest form that reads back the same; null when it is not finite.
    JsonWriter number(double value) {
        beforeValue();
        ensure(LONGEST_NUMBER);
        length = DecimalText.write(value, buffer, length);
        needsComma = true;
        return this;
    }

    /// A number that is already text.
    JsonWriter numberText(String text) {
        return literal(text);
    }

    @Override
    public String toString() {
        return new String(buffer, 0, length, ascii ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private JsonWriter begin(char bracket) {
        beforeValue();
        ensure(1);
        buffer[length++] = (byte) bracket;
        depth++;
        needsComma = false;
        return this;
    }

    private JsonWriter end(char bracket) {
        depth--;
        if (indented && needsComma) {
            newLine();
        }
        ensure(1);
        buffer[length++] = (byte) bracket;
        needsComma = true;
        return this;
    }

    private JsonWriter literal(String text) {
        beforeValue();
        raw(text);
        needsComma = true;
        return this;
    }

    /// Before any value: behind a key it just follows, in an array it is an item.
    private void beforeValue() {
        if (afterKey) {
            afterKey = false;
        } else if (depth > 0) {
            beforeItem();
        }
    }

    private void beforeItem() {
        if (needsComma) {
            ensure(1);
            buffer[length++] = ',';
        }
        if (indented) {
            newLine();
        }
    }

    private void newLine() {
        ensure(1 + 2 * depth);
        buffer[length++] = '\n';
        for (int i = 0; i < depth; i++) {
            buffer[length++] = ' ';
            buffer[length++] = ' ';
        }
    }

    private void raw(String text) {
        ensure(text.length());
        for (int i = 0; i < text.length(); i++) {
            buffer[length++] = (byte) text.charAt(i);
        }
    }

    private void writeDigits(long value) {
        ensure(LONGEST_NUMBER);
        length = DecimalText.writeDigits(value, buffer, length);
    }

    private void writeQuoted(String text) {
        int count = text.length();
        ensure(count + 2);
        int start = length;
        buffer[length++] = '"';
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\' || c >= DELETE) {
                length = start;
                writeEscaped(text);
                return;
            }
            buffer[length++] = (byte) c;
        }
        buffer[length++] = '"';
    }

    /// Escapes characters that control a terminal or reverse text, although JSON allows them raw: documents are
    /// shown in terminals too, and device names are untrusted.
    private void writeEscaped(String text) {
        ensure(text.length() * ESCAPED_LENGTH + 2);
        buffer[length++] = '"';
        int start = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            int next = i + Character.charCount(point);
            if (point >= DELETE && isSteering(point)) {
                writeRun(text.substring(start, i));
                for (int at = i; at < next; at++) {
                    escapeCode(text.charAt(at));
                }
                start = next;
            }
            i = next;
        }
        writeRun(text.substring(start));
        buffer[length++] = '"';
    }

    /// Reports whether a character steers a terminal, or ends a line for some reader.
    static boolean isSteering(int point) {
        int type = Character.getType(point);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private void writeRun(String text) {
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            ascii &= b >= 0;
            switch (b) {
                case '"', '\\' -> escape(b);
                case '\b' -> escape((byte) 'b');
                case '\f' -> escape((byte) 'f');
                case '\n' -> escape((byte) 'n');
                case '\r' -> escape((byte) 'r');
                case '\t' -> escape((byte) 't');
                default -> {
                    if (b >= 0 && b < ' ') {
                        escapeCode((char) b);
                    } else {
                        buffer[length++] = b;
                    }
                }
            }
        }
    }

    private void escape(byte letter) {
        buffer[length++] = '\\';
        buffer[length++] = letter;
    }

    private void escapeCode(char code) {
        escape((byte) 'u');
        for (int shift = 12; shift >= 0; shift -= 4) {
            buffer[length++] = HEX[code >> shift & 0xf];
        }
    }

    private void ensure(int more) {
        if (length + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }
}
