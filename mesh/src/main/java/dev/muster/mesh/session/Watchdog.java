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
    private static final long LOOK_NANOS = 250_000_000;
    private static final Duration LATENESS = Duration.ofMillis(900);

    private final Store store;
    private final int rank;
    private final int next;
    private final Duration period;
    private final Duration silence;
    private final IntConsumer onSilent;
    private final Runnable onLook;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean watching;
    private boolean looksAfter;

    /// Beats at once, and then every period.
    ///
    /// @param onSilent is told the next rank when it has said nothing for too long, once
    /// @param onLook is run several times a second
    Watchdog(Store store, int rank, int worldSize, SessionConfig config, IntConsumer onSilent, Runnable onLook) {
        this.store = store;
        this.rank = rank;
        this.next = (rank + 1) % worldSize;
        this.looksAfter = next != rank;
        this.period = config.heartbeat();
        this.silence = config.silence();
        this.onSilent = onSilent;
        this.onLook = onLook;
        beat(0);
        this.thread =
                Thread.ofPlatform().daemon().name("muster-watchdog-" + rank).start(this::run);
    }

    /// Begins to look after the next rank, which has come by now.
    void watch() {
        watching = true;
    }

    private void run() {
        long tick = Math.min(LOOK_NANOS, period.toNanos());
        long due = System.nanoTime() + period.toNanos();
        try {
            for (long count = 1; !stopped.await(tick, TimeUnit.NANOSECONDS); count++) {
                boolean beats = System.nanoTime() - due >= 0;
                due += beats ? period.toNanos() : 0;
                tend(beats, count);
            }
        } catch (StoreException e) {
            return; // the watcher of the store says so
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tend(boolean beats, long count) {
        try {
            if (beats) {
                beat(count);
            }
            if (watching) {
                onLook.run();
            }
            if (beats && watching && looksAfter && isSilent()) {
                looksAfter = false;
                onSilent.accept(next);
            }
        } catch (StoreException e) {
            if (!e.code().equals(StoreException.StoreError.LIMIT_EXCEEDED)) {
                throw e;
            }
            // A store that is slow now may answer the next time.
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

    /// Reports whether a rank has missed beats, by the clock of the store; on a busy machine one comes late.
    boolean hasMissedBeats(int other) {
        return store.findAge(beatKey(other))
                .map(age -> age.compareTo(period.multipliedBy(2).plus(LATENESS)) > 0)
                .orElse(true);
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
