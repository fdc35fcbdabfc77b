// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.measure;

import dev.muster.core.UnknownReason;
import dev.muster.detect.host.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Threads that begin the same work at the same time, again and again. Confined to the thread that made
/// it, which closes it; its threads are daemons, so that none keeps the program from ending.
final class ThreadTeam implements AutoCloseable {
    private static final long LAST_WORDS_MILLIS = 1_000;

    private final CyclicBarrier start;
    /// Of the threads alone: a caller that waits for them may be woken late if they take all processors.
    private final CyclicBarrier done;

    private final CyclicBarrier end;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile long passes;
    private volatile long began;
    private volatile long ended;

    /// The work of one thread; made, used and closed by it, so that its memory is near.
    interface Work extends AutoCloseable {
        /// Does it so many times.
        void run(long passes);

        @Override
        void close();
    }

    private ThreadTeam(int size) {
        this.start = new CyclicBarrier(size + 1, () -> began = System.nanoTime());
        this.done = new CyclicBarrier(size, () -> ended = System.nanoTime());
        this.end = new CyclicBarrier(size + 1);
    }

    /// Starts the threads; each makes its work.
    static ThreadTeam start(int size, Supplier<Work> work) {
        ThreadTeam team = new ThreadTeam(size);
        for (int i = 0; i < size; i++) {
            team.threads.add(
                    Thread.ofPlatform().daemon().name("muster-measure-" + i).start(() -> team.serve(work)));
        }
        return team;
    }

    private void serve(Supplier<Work> supplier) {
        try (Work work = supplier.get()) {
            while (true) {
                start.await();
                work.run(passes);
                done.await();
                end.await();
            }
        } catch (InterruptedException | BrokenBarrierException _) {
            // The team is closed, or another thread failed.
        } catch (RuntimeException | OutOfMemoryError e) {
            failure.compareAndSet(null, e);
        } finally {
            dissolve(start);
            dissolve(done);
            dissolve(end);
        }
    }

    /// No thread waits here any more: a barrier that an interrupted thread comes to stays broken.
    private static void dissolve(CyclicBarrier barrier) {
        Thread.currentThread().interrupt();
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException _) {
            // It is broken now.
        }
    }

    /// Lets all threads do their work so many times, and says how many seconds that took.
    ///
    /// @throws MeasurementException if a thread failed, the deadline passed, or this thread was
    ///     interrupted
    double time(long times, Deadline deadline) {
        passes = times;
        try {
            await(start, deadline);
            await(end, deadline);
            return (ended - began) / (double) TimeUnit.SECONDS.toNanos(1);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new MeasurementException(UnknownReason.TIMED_OUT, "interrupted");
        } catch (TimeoutException _) {
            throw new MeasurementException(UnknownReason.TIMED_OUT, "it exceeded its time limit");
        } catch (BrokenBarrierException _) {
            Throwable cause = failure.get();
            throw new MeasurementException(
                    UnknownReason.UNREADABLE,
                    cause instanceof OutOfMemoryError
                            ? "there is too little memory for it"
                            : "a thread ended early" + (cause == null ? "" : " (" + cause + ")"));
        }
    }

    private static void await(CyclicBarrier barrier, Deadline deadline)
            throws InterruptedException, TimeoutException, BrokenBarrierException {
        barrier.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : threads) {
            try {
                thread.join(LAST_WORDS_MILLIS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
