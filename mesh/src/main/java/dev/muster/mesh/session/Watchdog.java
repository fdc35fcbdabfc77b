// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/// Tells the store again and again that this rank is alive, and looks after the next one by the store's own
/// clock: so every rank is looked after by one other, and the load grows with the number of ranks, not with its
/// square. Ends by itself when the store does.
final class Watchdog implements AutoCloseable {
    private final Store store;
    private final int rank;
    private final int next;
    private final Duration period;
    private final Duration silence;
    private final IntConsumer onSilent;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean watching;

    /// Beats at once, and then every period.
    ///
    /// @param onSilent is told the next rank when it has said nothing for too long, once
    Watchdog(Store store, int rank, int worldSize, SessionConfig config, IntConsumer onSilent) {
        this.store = store;
        this.rank = rank;
        this.next = (rank + 1) % worldSize;
        this.period = config.heartbeat();
        this.silence = config.silence();
        this.onSilent = onSilent;
        beat(0);
        this.thread =
                Thread.ofPlatform().daemon().name("muster-watchdog-" + rank).start(this::run);
    }

    /// Begins to look after the next rank, which has come by now.
    void watch() {
        watching = next != rank;
    }

    private void run() {
        try {
            for (long count = 1; !stopped.await(period.toNanos(), TimeUnit.NANOSECONDS); count++) {
                beat(count);
                if (watching && isSilent()) {
                    watching = false;
                    onSilent.accept(next);
                }
            }
        } catch (StoreException e) {
            return; // the watcher of the store says so
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat(long count) {
        store.set(beatKey(rank), Long.toString(count).getBytes(StandardCharsets.US_ASCII));
    }

    private boolean isSilent() {
        boolean late = store.findAge(beatKey(next))
                .map(age -> age.compareTo(silence) > 0)
                .orElse(true);
        return late && store.find(leftKey(next)).isEmpty();
    }

    private static String beatKey(int rank) {
        return "beat/" + rank;
    }

    /// Returns the key by which a rank says that it leaves of its own will.
    static String leftKey(int rank) {
        return "left/" + rank;
    }

    /// Stops beating and waits for a beat that is under way.
    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(period.plusSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
