// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A store whose keys all start with the same prefix, which its user does not see.
final class PrefixStore implements Store {
    private final Store store;
    private final String prefix;

    PrefixStore(Store store, String prefix) {
        Keys.requireKey(prefix);
        this.store = store;
        this.prefix = prefix;
    }

    @Override
    public void set(String key, byte[] value) {
        store.set(full(key), value);
    }

    @Override
    public Optional<byte[]> find(String key) {
        return store.find(full(key));
    }

    @Override
    public Map<String, byte[]> awaitAll(Collection<String> keys, Duration limit) {
        Map<String, byte[]> values = new LinkedHashMap<>();
        try {
            store.awaitAll(keys.stream().map(this::full).toList(), limit)
                    .forEach((key, value) -> values.put(bare(key), value));
        } catch (StoreException e) {
            List<String> missing = e.missing().stream().map(this::bare).toList();
            throw new StoreException(e.code(), String.valueOf(e.getMessage()), missing, e);
        }
        return values;
    }

    @Override
    public long add(String key, long delta) {
        return store.add(full(key), delta);
    }

    @Override
    public boolean setIfAbsent(String key, byte[] value) {
        return store.setIfAbsent(full(key), value);
    }

    @Override
    public boolean compareAndSet(String key, byte[] expected, byte[] value) {
        return store.compareAndSet(full(key), expected, value);
    }

    @Override
    public boolean delete(String key) {
        return store.delete(full(key));
    }

    @Override
    public List<String> keys(String start) {
        return store.keys(prefix + start).stream().map(this::bare).toList();
    }

    @Override
    public Optional<Duration> findAge(String key) {
        return store.findAge(full(key));
    }

    @Override
    public Watch watch(String start, Listener listener) {
        return store.watch(prefix + start, new Listener() {
            @Override
            public void onSet(String key, byte[] value) {
                listener.onSet(bare(key), value);
            }

            @Override
            public void onDelete(String key) {
                listener.onDelete(bare(key));
            }

            @Override
            public void onEnd(StoreException reason) {
                listener.onEnd(reason);
            }
        });
    }

    @Override
    public void setEphemeral(String key, byte[] value) {
        store.setEphemeral(full(key), value);
    }

    @Override
    public void setOnLoss(String key, byte[] value) {
        store.setOnLoss(full(key), value);
    }

    @Override
    public void close() {
        store.close();
    }

    private String full(String key) {
        Keys.requireKey(key);
        return prefix + key;
    }

    private String bare(String key) {
        return key.substring(prefix.length());
    }
}
