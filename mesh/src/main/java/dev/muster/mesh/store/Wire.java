package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.Code;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/// A connection as messages: one thread reads, any thread sends, and neither waits for the other. What a peer does not
/// read is kept up to a bound.
final class Wire implements Closeable {
    private static final int LEAST_MILLIS = 1;

    private final Socket socket;
    private final InputStream in;
    private final Duration frameLimit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<byte[]> unsent = new ArrayDeque<>();
    private final Thread sender;
    private long unsentBytes;
    private boolean closed;

    /// @param onFailure what is done, once at most, when sending fails
    Wire(Socket socket, Duration frameLimit, Consumer<IOException> onFailure) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.frameLimit = frameLimit;
        this.sender = Thread.ofVirtual().name("muster-store-send").unstarted(() -> send(onFailure));
        socket.setTcpNoDelay(true);
    }

    /// From now on, what is offered is sent.
    void startSending() {
        sender.start();
    }

    /// Reads so many bytes, all of which have to come in time.
    byte[] readExactly(int count, Duration limit) throws IOException {
        byte[] bytes = new byte[count];
        readFully(bytes, 0, System.nanoTime() + limit.toNanos());
        return bytes;
    }

    /// Writes before any message is sent.
    void writeNow(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /// Waits for a message to begin, then reads all of it.
    ///
    /// @throws SocketTimeoutException if none begins in time, or it takes too long
    /// @throws StoreException if it is none
    Frame read(Duration silence) throws IOException {
        byte[] head = new byte[Integer.BYTES];
        socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
        int first = in.read();
        if (first < 0) {
            throw new EOFException("the other side closed the connection");
        }
        head[0] = (byte) first;
        long deadline = System.nanoTime() + frameLimit.toNanos();
        readFully(head, 1, deadline);
        int length = ByteBuffer.wrap(head).getInt();
        if (length < Frame.HEAD_BYTES || length > Frame.HEAD_BYTES + StoreLimits.MAX_FRAME_BYTES) {
            throw new StoreException(Code.GARBLED, "a message of " + Integer.toUnsignedString(length) + " bytes");
        }
        byte[] bytes = new byte[length];
        readFully(bytes, 0, deadline);
        return Frame.parse(bytes);
    }

    private void readFully(byte[] bytes, int from, long deadline) throws IOException {
        int at = from;
        while (at < bytes.length) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException("a message did not arrive in time");
            }
            socket.setSoTimeout(Math.clamp(left, LEAST_MILLIS, Integer.MAX_VALUE));
            int count = in.read(bytes, at, bytes.length - at);
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
                socket.getOutputStream().write(next);
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
