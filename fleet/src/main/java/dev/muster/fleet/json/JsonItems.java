package dev.muster.fleet.json;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Cuts a stream of JSON into the pieces that are worth a tree of their own: the items of a list, one after
/// another, or objects in a row. So a list of any length takes no more memory than its largest item. Confined
/// to one thread.
///
/// It only counts brackets and looks out for texts; the pieces are read, and refused, by the reader of JSON.
public final class JsonItems {
    /// An object of Kubernetes has at most some 1.5 MB, since its store takes no more; others are far smaller.
    public static final int MAX_ITEM_BYTES = 4 << 20;

    private static final int BUFFER = 64 << 10;
    private static final int END = -1;

    private final InputStream stream;
    private final long maxBytes;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private long taken;
    private byte[] piece = new byte[BUFFER];
    private int length;

    /// @param maxBytes the most that is read of the stream
    public JsonItems(InputStream stream, long maxBytes) {
        this.stream = stream;
        this.maxBytes = maxBytes;
    }

    /// What a list is read into.
    public interface ListReader {
        /// One item of the list, as its bytes.
        void item(byte[] text) throws IOException;

        /// A member of the object, or of one on the way to the list.
        void member(String name, JsonValue value) throws IOException;
    }

    /// Reads one object that holds a list.
    ///
    /// @param path where in it the list is, such as `items`; objects on the way are gone into
    public void readList(ListReader reader, String... path) throws IOException {
        expect('{');
        readObject(reader, path, 0);
    }

    private void readObject(ListReader reader, String[] path, int depth) throws IOException {
        int next = nonBlank();
        while (next != '}') {
            String name = name(next);
            expect(':');
            next = nonBlank();
            boolean isOnTheWay = depth < path.length && name.equals(path[depth]);
            if (isOnTheWay && next == '{' && depth + 1 < path.length) {
                readObject(reader, path, depth + 1);
            } else if (isOnTheWay && next == '[' && depth + 1 == path.length) {
                readItems(reader);
            } else {
                reader.member(name, parse(value(next)));
            }
            next = nonBlank();
            if (next == ',') {
                next = nonBlank();
            } else if (next != '}') {
                throw malformed("',' or '}'", next);
            }
        }
    }

    private void readItems(ListReader reader) throws IOException {
        int next = nonBlank();
        while (next != ']') {
            reader.item(value(next));
            next = nonBlank();
            if (next == ',') {
                next = nonBlank();
            } else if (next != ']') {
                throw malformed("',' or ']'", next);
            }
        }
    }

    /// The next object of a stream of objects; nothing behind the last.
    public byte @Nullable [] nextObject() throws IOException {
        taken = 0;
        int next = nonBlank();
        return next == END ? null : value(next);
    }

    /// A tree of a piece.
    ///
    /// @throws IOException if it is no JSON
    public static JsonValue parse(byte[] piece) throws IOException {
        try {
            return JsonValue.parse(piece);
        } catch (DocumentException e) {
            throw new IOException("what came is no JSON: " + e.getMessage(), e);
        }
    }

    private String name(int first) throws IOException {
        if (first != '"') {
            throw malformed("a key", first);
        }
        return JsonFields.plain(parse(value(first)));
    }

    /// The bytes of the value that begins with a character.
    private byte[] value(int first) throws IOException {
        length = 0;
        append(first);
        switch (first) {
            case '{', '[' -> nested();
            case '"' -> text();
            default -> plain();
        }
        return Arrays.copyOf(piece, length);
    }

    private void nested() throws IOException {
        int depth = 1;
        while (depth > 0) {
            int next = taken();
            append(next);
            switch (next) {
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                case '"' -> text();
                default -> {}
            }
        }
    }

    private void text() throws IOException {
        while (true) {
            int next = taken();
            append(next);
            if (next == '\\') {
                append(taken());
            } else if (next == '"') {
                return;
            }
        }
    }

    /// A number, truth or null ends before what cannot belong to it.
    private void plain() throws IOException {
        while (true) {
            int next = read();
            if (next == END) {
                return;
            }
            if (next == ',' || next == '}' || next == ']' || isBlank(next)) {
                position--;
                taken--;
                return;
            }
            append(next);
        }
    }

    private void append(int next) throws IOException {
        if (length == piece.length) {
            if (length >= MAX_ITEM_BYTES) {
                throw new IOException("one object has more than " + MAX_ITEM_BYTES + " bytes");
            }
            piece = Arrays.copyOf(piece, length * 2);
        }
        piece[length++] = (byte) next;
    }

    private void expect(char wanted) throws IOException {
        int next = nonBlank();
        if (next != wanted) {
            throw malformed("'" + wanted + "'", next);
        }
    }

    private int nonBlank() throws IOException {
        int next = read();
        while (isBlank(next)) {
            next = read();
        }
        return next;
    }

    private static boolean isBlank(int next) {
        return next == ' ' || next == '\n' || next == '\r' || next == '\t';
    }

    private int taken() throws IOException {
        int next = read();
        if (next == END) {
            throw new EOFException("the answer ends in the middle");
        }
        return next;
    }

    private int read() throws IOException {
        if (position == limit) {
            limit = stream.read(buffer);
            position = 0;
            if (limit <= 0) {
                limit = 0;
                return END;
            }
        }
        if (++taken > maxBytes) {
            throw new IOException("the answer has more than " + maxBytes + " bytes");
        }
        return buffer[position++] & 0xFF;
    }

    private static IOException malformed(String wanted, int found) {
        return found == END
                ? new EOFException("the answer ends in the middle")
                : new IOException("what came is no JSON list: " + wanted + " is missing");
    }
}
