// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.FrameChannel.Tags;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One client of a server: reads its calls, answers them, and takes it out of the store when it is gone.
final class ServerConnection {
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final TcpStoreServer server;
    private final TcpStoreConfig config;
    private final TableStore store;
    private final FrameChannel wire;
    private final Thread reader;
    private final Map<Long, Thread> waits = new ConcurrentHashMap<>();
    private final Map<Long, WatchOfClient> watches = new ConcurrentHashMap<>();
    private final AtomicBoolean gone = new AtomicBoolean();

    ServerConnection(TcpStoreServer server, Socket socket, TcpStoreConfig config, TableStore store) throws IOException {
        this.server = server;
        this.config = config;
        this.store = store;
        this.wire = new FrameChannel(
                socket,
                config.handshakeLimit(),
                e -> cut(new StoreException(StoreError.LOST, "a member cannot be written to", e)));
        this.reader = Thread.ofVirtual().name("muster-store-serve").unstarted(this::run);
    }

    void start() {
        reader.start();
    }

    void join(Duration limit) throws InterruptedException {
        reader.join(limit);
        wire.join(limit);
        for (Thread wait : waits.values()) {
            wait.join(limit);
        }
    }

    /// The member is lost: its connection ends, and the store says what the member wanted to be said then.
    void cut(StoreException reason) {
        if (gone.compareAndSet(false, true)) {
            server.forget(this);
            wire.close();
            store.lose(reason);
            dropWatches();
        }
    }

    /// The server ends: the connection does, too, and this does not count as the loss of a member.
    void hangUp(StoreException reason) {
        if (gone.compareAndSet(false, true)) {
            server.forget(this);
            wire.close();
            store.leave(reason);
            dropWatches();
        }
    }

    private void dropWatches() {
        watches.values().forEach(store::unsubscribe);
        watches.clear();
    }

    private void run() {
        try {
            wire.open(server.end(), false, config.handshakeLimit());
            Tags tags = new Handshake(wire, config).serve(() -> server.admit(this));
            wire.startSending(tags);
            boolean stays = true;
            while (stays) {
                stays = handle(wire.read(config.silence()));
            }
            store.close();
            wire.drain(FAREWELL);
            cut(new StoreException(StoreError.CLOSED, "the member has left"));
        } catch (StoreException e) {
            cut(e);
        } catch (SocketTimeoutException e) {
            cut(new StoreException(StoreError.LOST, "a member was silent for too long", e));
        } catch (IOException e) {
            cut(new StoreException(StoreError.LOST, "the connection of a member broke", e));
        } catch (RuntimeException e) {
            cut(new StoreException(StoreError.GARBLED, "a member sent what cannot be served: " + e, e));
        } finally {
            server.finished(this);
        }
    }

    /// Does what a message asks; false when it is a farewell.
    private boolean handle(Frame frame) {
        BodyReader body = frame.reader();
        long id = frame.id();
        switch (frame.verb()) {
            case PING -> send(id, MessageType.PONG, new BodyWriter());
            case BYE ->
                answer(id, () -> {
                    store.close();
                    return new BodyWriter();
                });
            case AWAIT -> startWaiting(id, Duration.ofNanos(Math.max(0, body.number())), body.texts());
            case CANCEL -> Optional.ofNullable(waits.get(body.number())).ifPresent(Thread::interrupt);
            case WATCH -> watch(id, body.text());
            case UNWATCH -> unwatch(id, body.number());
            case ANSWER, FAULT, CHANGE, END, PONG ->
                throw new StoreException(StoreError.GARBLED, "a message that only a server sends");
            case SET, FIND, ADD, SET_IF_ABSENT, COMPARE_AND_SET, DELETE, KEYS, AGE, SET_EPHEMERAL, SET_ON_LOSS -> {
                Supplier<BodyWriter> call = call(frame.verb(), body);
                body.end();
                answer(id, call);
            }
        }
        return frame.verb() != MessageType.BYE;
    }

    /// Reads a call at once, to be made later: what cannot be read ends the connection, what cannot be done does
    /// not.
    private Supplier<BodyWriter> call(MessageType verb, BodyReader body) {
        String key = body.text();
        switch (verb) {
            case FIND -> {
                return () -> optional(store.find(key));
            }
            case DELETE -> {
                return () -> new BodyWriter().flag(store.delete(key));
            }
            case KEYS -> {
                return () -> new BodyWriter().texts(store.keys(key));
            }
            case AGE -> {
                return () -> store.findAge(key)
                        .map(age -> new BodyWriter().flag(true).number(age.toNanos()))
                        .orElseGet(() -> new BodyWriter().flag(false));
            }
            case ADD -> {
                long delta = body.number();
                return () -> new BodyWriter().number(store.add(key, delta));
            }
            case SET_IF_ABSENT -> {
                byte[] value = body.bytes();
                return () -> new BodyWriter().flag(store.setIfAbsent(key, value));
            }
            case COMPARE_AND_SET -> {
                byte[] expected = body.bytes();
                byte[] value = body.bytes();
                return () -> new BodyWriter().flag(store.compareAndSet(key, expected, value));
            }
            default -> {
                byte[] value = body.bytes();
                return () -> {
                    if (verb == MessageType.SET) {
                        store.set(key, value);
                    } else if (verb == MessageType.SET_EPHEMERAL) {
                        store.setEphemeral(key, value);
                    } else {
                        store.setOnLoss(key, value);
                    }
                    return new BodyWriter().flag(true);
                };
            }
        }
    }

    private void startWaiting(long id, Duration limit, List<String> keys) {
        if (waits.size() >= StoreLimits.MAX_WAITS_PER_CONNECTION) {
            answer(id, () -> {
                throw new StoreException(
                        StoreError.TOO_LARGE,
                        "a member waits in at most " + StoreLimits.MAX_WAITS_PER_CONNECTION + " calls at a time");
            });
            return;
        }
        Thread thread = Thread.ofVirtual().name("muster-store-wait").unstarted(() -> {
            try {
                answer(id, () -> {
                    BodyWriter values = new BodyWriter();
                    store.awaitAll(keys, limit).forEach((_, value) -> values.bytes(value));
                    return values;
                });
            } finally {
                waits.remove(id);
            }
        });
        if (waits.putIfAbsent(id, thread) != null) {
            throw new StoreException(StoreError.GARBLED, "two calls of the same number");
        }
        thread.start();
    }

    private void watch(long id, String prefix) {
        answer(id, () -> {
            if (watches.size() >= StoreLimits.MAX_WATCHES_PER_CONNECTION) {
                throw new StoreException(
                        StoreError.TOO_LARGE,
                        "a member has at most " + StoreLimits.MAX_WATCHES_PER_CONNECTION + " watches");
            }
            WatchOfClient watch = new WatchOfClient(id);
            watches.put(id, watch);
            try {
                store.subscribe(prefix, watch);
            } catch (StoreException e) {
                watches.remove(id);
                throw e;
            }
            return new BodyWriter();
        });
    }

    private void unwatch(long id, long watched) {
        answer(id, () -> {
            Optional.ofNullable(watches.remove(watched)).ifPresent(store::unsubscribe);
            return new BodyWriter();
        });
    }

    private void answer(long id, Supplier<BodyWriter> call) {
        try {
            send(id, MessageType.ANSWER, call.get());
        } catch (StoreException e) {
            send(id, MessageType.FAULT, new BodyWriter().fault(e));
        }
    }

    private void send(long id, MessageType verb, BodyWriter body) {
        if (!wire.offer(new Frame(id, verb, body.toBytes())) && !gone.get()) {
            // Not here and now: the caller may hold the lock of the table.
            Thread.ofVirtual()
                    .name("muster-store-cut")
                    .start(() -> cut(new StoreException(StoreError.LOST, "a member does not read what it asked for")));
        }
    }

    private static BodyWriter optional(Optional<byte[]> value) {
        return value.map(bytes -> new BodyWriter().flag(true).bytes(bytes))
                .orElseGet(() -> new BodyWriter().flag(false));
    }

    private final class WatchOfClient implements StoreTable.Subscriber {
        private final long id;

        WatchOfClient(long id) {
            this.id = id;
        }

        @Override
        public void changed(String key, byte @Nullable [] value) {
            BodyWriter body = new BodyWriter().text(key).flag(value != null);
            send(id, MessageType.CHANGE, value == null ? body : body.bytes(value));
        }

        @Override
        public void ended(StoreException reason) {
            send(id, MessageType.END, new BodyWriter().fault(reason));
        }
    }
}
