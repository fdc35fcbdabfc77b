// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Observes a host at a fixed interval on a single thread, for any number of readers: a reader never makes a
/// tool run. Readers take the newest registry by one reference and never wait. Safe to share between threads; the
/// caller of start closes it.
///
/// A look that fails is told by [#failure()], and the registry before stays the newest. A look that takes longer than
/// the interval delays the next; looks are never made up for.
///
/// @since 0.2
public final class Sampler implements AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final Supplier<AcceleratorRegistry> look;
    private final Duration interval;
    private final InstantSource clock;
    private final SampleHistory history;
    private final CopyOnWriteArrayList<Consumer<Sample>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Thread thread;
    private volatile @Nullable Sample newest;
    private volatile @Nullable Failure failure;
    private volatile boolean closed;

    private Sampler(Supplier<AcceleratorRegistry> look, Duration interval, SampleHistory history, InstantSource clock) {
        if (interval.isNegative() || interval.isZero()) {
            throw new IllegalArgumentException("an interval is longer than nothing: " + interval);
        }
        this.look = look;
        this.interval = interval;
        this.history = history;
        this.clock = clock;
        this.thread = Thread.ofPlatform().daemon().name("muster-sampler").unstarted(this::run);
    }

    /// Begins to look.
    ///
    /// @param look asks the host; called on the sampler's thread alone
    /// @param interval from the beginning of a look to that of the next
    /// @param history keeps what was seen
    /// @param clock the time of samples
    public static Sampler start(
            Supplier<AcceleratorRegistry> look, Duration interval, SampleHistory history, InstantSource clock) {
        Sampler sampler = new Sampler(look, interval, history, clock);
        sampler.thread.start();
        return sampler;
    }

    /// The newest sample; empty before the first look has ended.
    public Optional<Sample> newest() {
        return Optional.ofNullable(newest);
    }

    /// The reason for the failure of the last observation; empty if it succeeded.
    public Optional<Failure> failure() {
        return Optional.ofNullable(failure);
    }

    /// The earlier samples.
    public SampleHistory history() {
        return history;
    }

    /// From the beginning of a look to that of the next.
    public Duration interval() {
        return interval;
    }

    /// Waits for a sample that is newer than the one with that number.
    ///
    /// @param number the number of the sample that the caller has; 0 where it has none
    /// @return the newest sample, or the same as before where the time ran out
    /// @throws InterruptedException if the thread is interrupted
    public Optional<Sample> awaitNewer(long number, Duration limit) throws InterruptedException {
        long left = TimeUnit.NANOSECONDS.convert(limit); // at most what fits
        lock.lockInterruptibly();
        try {
            while (!closed && left > 0 && !isNewer(number)) {
                left = arrived.awaitNanos(left);
            }
            return newest();
        } finally {
            lock.unlock();
        }
    }

    private boolean isNewer(long number) {
        Sample sample = newest;
        return sample != null && sample.number() > number;
    }

    /// Has every sample from now on told, on the sampler's thread: a listener is quick, or hands over to a thread of
    /// its own. One that throws is not told again.
    ///
    /// @return ends it
    public Runnable subscribe(Consumer<Sample> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /// Ends the looks; waits a while for one that is under way.
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        lock.lock();
        try {
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            if (Thread.currentThread() != thread) {
                thread.join(CLOSING);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long number = 0;
        long due = System.nanoTime();
        while (!closed) {
            Instant begun = clock.instant();
            try {
                AcceleratorRegistry registry = look.get();
                failure = null;
                publish(new Sample(++number, begun, registry));
            } catch (RuntimeException | Error e) {
                failure = new Failure(begun, message(e));
            }
            due = Math.max(due + interval.toNanos(), System.nanoTime());
            if (!pause(due)) {
                return;
            }
        }
    }

    /// An error of one look, such as a library that does not link, must not end the looks in silence.
    private static String message(Throwable e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    private void publish(Sample sample) {
        if (closed) {
            return;
        }
        history.add(sample.at(), sample.registry());
        lock.lock();
        try {
            newest = sample;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        for (Consumer<Sample> listener : listeners) {
            try {
                listener.accept(sample);
            } catch (RuntimeException | Error _) {
                listeners.remove(listener);
            }
        }
    }

    private boolean pause(long due) {
        try {
            long left = due - System.nanoTime();
            lock.lockInterruptibly();
            try {
                while (!closed && left > 0) {
                    left = arrived.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
            return !closed;
        } catch (InterruptedException _) {
            return false;
        }
    }

    /// A single observation.
    ///
    /// @param number counts from 1
    /// @param at the start of the observation
    /// @param registry the observed registry
    /// @since 0.2
    public record Sample(long number, Instant at, AcceleratorRegistry registry) {}

    /// A look that failed.
    ///
    /// @param at the start of the observation
    /// @param message the reason
    /// @since 0.2
    public record Failure(Instant at, String message) {}
}
