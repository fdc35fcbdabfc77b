// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Follows a source that has to be asked: again and again, with a pause between.
final class PolledFollowing implements FleetSource.Following {
    /// The pause after a slow reading, as a multiple of its duration.
    private static final int REST = 9;

    private final FleetSource source;
    private final FleetListener listener;
    private final Duration interval;
    private final Duration limit;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    /// The duration of the previous reading; for the thread alone.
    private Duration before = Duration.ZERO;

    private PolledFollowing(FleetSource source, FleetListener listener, Duration interval, Duration limit) {
        this.source = source;
        this.listener = listener;
        this.interval = interval;
        this.limit = limit;
        this.thread = Thread.ofVirtual().name("follow " + source.name()).unstarted(this::run);
    }

    static PolledFollowing start(FleetSource source, FleetListener listener, Duration interval, Duration limit) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("an interval is longer than nothing: " + interval);
        }
        PolledFollowing following = new PolledFollowing(source, listener, interval, limit);
        following.thread.start();
        return following;
    }

    private void run() {
        try {
            while (closed.getCount() > 0) {
                if (closed.await(read().toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Asks once, and returns how long the source is left alone then. One that took longer to answer than it is left
    /// alone, twice, is burdened: it is then busy with us for a tenth of the time. Once is an accident, such as
    /// a server that was restarted meanwhile.
    private Duration read() {
        long start = System.nanoTime();
        try {
            listener.changed(source.read(limit));
        } catch (FleetException e) {
            listener.failed(e);
            return interval;
        } catch (RuntimeException e) {
            // A defect of one source must not end the following of it without a word.
            listener.failed(new FleetException(source.name() + ": reading it failed: " + e, e));
            return interval;
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Duration usual = took.compareTo(before) < 0 ? took : before;
        before = took;
        return usual.compareTo(interval) > 0 ? usual.multipliedBy(REST) : interval;
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
