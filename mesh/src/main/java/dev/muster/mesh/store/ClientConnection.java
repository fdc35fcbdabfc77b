// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.Handshake.Joined;
import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A client's connection: calls with their answers, watches with their changes, and signs of life in between.
final class ClientConnection {
    /// The number of signs of life within the silence that either side takes for a loss.
    private static final int SIGNS = 3;

    private static final Duration JOIN_LIMIT = Duration.ofSeconds(2);

    private final FrameChannel wire;
    private final Duration silence;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<Long, CompletableFuture<BodyReader>> calls = new ConcurrentHashMap<>();
    private final Map<Long, WatchDispatcher> watches = new ConcurrentHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread reader;
    private final Thread signs;
    private volatile Duration signPeriod = Duration.ZERO;
    /// From the farewell on, an end is expected, from either side.
    private volatile boolean leaving;

    private volatile @Nullable StoreException end;

    private ClientConnection(Socket socket, TcpStoreConfig config) throws IOException {
        this.silence = config.silence();
        this.wire = new FrameChannel(
                socket,
                config.handshakeLimit(),
                e -> end(new StoreException(StoreError.LOST, lost(e.getMessage()), e)));
        this.reader = Thread.ofVirtual().name("muster-store-read").unstarted(this::read);
        this.signs = Thread.ofVirtual().name("muster-store-signs").unstarted(this::giveSigns);
    }

    static ClientConnection over(Socket socket, TcpStoreConfig config) throws IOException {
        ClientConnection connection = new ClientConnection(socket, config);
        connection.wire.open(config.end(), true, config.handshakeLimit());
        Joined joined = new Handshake(connection.wire, config).join();
        connection.signPeriod = joined.silence().dividedBy(SIGNS);
        connection.wire.startSending(joined.tags());
        connection.reader.start();
        connection.signs.start();
        return connection;
    }

    /// Makes a call and waits for its answer.
    ///
    /// @param what the awaited message, for the error when it does not come
    BodyReader call(MessageType verb, BodyWriter body, Duration limit, String what) {
        return call(lastId.incrementAndGet(), verb, body, limit, what);
    }

    private BodyReader call(long id, MessageType verb, BodyWriter body, Duration limit, String what) {
        CompletableFuture<BodyReader> answer = new CompletableFuture<>();
        calls.put(id, answer);
        try {
            requireOpen();
            if (!wire.offer(new Frame(id, verb, body.toBytes()))) {
                requireOpen();
                end(new StoreException(StoreError.LOST, lost("it does not read what it is sent")));
            }
            return answer.get(TableStore.nanos(limit), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof StoreException reason ? reason.again() : new IllegalStateException(e);
        } catch (TimeoutException e) {
            cancel(id, verb);
            throw new StoreException(
                    StoreError.LIMIT_EXCEEDED,
                    "the server of the store did not answer within " + limit.toMillis() + " ms; waited for " + what,
                    e);
        } catch (InterruptedException e) {
            cancel(id, verb);
            Thread.currentThread().interrupt();
            throw new StoreException(StoreError.INTERRUPTED, "interrupted while waiting for " + what, e);
        } finally {
            calls.remove(id);
        }
    }

    private void cancel(long id, MessageType verb) {
        if (verb == MessageType.AWAIT) {
            boolean _ = wire.offer(new Frame(
                    lastId.incrementAndGet(),
                    MessageType.CANCEL,
                    new BodyWriter().number(id).toBytes()));
        }
    }

    Watch watch(String prefix, Listener listener, Duration limit) {
        WatchDispatcher pump = new WatchDispatcher(listener, TableStorage.NONE);
        long id = lastId.incrementAndGet();
        watches.put(id, pump);
        try {
            call(id, MessageType.WATCH, new BodyWriter().text(prefix), limit, "an answer");
        } catch (StoreException e) {
            watches.remove(id);
            throw e;
        }
        pump.start();
        return () -> unwatch(id, pump, limit);
    }

    private void unwatch(long id, WatchDispatcher pump, Duration limit) {
        if (watches.remove(id) == null) {
            return;
        }
        pump.stop();
        if (end == null) {
            try {
                call(MessageType.UNWATCH, new BodyWriter().number(id), limit, "an answer");
            } catch (StoreException _) {
                // The watch is over on this side, and on the other it ends with the connection.
            }
        }
    }

    /// Says farewell, so that this does not count as a loss, and waits for the threads.
    void close(Duration limit) {
        if (end == null) {
            leaving = true;
            watches.keySet().forEach(id -> stop(watches.remove(id)));
            try {
                call(MessageType.BYE, new BodyWriter(), limit, "a farewell");
            } catch (StoreException _) {
                // Then the server sees the connection end, and takes it for a loss.
            }
        }
        end(new StoreException(StoreError.CLOSED, "this store was closed"));
        watches.keySet().forEach(id -> stop(watches.remove(id)));
        try {
            reader.join(JOIN_LIMIT);
            signs.join(JOIN_LIMIT);
            wire.join(JOIN_LIMIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void stop(@Nullable WatchDispatcher pump) {
        if (pump != null) {
            pump.stop();
        }
    }

    private synchronized void end(StoreException reason) {
        if (end != null) {
            return;
        }
        StoreException told = leaving ? new StoreException(StoreError.CLOSED, "this store was closed") : reason;
        end = told;
        ended.countDown();
        wire.close();
        calls.values().forEach(call -> call.completeExceptionally(told));
        watches.values().forEach(pump -> pump.ended(told));
    }

    private void requireOpen() {
        StoreException reason = end;
        if (reason != null) {
            throw reason.again();
        }
    }

    private void read() {
        try {
            while (end == null) {
                handle(wire.read(silence));
            }
        } catch (SocketTimeoutException e) {
            end(new StoreException(StoreError.LOST, lost("no sign of life for " + silence.toMillis() + " ms"), e));
        } catch (IOException e) {
            end(new StoreException(StoreError.LOST, lost(e.getMessage()), e));
        } catch (StoreException e) {
            end(e);
        } catch (RuntimeException e) {
            end(new StoreException(StoreError.GARBLED, "the server of the store sent an unreadable message", e));
        }
    }

    private void handle(Frame frame) {
        BodyReader body = frame.reader();
        CompletableFuture<BodyReader> call = calls.get(frame.id());
        WatchDispatcher watch = watches.get(frame.id());
        switch (frame.verb()) {
            case ANSWER -> {
                if (call != null) {
                    call.complete(body);
                }
            }
            case FAULT -> {
                if (call != null) {
                    call.completeExceptionally(body.fault());
                }
            }
            case CHANGE -> {
                if (watch != null) {
                    String key = body.text();
                    watch.changed(key, body.flag() ? body.bytes() : null);
                }
            }
            case END -> {
                if (watch != null) {
                    watch.ended(body.fault());
                }
            }
            case PONG -> {
                // That it came is all it says.
            }
            case SET, FIND, AWAIT, CANCEL, ADD, SET_IF_ABSENT, COMPARE_AND_SET, DELETE, KEYS, AGE, WATCH, UNWATCH ->
                throw new StoreException(StoreError.GARBLED, "a message that only a client sends");
            case SET_EPHEMERAL, SET_ON_LOSS, PING, BYE ->
                throw new StoreException(StoreError.GARBLED, "a message that only a client sends");
        }
    }

    private void giveSigns() {
        try {
            while (!ended.await(signPeriod.toNanos(), TimeUnit.NANOSECONDS)) {
                boolean _ =
                        wire.offer(new Frame(lastId.incrementAndGet(), MessageType.PING, new BodyWriter().toBytes()));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static String lost(@Nullable String reason) {
        return "the server of the store is lost: " + reason;
    }
}
