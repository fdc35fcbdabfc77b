package dev.muster.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Follows a source that has to be asked: again and again, with a pause between. Tells of what differs.
final class PolledFollowing implements FleetSource.Following {
    private final FleetSource source;
    private final FleetListener listener;
    private final Duration interval;
    private final Duration limit;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

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
        List<HostReport> last = List.of();
        boolean isFirst = true;
        try {
            while (closed.getCount() > 0) {
                try {
                    SourceReport report = source.read(limit);
                    if (isFirst || !report.hosts().equals(last)) {
                        listener.changed(report);
                    }
                    isFirst = false;
                    last = report.hosts();
                } catch (FleetException e) {
                    listener.failed(e);
                    isFirst = true;
                }
                if (closed.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
    }
}
