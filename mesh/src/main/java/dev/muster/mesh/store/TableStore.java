// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.Store.Listener;
import dev.muster.mesh.store.Store.Watch;
import dev.muster.mesh.store.StoreException.StoreError;
import dev.muster.mesh.store.StoreTable.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One member's way into a table: its waits, watches, ephemeral keys and last words end with it.
final class TableStore implements Store {
    private final StoreTable table;
    private final TableStorage backing;
    private final boolean noticesLoss;
    private final Runnable release;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final Map<String, StoreTable.Entry> ephemeral = new ConcurrentHashMap<>();
    private final Map<String, byte[]> lastWords = new ConcurrentHashMap<>();
    private volatile @Nullable StoreException end;

    /// @param release called once when the member has left
    TableStore(StoreTable table, TableStorage backing, boolean noticesLoss, Runnable release) {
        this.table = table;
        this.backing = backing;
        this.noticesLoss = noticesLoss;
        this.release = release;
    }

    @Override
    public void set(String key, byte[] value) {
        requireOpen(key, value);
        backing.exclusively(() -> {
            table.replace(key, _ -> true, value);
            return true;
        });
    }

    @Override
    public Optional<byte[]> find(String key) {
        requireOpen(key);
        backing.refresh();
        return table.find(key).map(byte[]::clone);
    }

    @Override
    public Map<String, byte[]> awaitAll(Collection<String> keys, Duration limit) {
        List<String> awaited = Keys.requireAwaited(keys);
        requireOpen();
        // Before anything else, so that what was replaced long ago does not pass for an answer.
        backing.refresh();
        Waiter waiter = table.enlist(awaited);
        waiters.add(waiter);
        List<String> missing;
        try {
            requireOpen();
            awaitEnd(waiter, limit);
        } finally {
            waiters.remove(waiter);
            missing = table.dismiss(waiter);
        }
        if (!waiter.done.isDone()) {
            throw Waiter.exceeded(limit, missing);
        }
        Map<String, byte[]> values = new LinkedHashMap<>();
        waiter.result().forEach((key, value) -> values.put(key, value.clone()));
        return values;
    }

    private void awaitEnd(Waiter waiter, Duration limit) {
        long start = System.nanoTime();
        long nanos = nanos(limit);
        Backoff pace = backing.pace();
        long left = nanos;
        boolean done = waiter.await(Math.min(left, pace.nextNanos()));
        while (!done && left > 0) {
            backing.refresh();
            left = nanos - (System.nanoTime() - start);
            done = waiter.await(Math.max(0, Math.min(left, pace.nextNanos())));
        }
    }

    @Override
    public long add(String key, long delta) {
        requireOpen(key);
        return backing.exclusively(() -> table.add(key, delta));
    }

    @Override
    public boolean setIfAbsent(String key, byte[] value) {
        requireOpen(key, value);
        return backing.exclusively(() -> table.replace(key, entry -> entry == null, value));
    }

    @Override
    public boolean compareAndSet(String key, byte[] expected, byte[] value) {
        requireOpen(key, value);
        return backing.exclusively(() -> table.replace(key, entry -> Arrays.equals(entry, expected), value));
    }

    @Override
    public boolean delete(String key) {
        requireOpen(key);
        return backing.exclusively(() -> table.delete(key));
    }

    @Override
    public List<String> keys(String prefix) {
        Keys.requirePrefix(prefix);
        requireOpen();
        backing.refresh();
        return table.keys(prefix);
    }

    @Override
    public Optional<Duration> findAge(String key) {
        requireOpen(key);
        backing.refresh();
        return table.findAge(key);
    }

    @Override
    public Watch watch(String prefix, Listener listener) {
        Keys.requirePrefix(prefix);
        requireOpen();
        backing.refresh();
        WatchDispatcher pump = new WatchDispatcher(listener, backing);
        table.subscribe(prefix, pump);
        Watch watch = new Watch() {
            @Override
            public void close() {
                watches.remove(this);
                table.unsubscribe(pump);
                pump.stop();
            }
        };
        watches.add(watch);
        pump.start();
        if (end != null) {
            watch.close();
            requireOpen();
        }
        return watch;
    }

    /// Tells a subscriber without a thread between; it must not wait.
    void subscribe(String prefix, StoreTable.Subscriber subscriber) {
        Keys.requirePrefix(prefix);
        requireOpen();
        table.subscribe(prefix, subscriber);
    }

    void unsubscribe(StoreTable.Subscriber subscriber) {
        table.unsubscribe(subscriber);
    }

    @Override
    public void setEphemeral(String key, byte[] value) {
        requireOpen(key, value);
        requireNotice();
        ephemeral.put(key, table.set(key, value));
        if (end != null) {
            removeEphemeral();
        }
    }

    private void removeEphemeral() {
        try {
            ephemeral.forEach(table::delete);
        } catch (StoreException _) {
            // The whole table ended before; then there is nothing to remove.
        }
    }

    @Override
    public void setOnLoss(String key, byte[] value) {
        requireOpen(key, value);
        requireNotice();
        if (lastWords.size() >= StoreLimits.MAX_WATCHES_PER_CONNECTION && !lastWords.containsKey(key)) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "a member leaves so many keys behind at most: " + StoreLimits.MAX_WATCHES_PER_CONNECTION);
        }
        lastWords.put(key, value.clone());
    }

    @Override
    public void close() {
        leave(new StoreException(StoreError.CLOSED, "this store was closed"));
    }

    /// The member is gone without a word: what it wanted to be said then is said.
    void lose(StoreException reason) {
        if (leave(reason)) {
            lastWords.forEach(this::sayLast);
        }
    }

    private void sayLast(String key, byte[] value) {
        try {
            table.replace(key, _ -> true, value);
        } catch (StoreException _) {
            // A store without room cannot say it; heartbeats still tell of the loss.
        }
    }

    /// Ends the member's way in for a reason, without its last words; false when it had ended before.
    synchronized boolean leave(StoreException reason) {
        if (end != null) {
            return false;
        }
        end = reason;
        List.copyOf(waiters).forEach(waiter -> waiter.done.completeExceptionally(reason));
        new ArrayList<>(watches).forEach(Watch::close);
        removeEphemeral();
        release.run();
        return true;
    }

    private void requireNotice() {
        if (!noticesLoss) {
            throw new StoreException(
                    StoreError.UNSUPPORTED, "files do not notice a lost member; use a TCP store or heartbeats");
        }
    }

    private void requireOpen(String key, byte[] value) {
        Keys.requireValue(key, value);
        requireOpen(key);
    }

    private void requireOpen(String key) {
        Keys.requireKey(key);
        requireOpen();
    }

    private void requireOpen() {
        StoreException reason = end;
        if (reason != null) {
            throw reason.again();
        }
    }

    /// A limit in nanoseconds; what does not fit is as good as for ever.
    static long nanos(Duration limit) {
        if (limit.isNegative()) {
            return 0;
        }
        try {
            return limit.toNanos();
        } catch (ArithmeticException _) {
            return Long.MAX_VALUE;
        }
    }
}
