// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.TOO_LARGE;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Cuts JSON into the pieces that are worth a tree of their own: the members of an object and the items of its
/// long lists, or objects in a row. So a list of any length takes no more memory than its largest item. Confined
/// to one thread.
///
/// It only counts brackets and looks out for texts; the pieces are read, and refused, by the reader of JSON.
public final class JsonItems {
    /// An object of Kubernetes has at most some 1.5 MB, since its store takes no more; others are far smaller.
    public static final int MAX_ITEM_BYTES = 4 << 20;

    private static final int BUFFER = 64 << 10;
    private static final int FIRST_PIECE = 1 << 10;
    private static final int END = -1;
    private static final int SHOWN = 40;

    private final InputStream stream;
    private final long maxBytes;
    private final int maxItemBytes;
    private final byte[] buffer;
    private int position;
    private int limit;
    /// The number of bytes of the stream before those in the buffer.
    private long before;

    private byte[] piece = new byte[FIRST_PIECE];
    private int length;

    /// @param maxBytes the most that is read of the stream
    /// @param maxItemBytes the most of one piece
    public JsonItems(InputStream stream, long maxBytes, int maxItemBytes) {
        this(stream, maxBytes, maxItemBytes, new byte[BUFFER], 0);
    }

    private JsonItems(InputStream stream, long maxBytes, int maxItemBytes, byte[] buffer, int limit) {
        this.stream = stream;
        this.maxBytes = maxBytes;
        this.maxItemBytes = maxItemBytes;
        this.buffer = buffer;
        this.limit = limit;
    }

    /// Over a text that is there as a whole.
    public static JsonItems of(byte[] utf8) {
        return new JsonItems(InputStream.nullInputStream(), utf8.length, utf8.length, utf8, utf8.length);
    }

    /// Gets the pieces of an object.
    public interface Visitor {
        /// A member, as its bytes.
        void member(String name, byte[] utf8) throws IOException;

        /// An item of a list that was opened, as its bytes.
        void item(String name, byte[] utf8) throws IOException;

        /// An object that is opened begins: its members come next.
        default void begin(String path) {}

        /// An object that was opened has no more members.
        default void end(String path) {}
    }

    /// Reads one object, behind which there is nothing.
    ///
    /// @param opened the members that are not handed over whole: lists by their items, objects of the root by their
    /// members, and objects within those where they are named as a path, such as `terms/OnDemand`
    /// @throws DocumentException if the text is not an object, or larger than allowed
    /// @throws IOException if the stream fails
    public void readObject(Visitor visitor, Set<String> opened) throws IOException {
        if (nonBlank() != '{') {
            throw error("expected an object");
        }
        position++;
        readMembers(visitor, opened, "");
        if (nonBlank() != END) {
            throw error("there is text behind the end of the document");
        }
    }

    /// @param parent the path of the object with a slash behind it; blank for the root
    private void readMembers(Visitor visitor, Set<String> opened, String parent) throws IOException {
        if (nonBlank() == '}') {
            position++;
            return;
        }
        do {
            String name = name();
            if (nonBlank() != ':') {
                throw error("expected ':' behind the key '" + shorten(name) + "'");
            }
            position++;
            int first = nonBlank();
            if (first == '[' && opened.contains(name)) {
                position++;
                readItems(name, visitor);
            } else if (first == '{' && opened.contains(parent + name)) {
                position++;
                visitor.begin(parent + name);
                readMembers(visitor, opened, parent + name + '/');
                visitor.end(parent + name);
            } else {
                visitor.member(name, value());
            }
        } while (isFollowedByAnother('}', "the object"));
    }

    private void readItems(String name, Visitor visitor) throws IOException {
        if (nonBlank() == ']') {
            position++;
            return;
        }
        do {
            visitor.item(name, value());
        } while (isFollowedByAnother(']', "the list '" + shorten(name) + "'"));
    }

    private boolean isFollowedByAnother(char end, String where) throws IOException {
        int next = nonBlank();
        if (next != ',' && next != end) {
            throw error("expected ',' or '" + end + "' in " + where);
        }
        position++;
        return next == ',';
    }

    /// The next object of a stream of objects; nothing behind the last.
    ///
    /// @throws DocumentException if the text is not JSON
    /// @throws IOException if the stream fails
    public byte @Nullable [] nextObject() throws IOException {
        return nonBlank() == END ? null : value();
    }

    private String name() throws IOException {
        if (nonBlank() != '"') {
            throw error("expected a key");
        }
        return JsonValue.parse(value()) instanceof JsonString(String name) ? name : "";
    }

    /// The bytes of the next value, up to what ends it.
    private byte[] value() throws IOException {
        int first = nonBlank();
        length = 0;
        if (first == '{' || first == '[' || first == '"') {
            nested();
        } else {
            plain();
        }
        return Arrays.copyOf(piece, length);
    }

    /// A text, or what stands between brackets, the buffer piece by piece.
    private void nested() throws IOException {
        int depth = 0;
        boolean inText = false;
        boolean escaped = false;
        while (true) {
            int i = position;
            while (i < limit) {
                byte c = buffer[i++];
                if (inText) {
                    if (escaped) {
                        escaped = false;
                    } else if (c == '\\') {
                        escaped = true;
                    } else if (c == '"') {
                        inText = false;
                    }
                } else if (c == '"') {
                    inText = true;
                } else if (c == '{' || c == '[') {
                    depth++;
                } else if (c == '}' || c == ']') {
                    depth--;
                }
                if (depth == 0 && !inText) {
                    keep(i);
                    return;
                }
            }
            keep(i);
            if (!fill()) {
                throw error("the text ends inside a value");
            }
        }
    }

    /// A number, truth or null ends before what cannot belong to it.
    private void plain() throws IOException {
        while (true) {
            int i = position;
            while (i < limit && !endsPlain(buffer[i])) {
                i++;
            }
            keep(i);
            if (position < limit || !fill()) {
                break;
            }
        }
        if (length == 0) {
            throw error(position == limit ? "the text ends too early" : "expected a value");
        }
    }

    private static boolean endsPlain(byte c) {
        return c == ',' || c == '}' || c == ']' || isBlank(c);
    }

    /// Adds what stands between here and there to the piece.
    private void keep(int end) {
        int more = end - position;
        if (length + more > maxItemBytes) {
            throw new DocumentException(
                    TOO_LARGE, before + position, "an item of the document has more than " + maxItemBytes + " bytes");
        }
        if (length + more > piece.length) {
            piece = Arrays.copyOf(piece, Math.max(length + more, piece.length * 2));
        }
        System.arraycopy(buffer, position, piece, length, more);
        length += more;
        position = end;
    }

    /// The next byte other than white space, which stays.
    private int nonBlank() throws IOException {
        while (true) {
            while (position < limit) {
                byte c = buffer[position];
                if (!isBlank(c)) {
                    return c & 0xFF;
                }
                position++;
            }
            if (!fill()) {
                return END;
            }
        }
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\n' || c == '\r' || c == '\t';
    }

    private boolean fill() throws IOException {
        before += limit;
        position = 0;
        limit = Math.max(0, stream.read(buffer));
        if (before + limit > maxBytes) {
            throw new DocumentException(TOO_LARGE, before, "the document has more than " + maxBytes + " bytes");
        }
        return limit > 0;
    }

    private DocumentException error(String message) {
        long offset = before + position;
        return new DocumentException(MALFORMED, offset, message + " (byte " + offset + ")");
    }

    private static String shorten(String name) {
        return name.length() <= SHOWN ? name : name.substring(0, SHOWN) + "…";
    }
}
