// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor.metric;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Bytes of a text that grows. Numbers and ASCII are written without making objects. Confined to one thread.
final class TextBuffer {
    private static final int FIRST_SIZE = 1 << 14;
    private static final long MOST_WHOLE = 1L << 53;
    /// Six decimals: a microwatt, and less than any source tells.
    private static final long DECIMALS = 1_000_000;

    private static final long MOST_SCALED = MOST_WHOLE / DECIMALS;

    private byte[] bytes = new byte[FIRST_SIZE];
    private int length;

    void clear() {
        length = 0;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    int length() {
        return length;
    }

    TextBuffer add(byte[] text) {
        reserve(text.length);
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
        return this;
    }

    TextBuffer add(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
        return this;
    }

    TextBuffer add(String text) {
        int count = text.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return add(text.substring(i).getBytes(StandardCharsets.UTF_8));
            }
            bytes[length++] = (byte) c;
        }
        return this;
    }

    /// The text with `\`, `"` and line ends escaped, as a label's value; other control characters, which tools would
    /// refuse or a terminal obey, become `?`.
    TextBuffer addEscaped(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> add("\\\\");
                case '"' -> add("\\\"");
                case '\n' -> add("\\n");
                default -> {
                    if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
                        add('?');
                    } else if (c < 0x80) {
                        add(c);
                    } else {
                        int end = i;
                        while (end < text.length() && text.charAt(end) >= 0xa0) {
                            end++;
                        }
                        add(text.substring(i, end).getBytes(StandardCharsets.UTF_8));
                        i = end - 1;
                    }
                }
            }
        }
        return this;
    }

    /// A number as short as it can be, with six decimals at most where it is of a usual size.
    TextBuffer add(double number) {
        if (number == Math.rint(number) && Math.abs(number) < MOST_WHOLE) {
            return add((long) number);
        }
        double size = Math.abs(number);
        if (size >= 1e-3 && size < MOST_SCALED) {
            long scaled = Math.round(size * DECIMALS);
            if (number < 0) {
                add('-');
            }
            add(scaled / DECIMALS);
            long rest = scaled % DECIMALS;
            if (rest != 0) {
                add('.');
                for (long place = DECIMALS / 10; rest != 0; place /= 10) {
                    add((char) ('0' + rest / place));
                    rest %= place;
                }
            }
            return this;
        }
        return add(Double.toString(number));
    }

    TextBuffer add(long number) {
        if (number < 0) {
            add('-');
        }
        // The smallest long has no positive twin; its digits are taken from the negative side.
        long rest = number < 0 ? number : -number;
        int digits = 1;
        for (long r = rest / 10; r != 0; r /= 10) {
            digits++;
        }
        reserve(digits);
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' - rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    private void reserve(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(length, more), bytes.length << 1));
        }
    }
}
