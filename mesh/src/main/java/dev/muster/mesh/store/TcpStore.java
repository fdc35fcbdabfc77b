// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException.StoreError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A store behind a [TcpStoreServer]. Safe for use by many threads. Waiting is done by the server, and changes are
/// pushed. When the server is gone or silent, every call fails with [StoreError#LOST], those in flight at once; a lost
/// store stays lost.
final class TcpStore implements Store {
    /// The time that a server gets beyond the limit of a waiting call, to say which keys are missing.
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final ClientConnection connection;
    private final Duration callLimit;

    private TcpStore(ClientConnection connection, Duration callLimit) {
        this.connection = connection;
        this.callLimit = callLimit;
    }

    /// Connects to a server, which may come up later than this is called.
    ///
    /// @param address address of the server; a host name is looked up again each time
    /// @throws StoreException `limit-exceeded` if no server answers there in time, `refused` if the secrets differ
    static TcpStore connect(InetSocketAddress address, TcpStoreConfig config, Duration limit) {
        return new TcpStore(open(address, config, limit), config.callLimit());
    }

    private static ClientConnection open(InetSocketAddress address, TcpStoreConfig config, Duration limit) {
        long nanos = TableStore.nanos(limit);
        long start = System.nanoTime();
        Backoff pace = Backoff.polling();
        IOException last = new SocketTimeoutException("no time to try");
        long left = nanos;
        while (left > 0) {
            try {
                ClientConnection connection = tryOnce(address, config, left);
                if (connection != null) {
                    return connection;
                }
            } catch (IOException e) {
                // The server may come up later, or have no room at this moment: a crowd comes through one door.
                last = e;
            }
            left = nanos - (System.nanoTime() - start);
            LockSupport.parkNanos(Math.max(0, Math.min(left, pace.nextNanos())));
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new StoreException(
                        StoreError.INTERRUPTED, "interrupted while looking for a store at " + place(address));
            }
        }
        throw new StoreException(
                StoreError.LIMIT_EXCEEDED,
                "no store answers at " + place(address) + " within " + limit.toMillis() + " ms: " + last.getMessage(),
                last);
    }

    private static @Nullable ClientConnection tryOnce(InetSocketAddress address, TcpStoreConfig config, long nanos)
            throws IOException {
        InetSocketAddress target = new InetSocketAddress(address.getHostString(), address.getPort());
        if (target.isUnresolved()) {
            throw new UnknownHostException(address.getHostString());
        }
        Socket socket = new Socket();
        try {
            socket.connect(target, Math.clamp(nanos / 1_000_000, 1, Integer.MAX_VALUE));
            if (socket.getLocalSocketAddress().equals(socket.getRemoteSocketAddress())) {
                // Linux can connect a socket to itself when the unserved port is in the ephemeral range.
                socket.close();
                return null;
            }
            return ClientConnection.over(socket, config);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static String place(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public void set(String key, byte[] value) {
        write(MessageType.SET, key, value);
    }

    @Override
    public Optional<byte[]> find(String key) {
        Keys.requireKey(key);
        BodyReader answer = call(MessageType.FIND, new BodyWriter().text(key));
        return answer.flag() ? Optional.of(answer.bytes()) : Optional.empty();
    }

    @Override
    public Map<String, byte[]> awaitAll(Collection<String> keys, Duration limit) {
        List<String> awaited = Keys.requireAwaited(keys);
        long nanos = TableStore.nanos(limit);
        BodyWriter body = new BodyWriter().number(nanos).texts(awaited);
        BodyReader answer = connection.call(MessageType.AWAIT, body, plus(limit, GRACE), StoreException.named(awaited));
        Map<String, byte[]> values = new LinkedHashMap<>();
        awaited.forEach(key -> values.put(key, answer.bytes()));
        return values;
    }

    private static Duration plus(Duration limit, Duration more) {
        try {
            return limit.plus(more);
        } catch (ArithmeticException _) {
            return limit;
        }
    }

    @Override
    public long add(String key, long delta) {
        Keys.requireKey(key);
        return call(MessageType.ADD, new BodyWriter().text(key).number(delta)).number();
    }

    @Override
    public boolean setIfAbsent(String key, byte[] value) {
        return write(MessageType.SET_IF_ABSENT, key, value);
    }

    @Override
    public boolean compareAndSet(String key, byte[] expected, byte[] value) {
        Keys.requireKey(key);
        Keys.requireValue(key, expected);
        Keys.requireValue(key, value);
        BodyWriter body = new BodyWriter().text(key).bytes(expected).bytes(value);
        return call(MessageType.COMPARE_AND_SET, body).flag();
    }

    @Override
    public boolean delete(String key) {
        Keys.requireKey(key);
        return call(MessageType.DELETE, new BodyWriter().text(key)).flag();
    }

    @Override
    public List<String> keys(String prefix) {
        Keys.requirePrefix(prefix);
        return List.copyOf(call(MessageType.KEYS, new BodyWriter().text(prefix)).texts());
    }

    @Override
    public Optional<Duration> findAge(String key) {
        Keys.requireKey(key);
        BodyReader answer = call(MessageType.AGE, new BodyWriter().text(key));
        return answer.flag() ? Optional.of(Duration.ofNanos(answer.number())) : Optional.empty();
    }

    @Override
    public Watch watch(String prefix, Listener listener) {
        Keys.requirePrefix(prefix);
        return connection.watch(prefix, listener, callLimit);
    }

    @Override
    public void setEphemeral(String key, byte[] value) {
        write(MessageType.SET_EPHEMERAL, key, value);
    }

    @Override
    public void setOnLoss(String key, byte[] value) {
        write(MessageType.SET_ON_LOSS, key, value);
    }

    @Override
    public void close() {
        connection.close(FAREWELL);
    }

    private boolean write(MessageType verb, String key, byte[] value) {
        Keys.requireKey(key);
        Keys.requireValue(key, value);
        return call(verb, new BodyWriter().text(key).bytes(value)).flag();
    }

    private BodyReader call(MessageType verb, BodyWriter body) {
        return connection.call(verb, body, callLimit, "an answer");
    }
}
