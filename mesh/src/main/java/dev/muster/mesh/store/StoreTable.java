// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import dev.muster.mesh.store.StoreException.StoreError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The keys and values themselves, with those who wait for them: what all stores have in common. Safe for use by
/// many threads; nothing is waited for under its lock.
final class StoreTable {
    /// Writes a change down before it counts; a table in memory needs none.
    interface Journal {
        /// Takes a change down.
        ///
        /// @param value the new value, or null for a key that goes away
        void record(String key, byte @Nullable [] value);
    }

    /// Hears changes under the table's lock, and must not wait.
    interface Subscriber {
        /// Hears of a change.
        ///
        /// @param value the new value, or null for a key that went away
        void changed(String key, byte @Nullable [] value);

        void ended(StoreException reason);
    }

    /// A value and when it came. Each time that a key is set it gets another one.
    static final class Entry {
        private final byte[] value;
        private final long setAt;

        Entry(byte[] value, long setAt) {
            this.value = value;
            this.setAt = setAt;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableMap<String, Entry> entries = new TreeMap<>();
    private final Map<String, Set<Waiter>> waiters = new HashMap<>();
    private final Map<Subscriber, String> subscribers = new LinkedHashMap<>();
    private final Journal journal;
    private final LongSupplier nanoClock;
    private long bytes;
    private @Nullable StoreException end;

    StoreTable(Journal journal, LongSupplier nanoClock) {
        this.journal = journal;
        this.nanoClock = nanoClock;
    }

    Optional<byte[]> find(String key) {
        return locked(() -> Optional.ofNullable(entries.get(key)).map(entry -> entry.value));
    }

    long add(String key, long delta) {
        return locked(() -> {
            Entry entry = entries.get(key);
            long before = entry == null ? 0 : counter(key, entry.value);
            long sum;
            try {
                sum = Math.addExact(before, delta);
            } catch (ArithmeticException e) {
                throw new StoreException(StoreError.NOT_A_COUNTER, "the sum of '" + key + "' does not fit", e);
            }
            put(key, Long.toString(sum).getBytes(StandardCharsets.US_ASCII));
            return sum;
        });
    }

    /// Gives a key a value if the one that it has, or null, is what the caller wants; tells whether it was.
    boolean replace(String key, Predicate<byte @Nullable []> wanted, byte[] value) {
        return locked(() -> {
            Entry entry = entries.get(key);
            boolean replaced = wanted.test(entry == null ? null : entry.value);
            if (replaced) {
                put(key, value);
            }
            return replaced;
        });
    }

    /// Gives a key a value; the entry tells it from what others set later.
    Entry set(String key, byte[] value) {
        return locked(() -> put(key, value));
    }

    /// Removes a key that has not been set since.
    void delete(String key, Entry set) {
        locked(() -> {
            boolean isSame = set.equals(entries.get(key));
            if (isSame) {
                journal.record(key, null);
                applyDelete(key);
            }
            return isSame;
        });
    }

    boolean delete(String key) {
        return locked(() -> {
            boolean there = entries.containsKey(key);
            if (there) {
                journal.record(key, null);
                applyDelete(key);
            }
            return there;
        });
    }

    List<String> keys(String prefix) {
        return locked(() -> {
            List<String> found = new ArrayList<>();
            for (String key : entries.tailMap(prefix, true).keySet()) {
                if (!key.startsWith(prefix)) {
                    break;
                }
                found.add(key);
            }
            return List.copyOf(found);
        });
    }

    Optional<Duration> findAge(String key) {
        return locked(() -> Optional.ofNullable(entries.get(key))
                .map(entry -> Duration.ofNanos(Math.max(0, nanoClock.getAsLong() - entry.setAt))));
    }

    /// Applies a change from a journal that another process wrote.
    void replay(String key, byte @Nullable [] value) {
        locked(() -> {
            if (value == null) {
                if (entries.containsKey(key)) {
                    applyDelete(key);
                }
            } else {
                applySet(key, value);
            }
            return true;
        });
    }

    /// All of it, sorted; the arrays are not to be changed.
    NavigableMap<String, byte[]> snapshot() {
        return locked(() -> {
            NavigableMap<String, byte[]> all = new TreeMap<>();
            entries.forEach((key, entry) -> all.put(key, entry.value));
            return all;
        });
    }

    long totalBytes() {
        return locked(() -> bytes);
    }

    Waiter enlist(List<String> keys) {
        return locked(() -> {
            Waiter waiter = new Waiter(keys);
            waiter.missing().removeIf(entries::containsKey);
            keys.forEach(key ->
                    waiters.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(waiter));
            completeIfAllAreThere(waiter);
            return waiter;
        });
    }

    /// Ends a waiting; gives the keys that are still missing.
    List<String> dismiss(Waiter waiter) {
        lock.lock();
        try {
            for (String key : waiter.keys()) {
                waiters.computeIfPresent(key, (_, waiting) -> {
                    waiting.remove(waiter);
                    return waiting.isEmpty() ? null : waiting;
                });
            }
            return List.copyOf(waiter.missing());
        } finally {
            lock.unlock();
        }
    }

    /// Tells a subscriber what there is, and from then on what changes.
    void subscribe(String prefix, Subscriber subscriber) {
        locked(() -> {
            keys(prefix).forEach(key -> subscriber.changed(key, require(key)));
            subscribers.put(subscriber, prefix);
            return true;
        });
    }

    void unsubscribe(Subscriber subscriber) {
        lock.lock();
        try {
            subscribers.remove(subscriber);
        } finally {
            lock.unlock();
        }
    }

    /// Ends everything: who waits and who comes later is told why.
    void end(StoreException reason) {
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            end = reason;
            waiters.values().forEach(waiting -> waiting.forEach(waiter -> waiter.done.completeExceptionally(reason)));
            waiters.clear();
            subscribers.keySet().forEach(subscriber -> subscriber.ended(reason));
            subscribers.clear();
        } finally {
            lock.unlock();
        }
    }

    private byte[] require(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            throw new IllegalStateException("a key that was just there: " + key);
        }
        return entry.value;
    }

    private Entry put(String key, byte[] value) {
        requireRoom(key, value);
        byte[] own = value.clone();
        journal.record(key, own);
        return applySet(key, own);
    }

    private void requireRoom(String key, byte[] value) {
        Entry old = entries.get(key);
        if (old == null && entries.size() >= StoreLimits.MAX_KEYS) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "no room for '" + key + "': the store has " + StoreLimits.MAX_KEYS + " keys already");
        }
        long freed = old == null ? 0 : size(key, old.value);
        if (bytes - freed + size(key, value) > StoreLimits.MAX_TOTAL_BYTES) {
            throw new StoreException(
                    StoreError.TOO_LARGE,
                    "no room for '" + key + "': all values together have at most " + StoreLimits.MAX_TOTAL_BYTES
                            + " bytes");
        }
    }

    private Entry applySet(String key, byte[] value) {
        Entry entry = new Entry(value, nanoClock.getAsLong());
        Entry old = entries.put(key, entry);
        bytes += size(key, value) - (old == null ? 0 : size(key, old.value));
        for (Waiter waiter : List.copyOf(waiters.getOrDefault(key, Set.of()))) {
            waiter.missing().remove(key);
            completeIfAllAreThere(waiter);
        }
        publish(key, value);
        return entry;
    }

    private void applyDelete(String key) {
        byte[] value = require(key);
        entries.remove(key);
        bytes -= size(key, value);
        waiters.getOrDefault(key, Set.of()).forEach(waiter -> waiter.missing().add(key));
        publish(key, null);
    }

    private void publish(String key, byte @Nullable [] value) {
        subscribers.forEach((subscriber, prefix) -> {
            if (key.startsWith(prefix)) {
                subscriber.changed(key, value);
            }
        });
    }

    private void completeIfAllAreThere(Waiter waiter) {
        if (waiter.missing().isEmpty()) {
            Map<String, byte[]> values = new LinkedHashMap<>();
            waiter.keys().forEach(key -> values.put(key, require(key)));
            waiter.done.complete(values);
        }
    }

    private static long size(String key, byte[] value) {
        return (long) key.length() + value.length;
    }

    private static long counter(String key, byte[] value) {
        String text = new String(value, StandardCharsets.ISO_8859_1);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new StoreException(StoreError.NOT_A_COUNTER, "the value of '" + key + "' is not a number", e);
        }
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            if (end != null) {
                throw end.again();
            }
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    /// A call that waits for keys. The table guards which are missing; the caller waits for the end.
    static final class Waiter {
        private final List<String> keys;
        private final Set<String> missing;
        final CompletableFuture<Map<String, byte[]>> done = new CompletableFuture<>();

        Waiter(List<String> keys) {
            this.keys = keys;
            this.missing = new LinkedHashSet<>(keys);
        }

        List<String> keys() {
            return keys;
        }

        /// To be used under the table's lock alone.
        Set<String> missing() {
            return missing;
        }

        /// Waits for so long; tells whether the waiting has an end, good or bad.
        boolean await(long nanos) {
            try {
                done.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException _) {
                return false;
            } catch (ExecutionException _) {
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(
                        StoreError.INTERRUPTED, "interrupted while waiting for " + StoreException.named(keys), e);
            }
        }

        /// The values, after the end of the waiting.
        Map<String, byte[]> result() {
            try {
                return done.getNow(Map.of());
            } catch (CompletionException e) {
                throw e.getCause() instanceof StoreException reason ? reason.again() : e;
            }
        }

        static StoreException exceeded(Duration limit, List<String> missing) {
            return new StoreException(
                    StoreError.LIMIT_EXCEEDED,
                    StoreException.named(missing) + (missing.size() == 1 ? " was" : " were") + " not set within "
                            + limit.toMillis() + " ms",
                    missing,
                    null);
        }
    }
}
