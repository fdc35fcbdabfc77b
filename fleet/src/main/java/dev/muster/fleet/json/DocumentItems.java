package dev.muster.fleet.json;

import static dev.muster.core.json.DocumentException.Code.MALFORMED;
import static dev.muster.core.json.DocumentException.Code.TOO_LARGE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// Cuts a large JSON object into its members, and arrays among them into their items, while it is read: what
/// is held at one time is one item. Cutting looks at brackets and texts alone; who gets an item reads it
/// strictly. Confined to one thread.
public final class DocumentItems {
    private static final int BUFFER = 1 << 16;
    private static final int END = -1;
    private static final int SHOWN = 40;

    private final InputStream stream;
    private final long mostBytes;
    private final int mostItemBytes;
    private final byte[] buffer;
    private final ByteArrayOutputStream item = new ByteArrayOutputStream();
    private int position;
    private int limit;
    private long offset;

    private DocumentItems(InputStream stream, long mostBytes, int mostItemBytes) {
        this.stream = stream;
        this.mostBytes = mostBytes;
        this.mostItemBytes = mostItemBytes;
        this.buffer = new byte[Math.clamp(mostBytes, 1, BUFFER)];
    }

    /// Gets what an object holds.
    ///
    /// @since 0.2
    public interface Visitor {
        /// A member that is no array.
        void member(String name, byte[] utf8);

        /// An item of a member that is an array.
        void item(String name, byte[] utf8);
    }

    /// Reads an object to the end of the stream.
    ///
    /// @param mostBytes the most bytes of the whole
    /// @param mostItemBytes the most bytes of a member or item
    /// @throws DocumentException if the text is no object, or larger than allowed
    /// @throws IOException if the stream fails
    public static void read(InputStream stream, long mostBytes, int mostItemBytes, Visitor visitor) throws IOException {
        new DocumentItems(stream, mostBytes, mostItemBytes).readObject(visitor);
    }

    private void readObject(Visitor visitor) throws IOException {
        require('{', "an object");
        if (peek() == '}') {
            next();
        } else {
            int follows;
            do {
                String name = readName();
                require(':', "':' behind the key '" + shorten(name) + "'");
                if (peek() == '[') {
                    next();
                    readArray(name, visitor);
                } else {
                    visitor.member(name, readValue());
                }
                follows = nextVisible();
            } while (follows == ',');
            if (follows != '}') {
                throw error("expected ',' or '}' in the object");
            }
        }
        if (peek() != END) {
            throw error("there is text behind the end of the document");
        }
    }

    private String readName() throws IOException {
        if (peek() != '"') {
            throw error("expected a key");
        }
        return JsonValue.parse(readValue()) instanceof JsonString(String name) ? name : "";
    }

    private void readArray(String name, Visitor visitor) throws IOException {
        if (peek() == ']') {
            next();
            return;
        }
        int follows;
        do {
            visitor.item(name, readValue());
            follows = nextVisible();
        } while (follows == ',');
        if (follows != ']') {
            throw error("expected ',' or ']' in the array '" + shorten(name) + "'");
        }
    }

    /// The bytes of the next value, up to what ends it.
    private byte[] readValue() throws IOException {
        item.reset();
        int depth = 0;
        boolean inText = false;
        peek();
        while (true) {
            int c = look();
            if (c == END) {
                throw error("the text ends inside a value");
            }
            if (!inText && depth == 0 && (c == ',' || c == ']' || c == '}' || isBlank(c))) {
                break;
            }
            keep(next());
            if (inText) {
                if (c == '\\') {
                    keep(next());
                } else if (c == '"') {
                    inText = false;
                }
            } else {
                inText = c == '"';
                depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            }
            if (!inText && depth == 0 && (c == '"' || c == '}' || c == ']')) {
                break;
            }
        }
        if (item.size() == 0) {
            throw error("expected a value");
        }
        return item.toByteArray();
    }

    private void keep(int c) {
        if (item.size() >= mostItemBytes) {
            throw new DocumentException(
                    TOO_LARGE, offset, "an item of the document has more than " + mostItemBytes + " bytes");
        }
        item.write(c);
    }

    private void require(char wanted, String what) throws IOException {
        if (nextVisible() != wanted) {
            throw error("expected " + what);
        }
    }

    private int nextVisible() throws IOException {
        peek();
        return next();
    }

    /// The next byte that is not white space, which stays.
    private int peek() throws IOException {
        int c = look();
        while (isBlank(c)) {
            next();
            c = look();
        }
        return c;
    }

    private static boolean isBlank(int c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private int look() throws IOException {
        if (position == limit) {
            limit = Math.max(0, stream.read(buffer, 0, buffer.length));
            position = 0;
            if (limit == 0) {
                return END;
            }
        }
        return buffer[position] & 0xFF;
    }

    private int next() throws IOException {
        int c = look();
        if (c != END) {
            position++;
            offset++;
            if (offset > mostBytes) {
                throw new DocumentException(TOO_LARGE, offset, "the document has more than " + mostBytes + " bytes");
            }
        }
        return c;
    }

    private DocumentException error(String message) {
        return new DocumentException(MALFORMED, offset, message + " (byte " + offset + ")");
    }

    private static String shorten(String name) {
        return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "…";
    }
}
