package dev.muster.mesh.store;

import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException.Code;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store behind a [TcpStoreServer]. Safe for use by many threads. Waiting is done by the server, and changes are
/// pushed. When the server is gone or silent, every call fails with [Code#LOST], those in flight at once; a lost
/// store stays lost.
final class TcpStore implements Store {
    /// What a server gets beyond the limit of a waiting call, to say which keys are missing.
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
    /// @param address where it serves; a host name is looked up again each time
    /// @throws StoreException `limit-exceeded` if nobody serves there in time, `refused` if the secrets differ,
    ///     `stale` if the server is of another generation
    static TcpStore connect(InetSocketAddress address, TcpStoreConfig config, Duration limit) {
        return new TcpStore(new Connector(address, config).connect(limit), config.callLimit());
    }

    /// The generation of the mesh at which the server took this member in.
    public long generation() {
        return connection.generation();
    }

    @Override
    public void set(String key, byte[] value) {
        write(Verb.SET, key, value);
    }

    @Override
    public Optional<byte[]> find(String key) {
        Keys.requireKey(key);
        BodyReader answer = call(Verb.FIND, new BodyWriter().text(key));
        return answer.flag() ? Optional.of(answer.bytes()) : Optional.empty();
    }

    @Override
    public Map<String, byte[]> awaitAll(Collection<String> keys, Duration limit) {
        List<String> awaited = Keys.requireAwaited(keys);
        long nanos = TableStore.nanos(limit);
        BodyWriter body = new BodyWriter().number(nanos).texts(awaited);
        BodyReader answer = connection.call(Verb.AWAIT, body, plus(limit, GRACE), StoreException.named(awaited));
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
        return call(Verb.ADD, new BodyWriter().text(key).number(delta)).number();
    }

    @Override
    public boolean setIfAbsent(String key, byte[] value) {
        return write(Verb.SET_IF_ABSENT, key, value);
    }

    @Override
    public boolean compareAndSet(String key, byte[] expected, byte[] value) {
        Keys.requireKey(key);
        Keys.requireValue(key, expected);
        Keys.requireValue(key, value);
        BodyWriter body = new BodyWriter().text(key).bytes(expected).bytes(value);
        return call(Verb.COMPARE_AND_SET, body).flag();
    }

    @Override
    public boolean delete(String key) {
        Keys.requireKey(key);
        return call(Verb.DELETE, new BodyWriter().text(key)).flag();
    }

    @Override
    public List<String> keys(String prefix) {
        Keys.requirePrefix(prefix);
        return List.copyOf(call(Verb.KEYS, new BodyWriter().text(prefix)).texts());
    }

    @Override
    public Optional<Duration> findAge(String key) {
        Keys.requireKey(key);
        BodyReader answer = call(Verb.AGE, new BodyWriter().text(key));
        return answer.flag() ? Optional.of(Duration.ofNanos(answer.number())) : Optional.empty();
    }

    @Override
    public Watch watch(String prefix, Listener listener) {
        Keys.requirePrefix(prefix);
        return connection.watch(prefix, listener, callLimit);
    }

    @Override
    public void setEphemeral(String key, byte[] value) {
        write(Verb.SET_EPHEMERAL, key, value);
    }

    @Override
    public void setOnLoss(String key, byte[] value) {
        write(Verb.SET_ON_LOSS, key, value);
    }

    @Override
    public void close() {
        connection.close(FAREWELL);
    }

    private boolean write(Verb verb, String key, byte[] value) {
        Keys.requireKey(key);
        Keys.requireValue(key, value);
        return call(verb, new BodyWriter().text(key).bytes(value)).flag();
    }

    private BodyReader call(Verb verb, BodyWriter body) {
        return connection.call(verb, body, callLimit, "an answer");
    }
}
