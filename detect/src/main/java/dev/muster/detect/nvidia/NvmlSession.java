// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Reading;
import dev.muster.detect.timed.TimedTask;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// NVML, begun, for one caller at a time. The library belongs to the process, and a call into a driver that hangs never
/// comes back: callers that find it taken for longer than a shutdown takes go without it.
///
/// It stays begun for a while after its last use. Who asks again soon, as a view that refreshes does, saves the 17 ms
/// that a beginning takes; and a program that ends at once is not held up by giving the driver back, since the virtual
/// machine waits for threads in native code.
final class NvmlSession implements AutoCloseable {
    private static final Semaphore FREE = new Semaphore(1);
    private static final long SHUTDOWN_MILLIS = 200;
    private static final long IDLE_NANOS = 3_000_000_000L;

    /// The open library; only the holder of [#FREE] writes it.
    private static volatile @Nullable Begun begun;
    /// The thread that begins a session for a probe that has other things to do first.
    private static volatile @Nullable Thread beginner;
    /// Answers that a session needs only once, by question and device.
    private static final Map<String, Reading<Long>> ANSWERS = new ConcurrentHashMap<>();
    /// The last sample of the counters of each device, by its handle; the next one ends the interval that it begins.
    private static final Map<Long, NvmlActivity.Sample> SAMPLES = new ConcurrentHashMap<>();
    /// Counts the uses.
    private static long uses;

    private record Begun(Path file, NvmlLibrary library) {}

    private final NvmlLibrary library;
    private boolean isLost;

    private NvmlSession(NvmlLibrary library) {
        this.library = library;
    }

    /// Returns the reason for the lack of a session.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /// Begins a session in the background, if there is none: the driver takes 17 ms for it, as long as a start takes
    /// until a probe has looked at the bus and at what the kernel says of its GPUs.
    ///
    /// @param library finds the library
    static void begin(Supplier<Optional<Path>> library) {
        if (begun == null && beginner == null) {
            // The name tells the end of the program that this thread may hang in the driver.
            beginner = Thread.ofPlatform()
                    .daemon()
                    .name(TimedTask.NAME + "nvml")
                    .start(() -> {
                        try {
                            Optional<Path> file = library.get();
                            if (file.isPresent()) {
                                open(file.get()).close();
                            }
                        } catch (Refused | IllegalStateException e) {
                            // The probe opens a session of its own, and reports the reason.
                        }
                    });
        }
    }

    /// Begins a session, or goes on with one that was just used.
    ///
    /// @throws Refused if the library cannot be loaded, does not begin, or is still busy with an earlier call
    static NvmlSession open(Path file) throws Refused {
        take();
        boolean isOpen = false;
        try {
            NvmlSession session = new NvmlSession(begun(file));
            isOpen = true;
            return session;
        } catch (IllegalArgumentException e) {
            throw new Refused(file + " cannot be loaded: " + e.getMessage());
        } finally {
            if (!isOpen) {
                FREE.release();
            }
        }
    }

    private static void take() throws Refused {
        Thread early = beginner;
        try {
            if (early != null && early != Thread.currentThread()) {
                beginner = null; // later sessions do not wait for a driver that hangs
                early.join();
            }
            if (!FREE.tryAcquire(SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new Refused("an earlier call is still in the driver");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted");
        }
    }

    private static NvmlLibrary begun(Path file) throws Refused {
        Begun open = begun;
        if (open != null && open.file().equals(file)) {
            return open.library().withOwnScratch();
        }
        NvmlLibrary library = NvmlLibrary.load(file);
        int status = library.call("nvmlInit_v2");
        if (status != NvmlLibrary.SUCCESS) {
            throw new Refused(NvmlStatus.text(status));
        }
        begun = new Begun(file, library);
        ANSWERS.clear();
        return library.withOwnScratch();
    }

    /// The answer to a question that has the same answer as long as the driver is loaded.
    static Reading<Long> once(String question, Supplier<Reading<Long>> ask) {
        Reading<Long> known = ANSWERS.get(question);
        if (known == null) {
            known = ask.get();
            if (known.isKnown()) {
                ANSWERS.put(question, known);
            }
        }
        return known;
    }

    /// Takes the last sample of a device out of the session.
    static Optional<NvmlActivity.Sample> takeSample(long device) {
        return Optional.ofNullable(SAMPLES.remove(device));
    }

    static void keepSample(long device, NvmlActivity.Sample sample) {
        SAMPLES.put(device, sample);
    }

    /// For a rehearsal: a session in which every call succeeds.
    static NvmlSession warmUp(NvmlLibrary library) throws Refused {
        take();
        return new NvmlSession(library);
    }

    NvmlLibrary library() {
        return library;
    }

    /// A call hangs on another thread: no caller is let in any more.
    void lose() {
        isLost = true;
    }

    /// Lets the next caller in. Releases the driver later, if there is none.
    @Override
    public void close() {
        if (isLost) {
            return;
        }
        library.close();
        long use = ++uses;
        FREE.release();
        Thread.ofPlatform().daemon().name("muster-nvml-end").start(() -> endIfIdle(use));
    }

    private static void endIfIdle(long use) {
        long end = System.nanoTime() + IDLE_NANOS;
        for (long left = IDLE_NANOS; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        if (!FREE.tryAcquire()) {
            return; // in use again: that one ends it
        }
        try {
            Begun open = begun;
            if (uses == use && open != null) {
                begun = null;
                SAMPLES.values().forEach(sample -> open.library().call(NvmlActivity.FREE, sample.address()));
                SAMPLES.clear();
                open.library().call("nvmlShutdown");
            }
        } finally {
            FREE.release();
        }
    }
}
