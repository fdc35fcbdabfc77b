// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.secure.FrameTags;
import dev.muster.mesh.secure.PeerRefusedException;
import dev.muster.mesh.secure.SecureSocket;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A connection as messages: one thread reads, any thread sends, and neither waits for the other. What a peer does not
/// read is kept up to a bound.
final class FrameChannel implements Closeable {
    private final Socket socket;
    private final Duration frameLimit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> unsent = new ArrayDeque<>();
    private final Thread sender;
    private long unsentBytes;
    private boolean closed;
    /// From [#open] on.
    private @Nullable SecureSocket secured;
    /// From [#startSending] on.
    private @Nullable Tags tags;

    /// The tags of messages each way.
    record Tags(FrameTags sent, FrameTags received) {}

    /// @param onFailure called at most once, when sending fails
    FrameChannel(Socket socket, Duration frameLimit, Consumer<IOException> onFailure) throws IOException {
        this.socket = socket;
        this.frameLimit = frameLimit;
        this.sender = Thread.ofVirtual().name("muster-store-send").unstarted(() -> send(onFailure));
        socket.setTcpNoDelay(true);
    }

    /// Agrees with the other side how to go on. Until the first message, all that is read has to come within the limit.
    ///
    /// @throws StoreException `refused` if the other side has another secret, or wants the opposite
    void open(SecureSocket.End end, boolean connects, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            secured = connects ? end.connect(socket, deadline) : end.accept(socket, deadline);
        } catch (PeerRefusedException e) {
            throw new StoreException(StoreError.REFUSED, String.valueOf(e.getMessage()), e);
        }
    }

    private SecureSocket secured() {
        return Objects.requireNonNull(secured, "a wire is opened before it is used");
    }

    /// From now on, what is offered is sent, and messages have tags.
    void startSending(Tags both) {
        tags = both;
        sender.start();
    }

    /// Reads so many bytes, all of which have to come in time.
    byte[] readExactly(int count) throws IOException {
        byte[] bytes = new byte[count];
        readFully(bytes, 0);
        return bytes;
    }

    /// Writes before any message is sent.
    void writeNow(byte[] bytes) throws IOException {
        secured().out().write(bytes);
    }

    /// Waits for a message to begin, then reads all of it.
    ///
    /// @throws SocketTimeoutException if none begins in time, or it takes too long
    /// @throws StoreException if it is none
    Frame read(Duration silence) throws IOException {
        byte[] head = new byte[Integer.BYTES];
        secured().until(System.nanoTime() + silence.toNanos());
        int first = secured().in().read();
        if (first < 0) {
            throw new EOFException("the other side closed the connection");
        }
        head[0] = (byte) first;
        secured().until(System.nanoTime() + frameLimit.toNanos());
        readFully(head, 1);
        int length = ByteBuffer.wrap(head).getInt();
        if (length < Frame.HEAD_BYTES || length > Frame.HEAD_BYTES + StoreLimits.MAX_FRAME_BYTES) {
            throw new StoreException(StoreError.GARBLED, "a message of " + Integer.toUnsignedString(length) + " bytes");
        }
        byte[] bytes = ByteBuffer.allocate(head.length + length + FrameTags.BYTES)
                .put(head)
                .array();
        readFully(bytes, head.length);
        if (!tags().received().isNext(bytes, head.length + length)) {
            throw new StoreException(StoreError.GARBLED, "a message does not have the tag of the other side");
        }
        return Frame.parse(ByteBuffer.wrap(bytes, head.length, length));
    }

    private Tags tags() {
        return Objects.requireNonNull(tags, "messages come after the handshake");
    }

    private void readFully(byte[] bytes, int from) throws IOException {
        int at = from;
        while (at < bytes.length) {
            int count = secured().in().read(bytes, at, bytes.length - at);
            if (count < 0) {
                throw new EOFException("the other side closed the connection in the middle of a message");
            }
            at += count;
        }
    }

    /// Queues a message; false when the other side has not read for too long, or the connection is closed.
    boolean offer(Frame frame) {
        byte[] bytes = frame.toBytes();
        lock.lock();
        try {
            if (closed || unsentBytes + bytes.length > StoreLimits.MAX_UNREAD_BYTES) {
                return false;
            }
            unsent.add(bytes);
            unsentBytes += bytes.length;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until all that was queued has been sent, for so long at most.
    void drain(Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (unsentBytes > 0 && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void send(Consumer<IOException> onFailure) {
        try {
            byte[] next = take(0);
            while (next.length > 0) {
                tags().sent().append(next, next.length - FrameTags.BYTES);
                secured().out().write(next);
                next = take(next.length);
            }
        } catch (IOException e) {
            onFailure.accept(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// The next message, after so many bytes were sent; an empty one at the end.
    private byte[] take(int sent) throws InterruptedException {
        lock.lock();
        try {
            unsentBytes -= sent;
            changed.signalAll();
            while (unsent.isEmpty() && !closed) {
                changed.await();
            }
            return closed ? new byte[0] : unsent.remove();
        } finally {
            lock.unlock();
        }
    }

    /// Cuts the connection; who reads or sends is woken.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            unsent.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            socket.close();
        } catch (IOException _) {
            // There is nothing left to lose.
        }
    }

    /// Waits for the sending thread, after [#close].
    void join(Duration limit) throws InterruptedException {
        if (sender.getState() != Thread.State.NEW) {
            sender.join(limit);
        }
    }
}
