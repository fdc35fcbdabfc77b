package dev.muster.mesh.liveness;

import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Tells a store again and again that a member is alive, on a thread of its own. Whoever started it closes it; the
/// member then counts as silent from its last beat on. Ends by itself when the store does.
public final class Heartbeat implements AutoCloseable {
    private static final String PREFIX = "beat/";

    private final Store store;
    private final String key;
    private final Duration period;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable StoreException failure;

    private Heartbeat(Store store, String member, Duration period) {
        this.store = store;
        this.key = key(member);
        this.period = period;
        this.thread =
                Thread.ofPlatform().daemon().name("muster-store-heartbeat").unstarted(this::run);
    }

    /// Beats at once, and then every period.
    ///
    /// @throws StoreException if the first beat fails
    public static Heartbeat start(Store store, String member, Duration period) {
        if (period.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("a period is at least 1 ms: " + period);
        }
        Heartbeat heartbeat = new Heartbeat(store, member, period);
        heartbeat.beat(0);
        heartbeat.thread.start();
        return heartbeat;
    }

    /// Where the beats of a member are.
    public static String key(String member) {
        return PREFIX + member;
    }

    /// Whether beats are still being told; false after the store failed or the heartbeat was closed.
    public boolean isBeating() {
        return failure == null && stopped.getCount() > 0;
    }

    /// Stops beating and waits for a beat that is under way.
    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(period.plusSeconds(1));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (long count = 1; !stopped.await(period.toNanos(), TimeUnit.NANOSECONDS); count++) {
                beat(count);
            }
        } catch (StoreException e) {
            failure = e;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void beat(long count) {
        store.set(key, Long.toString(count).getBytes(StandardCharsets.US_ASCII));
    }
}
