// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.secure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A connection's bytes as records of TLS, over channels that block or do not. One thread may read while another
/// writes.
///
/// What is sealed, and opened, lies in arrays: Java's AES works two to three times as fast on them as on memory outside
/// the heap. Java's TLS copies data from and to wherever it lies, so no other copy is needed.
public final class TlsRecords {
    /// Records that leave, and arrive, with one call of the system.
    private static final int BATCH = 8;

    /// Kind, version and length of a record.
    private static final int HEAD_BYTES = 5;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine engine;
    /// Sealed, and not yet opened.
    private final ByteBuffer arriving;
    /// Opened, and not yet taken, where a record was larger than what was asked for.
    private final ByteBuffer opened;
    /// One record.
    private final ByteBuffer sealed;
    /// Sealed, and not yet written.
    private final ByteBuffer leaving;

    TlsRecords(SSLEngine engine) {
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        this.arriving = ByteBuffer.allocate(BATCH * packet).limit(0);
        this.opened = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .limit(0);
        this.sealed = ByteBuffer.allocate(packet);
        this.leaving = ByteBuffer.allocateDirect(BATCH * packet).limit(0);
    }

    /// Agrees with the other end, over channels that block.
    ///
    /// @throws PeerRefusedException if the other end does not have the key of the mesh, or speaks something else
    void handshake(ReadableByteChannel from, WritableByteChannel to) throws IOException {
        try {
            engine.beginHandshake();
            HandshakeStatus status = engine.getHandshakeStatus();
            while (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
                if (status == HandshakeStatus.NEED_TASK) {
                    runTasks();
                } else if (status == HandshakeStatus.NEED_WRAP) {
                    seal(NOTHING);
                    flushAll(to);
                } else if (open(from, opened.clear(), true) < 0) {
                    throw new EOFException("the other side closed the connection during the TLS handshake");
                }
                status = engine.getHandshakeStatus();
            }
            opened.limit(0);
        } catch (SSLException e) {
            sayWhy(to);
            throw refusal(e);
        }
    }

    /// The other end learns of the failure, if it still listens.
    private void sayWhy(WritableByteChannel to) {
        try {
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                seal(NOTHING);
                flushAll(to);
            }
        } catch (IOException _) {
            // The first failure is the one that counts.
        }
    }

    private static PeerRefusedException refusal(SSLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return new PeerRefusedException(
                        "the other side has another secret: its key is not that of this mesh", e);
            }
        }
        boolean alert = String.valueOf(e.getMessage()).contains("certificate");
        return new PeerRefusedException(
                alert
                        ? "the other side says that this side has another secret"
                        : "the TLS handshake failed: " + e.getMessage(),
                e);
    }

    /// Reads what has come, into a buffer with room.
    ///
    /// @return the number of bytes; zero if none are there yet; negative at the end
    public int read(ReadableByteChannel from, ByteBuffer into) throws IOException {
        int start = into.position();
        while (into.hasRemaining()) {
            if (opened.hasRemaining()) {
                take(into);
                continue;
            }
            // What is there goes out before anything new is waited for.
            int more = openNext(from, into, into.position() == start);
            if (more <= 0) {
                return into.position() > start ? into.position() - start : more;
            }
        }
        return into.position() - start;
    }

    private void take(ByteBuffer into) {
        int length = Math.min(opened.remaining(), into.remaining());
        into.put(into.position(), opened, opened.position(), length);
        into.position(into.position() + length);
        opened.position(opened.position() + length);
    }

    /// Opens the next record into the buffer if any record fits, else beside it.
    private int openNext(ReadableByteChannel from, ByteBuffer into, boolean mayRead) throws IOException {
        if (into.remaining() >= opened.capacity()) {
            return openInto(from, into, mayRead);
        }
        opened.clear();
        try {
            return openInto(from, opened, mayRead);
        } finally {
            opened.flip();
        }
    }

    private int openInto(ReadableByteChannel from, ByteBuffer into, boolean mayRead) throws IOException {
        try {
            return open(from, into, mayRead);
        } catch (SSLException e) {
            throw new IOException("the received bytes were changed on the way, or belong to another connection", e);
        }
    }

    /// Opens the next record that holds data; during a handshake, the next one.
    private int open(ReadableByteChannel from, ByteBuffer into, boolean mayRead) throws IOException {
        while (true) {
            // A look at a socket that has nothing yet costs no more than that.
            while (!isWhole()) {
                int read = mayRead ? fill(from) : 0;
                if (read <= 0) {
                    return read;
                }
            }
            SSLEngineResult result = engine.unwrap(arriving, into);
            switch (result.getStatus()) {
                case CLOSED -> {
                    return -1;
                }
                case BUFFER_OVERFLOW, BUFFER_UNDERFLOW -> throw new IOException("a record is longer than TLS allows");
                case OK -> {
                    boolean agreeing = runTasksAfter(result);
                    if (result.bytesProduced() > 0 || agreeing) {
                        return 1;
                    }
                }
            }
        }
    }

    /// Reports whether a record has come to its end; one that is longer than any counts as whole, and is refused.
    private boolean isWhole() {
        int here = arriving.remaining();
        return here >= HEAD_BYTES
                && here
                        >= Math.min(
                                sealed.capacity(), HEAD_BYTES + (arriving.getShort(arriving.position() + 3) & 0xffff));
    }

    /// @return true if this end still agrees with the other on keys
    private boolean runTasksAfter(SSLEngineResult result) {
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            runTasks();
        }
        return result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private int fill(ReadableByteChannel from) throws IOException {
        if (arriving.capacity() - arriving.position() < sealed.capacity() || !arriving.hasRemaining()) {
            arriving.compact().flip();
        }
        int start = arriving.position();
        arriving.position(arriving.limit()).limit(arriving.capacity());
        try {
            return from.read(arriving);
        } finally {
            arriving.limit(arriving.position()).position(start);
        }
    }

    private void runTasks() {
        for (@Nullable Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /// Seals as much as there is room for, and writes as much as the channel takes.
    ///
    /// @return the number of bytes taken; those that wait to be written count
    public int write(WritableByteChannel to, ByteBuffer from) throws IOException {
        int before = from.remaining();
        boolean _ = flush(to);
        while (from.hasRemaining() && leaving.capacity() - leaving.limit() >= sealed.capacity()) {
            seal(from);
        }
        boolean _ = flush(to);
        return before - from.remaining();
    }

    /// Writes what was taken and waits; whether nothing does any more.
    public boolean flush(WritableByteChannel to) throws IOException {
        if (leaving.hasRemaining()) {
            to.write(leaving);
        }
        if (!leaving.hasRemaining()) {
            leaving.clear().limit(0);
        }
        return !leaving.hasRemaining();
    }

    private void flushAll(WritableByteChannel to) throws IOException {
        while (!flush(to)) {
            // A channel that blocks takes all of it.
        }
    }

    private void seal(ByteBuffer data) throws IOException {
        SSLEngineResult result = engine.wrap(data, sealed.clear());
        if (result.getStatus() != SSLEngineResult.Status.OK && sealed.position() == 0) {
            throw new EOFException("the connection was closed");
        }
        runTasksAfter(result);
        int end = leaving.limit();
        leaving.limit(end + sealed.position()).put(end, sealed, 0, sealed.position());
    }
}
