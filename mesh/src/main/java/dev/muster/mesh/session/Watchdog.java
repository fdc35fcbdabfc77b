package dev.muster.mesh.session;

import dev.muster.mesh.liveness.Heartbeat;
import dev.muster.mesh.liveness.Liveness;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/// Says that this rank is alive, and looks after the next one: so every rank is looked after by one other, and the load
/// grows with the number of ranks, not with its square.
final class Watchdog implements AutoCloseable {
    private final Store store;
    private final int rank;
    private final int next;
    private final Duration period;
    private final Duration silence;
    private final IntConsumer onSilent;
    private final Heartbeat heartbeat;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    Watchdog(Store store, int rank, int worldSize, SessionConfig config, IntConsumer onSilent) {
        this.store = store;
        this.rank = rank;
        this.next = (rank + 1) % worldSize;
        this.period = config.heartbeat();
        this.silence = config.silence();
        this.onSilent = onSilent;
        this.heartbeat = Heartbeat.start(store, Integer.toString(rank), period);
        this.thread =
                Thread.ofPlatform().daemon().name("muster-watchdog-" + rank).unstarted(this::run);
    }

    /// Begins to look after the next rank, which has come by now.
    void watch() {
        thread.start();
    }

    private void run() {
        Liveness liveness = Liveness.of(store, List.of(Integer.toString(next)), silence);
        try {
            while (!stopped.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
                if (next != rank
                        && !liveness.silent().isEmpty()
                        && store.find(leftKey(next)).isEmpty()) {
                    onSilent.accept(next);
                    return;
                }
            }
        } catch (StoreException e) {
            return; // whoever watches the store says so
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Where a rank says that it leaves of its own will.
    static String leftKey(int rank) {
        return "left/" + rank;
    }

    @Override
    public void close() {
        stopped.countDown();
        heartbeat.close();
        if (thread.getState().equals(Thread.State.NEW)) {
            return;
        }
        try {
            thread.join(period.plusSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
