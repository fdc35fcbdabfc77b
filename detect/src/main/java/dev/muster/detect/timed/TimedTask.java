// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.timed;

import dev.muster.detect.timed.TimedFiles.FileThread;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Work that reads files, on a thread of its own. Where a file does not answer, the thread is left to itself and the
/// work is begun again on another, without that file. So the work must not change anything that others see. Confined to
/// the thread that waits, but for the work itself.
///
/// @param <T> type of the result
public final class TimedTask<T> {
    /// Prefix of the names of threads that ask a host, or read files that may not answer.
    public static final String NAME = "muster-asks-";

    /// A machine on which so many files hang is not going to answer.
    private static final int MOST_THREADS = 16;

    /// A first file that does not answer may belong to a device that wakes up; after that nothing is waited for long.
    private static final int FIRST_FILE = 5;

    private static final int NEXT_FILE = 50;
    private static final long MILLI = 1_000_000;

    private final String name;
    private final TimedFiles files;
    private final Supplier<T> work;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile FileThread thread;
    private int threads;
    private volatile @Nullable T result;
    private volatile @Nullable Throwable failure;

    private TimedTask(String name, TimedFiles files, Supplier<T> work) {
        this.name = name;
        this.files = files;
        this.work = work;
        this.thread = newThread();
    }

    /// Begins the work.
    ///
    /// @param name name of the task, for the name of the thread
    public static <T> TimedTask<T> start(String name, TimedFiles files, Supplier<T> work) {
        TimedTask<T> task = new TimedTask<>(name, files, work);
        task.thread.start();
        return task;
    }

    private FileThread newThread() {
        threads++;
        return new FileThread(NAME + name, this::run);
    }

    private void run() {
        T found = null;
        Throwable thrown = null;
        try {
            found = work.get();
        } catch (RuntimeException | Error e) {
            thrown = e;
        }
        // One that was left behind may have been interrupted: what it has is not the answer.
        if (Thread.currentThread() == thread) {
            result = found;
            failure = thrown;
            done.countDown();
        }
    }

    /// Reports whether the work is done.
    public boolean isDone() {
        return done.getCount() == 0;
    }

    /// Waits until all are done, or no time is left; a file that one of them has been waiting for too long is given up.
    ///
    /// @param limit limit for everything, of which a single file gets a part
    /// @param left the nanoseconds that are left
    public static void await(List<TimedTask<?>> tasks, TimedFiles files, Duration limit, LongSupplier left) {
        try {
            for (TimedTask<?> task : tasks) {
                for (long nanos = left.getAsLong(); nanos > 0 && !task.isDone(); nanos = left.getAsLong()) {
                    long maxWait = limit.toNanos() / (files.hasLate() ? NEXT_FILE : FIRST_FILE);
                    if (!task.done.await(Math.min(nanos, maxWait / 4 + 1), TimeUnit.NANOSECONDS)) {
                        skipLateFiles(tasks, maxWait);
                    }
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void skipLateFiles(List<TimedTask<?>> tasks, long maxWait) {
        for (TimedTask<?> task : tasks) {
            task.skipLateFile(maxWait);
        }
    }

    /// Begins again if the work has been waiting for one file for so long.
    private void skipLateFile(long nanos) {
        if (isDone() || threads >= MOST_THREADS) {
            return;
        }
        Optional<String> late = thread.findLate(nanos);
        if (late.isPresent()) {
            files.giveUp(late.get(), nanos / MILLI);
            FileThread behind = thread;
            thread = newThread();
            behind.interrupt();
            thread.start();
        }
    }

    /// Returns the result; nothing if it is not done. Then it is told to stop, and the file that it waits for is late.
    ///
    /// @param limit limit for everything
    public Optional<T> finish(Duration limit) {
        if (!isDone()) {
            long nanos = limit.toNanos() / NEXT_FILE;
            thread.findLate(nanos).ifPresent(path -> files.giveUp(path, nanos / MILLI));
            thread.interrupt();
            return Optional.empty();
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        return Optional.ofNullable(result);
    }
}
