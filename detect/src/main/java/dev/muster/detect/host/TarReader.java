// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Reads the entries of a tar archive one after the other: the forms of POSIX (ustar, pax) and of GNU tar. Sizes are
/// checked before memory is taken. Confined to one thread.
final class TarReader {
    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int SIZE_OFFSET = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int CHECKSUM_OFFSET = 148;
    private static final int CHECKSUM_LENGTH = 8;
    private static final int TYPE_OFFSET = 156;
    private static final int LINK_OFFSET = 157;
    private static final int MAGIC_OFFSET = 257;
    private static final int PREFIX_OFFSET = 345;
    private static final int PREFIX_LENGTH = 155;
    private static final int MAX_LONG_NAME = 64 << 10;
    private static final int OCTAL = 8;

    private final InputStream stream;
    private final int maxFile;
    private long left;

    /// @param maxFile the largest file that is taken
    /// @param maxTotal the most that is read of the archive, unpacked
    TarReader(InputStream stream, int maxFile, long maxTotal) {
        this.stream = stream;
        this.maxFile = maxFile;
        this.left = maxTotal;
    }

    /// The type of an entry.
    enum Kind {
        FILE,
        FOLDER,
        LINK,
        /// Nothing that a tree of files needs: a device, a pipe, a second name of a file.
        OTHER
    }

    /// One entry.
    ///
    /// @param name its path, as the archive writes it
    /// @param link its target, if it is a link
    /// @param content its bytes, if it is a file
    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    record Entry(Kind kind, String name, String link, byte[] content) {}

    /// The next entry; nothing at the end.
    Optional<Entry> next() throws IOException {
        String longName = "";
        String longLink = "";
        while (true) {
            byte[] header = stream.readNBytes(BLOCK);
            if (header.length == 0 || isZero(header)) {
                return Optional.empty();
            }
            if (header.length < BLOCK) {
                throw new EOFException("the archive ends inside a header");
            }
            checkSum(header);
            take(BLOCK);
            long size = number(header, SIZE_OFFSET, SIZE_LENGTH);
            char type = (char) header[TYPE_OFFSET];
            switch (type) {
                case 'L' -> longName = longText(size);
                case 'K' -> longLink = longText(size);
                case 'x' -> {
                    String extended = new String(content(size, MAX_LONG_NAME), StandardCharsets.UTF_8);
                    longName = pax(extended, "path").orElse(longName);
                    longLink = pax(extended, "linkpath").orElse(longLink);
                }
                case 'g' -> content(size, MAX_LONG_NAME);
                default -> {
                    String name = longName.isEmpty() ? name(header) : longName;
                    String link = longLink.isEmpty() ? text(header, LINK_OFFSET, NAME_LENGTH) : longLink;
                    return Optional.of(entry(type, name, link, size));
                }
            }
        }
    }

    private Entry entry(char type, String name, String link, long size) throws IOException {
        Kind kind = switch (type) {
            case '0', '\0', '7' -> name.endsWith("/") ? Kind.FOLDER : Kind.FILE;
            case '5' -> Kind.FOLDER;
            case '2' -> Kind.LINK;
            default -> Kind.OTHER;
        };
        byte[] content = content(size, maxFile);
        return new Entry(kind, name, kind == Kind.LINK ? link : "", content);
    }

    private String longText(long size) throws IOException {
        byte[] bytes = content(size, MAX_LONG_NAME);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private byte[] content(long size, int most) throws IOException {
        if (size < 0 || size > most) {
            throw new IOException("an entry has " + size + " bytes; at most " + most + " are read");
        }
        int padding = (int) ((BLOCK - size % BLOCK) % BLOCK);
        take(size + padding);
        byte[] bytes = stream.readNBytes((int) size);
        if (bytes.length < size) {
            throw new EOFException("the archive ends inside a file");
        }
        if (stream.readNBytes(padding).length < padding) {
            throw new EOFException("the archive ends behind a file, inside its last block");
        }
        return bytes;
    }

    /// Headers count too: an archive of nothing else would be endless.
    private void take(long bytes) throws IOException {
        left -= bytes;
        if (left < 0) {
            throw new IOException("the archive is larger than is read");
        }
    }

    private static Optional<String> pax(String records, String key) {
        // Each record is "LENGTH KEY=VALUE\n", its own length included.
        int at = 0;
        while (at < records.length()) {
            int end = records.indexOf('\n', at);
            int blank = records.indexOf(' ', at);
            if (end < 0 || blank < 0 || blank > end) {
                return Optional.empty();
            }
            String record = records.substring(blank + 1, end);
            if (record.startsWith(key + "=")) {
                return Optional.of(record.substring(key.length() + 1));
            }
            at = end + 1;
        }
        return Optional.empty();
    }

    private static String name(byte[] header) {
        String name = text(header, 0, NAME_LENGTH);
        // GNU tar's own form has other things where POSIX has the prefix.
        boolean posix = text(header, MAGIC_OFFSET, 6).equals("ustar");
        String prefix = posix ? text(header, PREFIX_OFFSET, PREFIX_LENGTH) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static String text(byte[] header, int offset, int length) {
        int end = offset;
        while (end < offset + length && header[end] != 0) {
            end++;
        }
        return new String(header, offset, end - offset, StandardCharsets.UTF_8);
    }

    private static long number(byte[] header, int offset, int length) throws IOException {
        String digits = text(header, offset, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, OCTAL);
        } catch (NumberFormatException _) {
            throw new IOException("an entry of the archive has no size that can be read");
        }
    }

    private static void checkSum(byte[] header) throws IOException {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean own = i >= CHECKSUM_OFFSET && i < CHECKSUM_OFFSET + CHECKSUM_LENGTH;
            sum += own ? ' ' : Byte.toUnsignedInt(header[i]);
        }
        if (sum != number(header, CHECKSUM_OFFSET, CHECKSUM_LENGTH)) {
            throw new IOException("this is not a tar archive, or it is damaged");
        }
    }

    private static boolean isZero(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }
}
