package dev.muster.detect;

import dev.muster.detect.TimedFiles.FileThread;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Work that reads files, on a thread of its own. Where a file does not answer, the thread is left to itself and the
/// work is begun again on another, without that file. So the work must not change anything that others see. Confined to
/// the thread that waits, but for the work itself.
///
/// @param <T> what the work yields
final class Errand<T> {
    /// A machine on which so many files hang is not going to answer.
    private static final int MOST_THREADS = 16;

    private static final long MILLI = 1_000_000;

    private final String name;
    private final TimedFiles files;
    private final Supplier<T> work;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile FileThread thread;
    private int threads;
    private volatile @Nullable T result;
    private volatile @Nullable Throwable failure;

    private Errand(String name, TimedFiles files, Supplier<T> work) {
        this.name = name;
        this.files = files;
        this.work = work;
        this.thread = newThread();
    }

    /// Begins the work.
    ///
    /// @param name of the thread
    static <T> Errand<T> start(String name, TimedFiles files, Supplier<T> work) {
        Errand<T> errand = new Errand<>(name, files, work);
        errand.thread.start();
        return errand;
    }

    private FileThread newThread() {
        threads++;
        return new FileThread(name, this::run);
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

    boolean isDone() {
        return done.getCount() == 0;
    }

    /// Waits for a while; true when the work is done.
    boolean await(long nanos) throws InterruptedException {
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }

    /// Begins again if the work has been waiting for one file for so long.
    void passOverLateFile(long nanos) {
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

    /// What came of it; nothing if it is not done, and then it is told to stop.
    Optional<T> finish() {
        if (!isDone()) {
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
