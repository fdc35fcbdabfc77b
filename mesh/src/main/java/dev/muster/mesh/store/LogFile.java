// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// One file of records, each with its length and checksum. Confined to its user's lock.
///
/// A [RandomAccessFile] and not a channel: an interrupt would close a channel for all threads that share it.
final class LogFile implements Closeable {
    private static final byte[] MAGIC = "muster-store-01\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte SET = 1;
    private static final byte DELETE = 2;
    /// Length and checksum.
    private static final int HEAD = 2 * Integer.BYTES;
    /// Kind and length of the key.
    private static final int BODY_HEAD = 1 + Short.BYTES;

    private static final int MAX_BODY = BODY_HEAD + StoreLimits.MAX_KEY_BYTES + StoreLimits.MAX_VALUE_BYTES;
    private static final int CHUNK = HEAD + MAX_BODY;

    private final Path path;
    private final RandomAccessFile file;
    /// Opened at the first change: to open for writing would make a file that another process has just removed, and
    /// only the holder of the lock knows that none does.
    private @Nullable RandomAccessFile writer;

    /// The offset of the next record; all before it is whole.
    private long position;

    private LogFile(Path path, RandomAccessFile file) {
        this.path = path;
        this.file = file;
        this.position = MAGIC.length;
    }

    /// Writes a file of these records, all of them or none.
    static void write(Path path, Map<String, byte[]> records) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
            out.write(MAGIC);
            for (Map.Entry<String, byte[]> entry : records.entrySet()) {
                out.write(encode(entry.getKey(), entry.getValue()));
            }
        }
    }

    /// Opens a file that is there.
    ///
    /// @throws java.io.FileNotFoundException if it is not there any more
    static LogFile open(Path path) throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
        byte[] start = new byte[MAGIC.length];
        if (file.length() < start.length) {
            file.close();
            throw new IOException(path + " is too short for a log of a store");
        }
        file.readFully(start);
        if (!Arrays.equals(start, MAGIC)) {
            file.close();
            throw new IOException(path + " is not a log of a store");
        }
        return new LogFile(path, file);
    }

    /// Tells what was written since the last time. Half a record at the end is left for later.
    void readNew(StoreTable.Journal sink) throws IOException {
        long size = file.length();
        if (size < position) {
            throw new StoreException(StoreError.LOST, "the log of the store was cut off by another program");
        }
        boolean more = true;
        while (more && size - position >= HEAD) {
            byte[] bytes = new byte[(int) Math.min(CHUNK, size - position)];
            file.seek(position);
            file.readFully(bytes);
            more = readRecords(ByteBuffer.wrap(bytes), sink);
        }
    }

    /// Reads whole records; tells whether there was one.
    private boolean readRecords(ByteBuffer bytes, StoreTable.Journal sink) {
        boolean any = false;
        while (bytes.remaining() >= HEAD) {
            int length = bytes.getInt(bytes.position());
            int sum = bytes.getInt(bytes.position() + Integer.BYTES);
            if (length < BODY_HEAD || length > MAX_BODY || length > bytes.remaining() - HEAD) {
                break;
            }
            ByteBuffer body = bytes.slice(bytes.position() + HEAD, length);
            if (checksum(body) != sum || !readBody(body, sink)) {
                break;
            }
            bytes.position(bytes.position() + HEAD + length);
            position += HEAD + length;
            any = true;
        }
        return any;
    }

    private static boolean readBody(ByteBuffer body, StoreTable.Journal sink) {
        byte kind = body.get();
        int keyLength = body.getShort();
        if (keyLength < 1 || keyLength > body.remaining() || (kind != SET && kind != DELETE)) {
            return false;
        }
        byte[] key = new byte[keyLength];
        body.get(key);
        byte[] value = new byte[body.remaining()];
        body.get(value);
        sink.record(new String(key, StandardCharsets.UTF_8), kind == SET ? value : null);
        return true;
    }

    /// Removes what a killed process left half written. Only for who holds the lock of the store.
    void cutTail() throws IOException {
        if (file.length() > position) {
            writer().setLength(position);
        }
    }

    /// Appends a record; a record that cannot be written whole is not there at all.
    void append(String key, byte @Nullable [] value) throws IOException {
        byte[] record = encode(key, value);
        RandomAccessFile out = writer();
        try {
            out.seek(position);
            out.write(record);
        } catch (IOException e) {
            out.setLength(position);
            throw e;
        }
        position += record.length;
    }

    private RandomAccessFile writer() throws IOException {
        if (writer == null) {
            writer = new RandomAccessFile(path.toFile(), "rw");
        }
        return writer;
    }

    private static byte[] encode(String key, byte @Nullable [] value) {
        byte[] name = Keys.bytes(key);
        byte[] content = value == null ? new byte[0] : value;
        int length = BODY_HEAD + name.length + content.length;
        ByteBuffer record = ByteBuffer.allocate(HEAD + length);
        record.position(HEAD);
        record.put(value == null ? DELETE : SET)
                .putShort((short) name.length)
                .put(name)
                .put(content);
        record.putInt(0, length).putInt(Integer.BYTES, checksum(record.slice(HEAD, length)));
        return record.array();
    }

    long position() {
        return position;
    }

    private static int checksum(ByteBuffer body) {
        CRC32C sum = new CRC32C();
        sum.update(body.duplicate());
        return (int) sum.getValue();
    }

    @Override
    public void close() throws IOException {
        file.close();
        if (writer != null) {
            writer.close();
        }
    }
}
