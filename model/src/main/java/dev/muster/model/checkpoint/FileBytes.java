// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.MISSING;
import static dev.muster.model.checkpoint.CheckpointException.Code.TRUNCATED;
import static dev.muster.model.checkpoint.CheckpointException.Code.UNREADABLE;

import dev.muster.core.unit.Bytes;
import dev.muster.model.checkpoint.CheckpointException.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/// One model file, read forwards through a small window, with jumps. Every read is checked against the file's size
/// first: reading past the end is a [CheckpointException], never a short array. Not mapped into memory: a file that
/// shrinks while it is read must not end the process. Confined to one thread; the opener closes it.
final class FileBytes implements AutoCloseable {
    /// Small enough to stay in a core's cache, large enough that calls of the system do not show.
    static final int WINDOW = 1 << 17;

    private final FileChannel channel;
    private final String name;
    private final long size;
    private final Scan scan;
    private final ByteBuffer window;
    private long windowStart;

    private FileBytes(FileChannel channel, String name, long size, Scan scan, int window) {
        this.channel = channel;
        this.name = name;
        this.size = size;
        this.scan = scan;
        this.window = ByteBuffer.allocate(window).order(ByteOrder.LITTLE_ENDIAN).limit(0);
    }

    /// Opens a regular file; links are followed.
    static FileBytes open(Path path, Scan scan) {
        return open(path, scan, WINDOW);
    }

    /// Opens a regular file with a window of a given size.
    static FileBytes open(Path path, Scan scan, int window) {
        String name = String.valueOf(path.getFileName());
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw CheckpointException.of(UNREADABLE, name, "is not a regular file");
        }
        try {
            FileChannel channel = FileChannel.open(path);
            return new FileBytes(channel, name, channel.size(), scan, window);
        } catch (NoSuchFileException _) {
            throw CheckpointException.of(MISSING, name, "does not exist");
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name, "cannot be opened: " + e.getMessage());
        }
    }

    static boolean beginsWith(byte[] bytes, byte[] magic) {
        return bytes.length >= magic.length && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
    }

    String name() {
        return name;
    }

    long size() {
        return size;
    }

    Checkpoint.File describe() {
        return new Checkpoint.File(name, Bytes.of(size));
    }

    /// Sets the byte order of the numbers that follow; little-endian at first.
    void order(ByteOrder order) {
        window.order(order);
    }

    long position() {
        return windowStart + window.position();
    }

    long remaining() {
        return size - position();
    }

    /// Goes to a position in the file, which may be its end.
    void seek(long position) {
        if (position < 0 || position > size) {
            throw error(TRUNCATED, "the file has " + size + " bytes and should go on at " + position);
        }
        if (position >= windowStart && position <= windowStart + window.limit()) {
            window.position((int) (position - windowStart));
        } else {
            windowStart = position;
            window.clear().limit(0);
        }
    }

    void skip(long bytes) {
        require(bytes);
        seek(position() + bytes);
    }

    int readByte() {
        ensure(1);
        return window.get() & 0xFF;
    }

    int readShort() {
        ensure(Short.BYTES);
        return window.getShort() & 0xFFFF;
    }

    int readInt() {
        ensure(Integer.BYTES);
        return window.getInt();
    }

    long readLong() {
        ensure(Long.BYTES);
        return window.getLong();
    }

    /// Returns the next bytes. The caller has checked their number against a named limit.
    byte[] readBytes(int count) {
        require(count);
        byte[] bytes = new byte[count];
        int at = 0;
        while (at < count) {
            ensure(1);
            int part = Math.min(count - at, window.remaining());
            window.get(bytes, at, part);
            at += part;
        }
        return bytes;
    }

    /// Fills a part of an array with the next bytes, without the window.
    void readInto(byte[] target, int from, int to) {
        require(to - from);
        long at = position();
        ByteBuffer wrapped = ByteBuffer.wrap(target, from, to - from);
        read(wrapped, at, to - from);
        seek(at + to - from);
    }

    /// Checks that at least a number of bytes is left.
    void require(long bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw error(
                    TRUNCATED,
                    "the file should go on for " + Long.toUnsignedString(bytes) + " bytes and has " + remaining()
                            + " more");
        }
    }

    /// Makes sure that a small number of bytes is in the window.
    private void ensure(int bytes) {
        if (window.remaining() >= bytes) {
            return;
        }
        require(bytes);
        windowStart += window.position();
        window.compact();
        try {
            read(window, windowStart + window.position(), bytes - window.position());
        } finally {
            window.flip();
        }
    }

    /// Reads at least a number of bytes.
    private void read(ByteBuffer target, long from, int bytes) {
        try {
            for (int done = 0; done < bytes; ) {
                scan.checkTime(name);
                int part = channel.read(target, from + done);
                if (part < 0) {
                    throw CheckpointException.of(UNREADABLE, name, "became shorter while it was read; try again");
                }
                done += part;
            }
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name, "cannot be read: " + e.getMessage());
        }
    }

    CheckpointException error(Code code, String what) {
        return CheckpointException.at(code, name, position(), what);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw CheckpointException.of(UNREADABLE, name, "cannot be closed: " + e.getMessage());
        }
    }
}
