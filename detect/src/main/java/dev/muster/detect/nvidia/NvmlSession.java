// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import dev.muster.core.Reading;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Map;
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

    /// The open library; only the holder of [#FREE] reads it.
    private static @Nullable Path begun;
    /// Answers that a session needs only once, by question and device.
    private static final Map<String, Reading<Long>> ANSWERS = new ConcurrentHashMap<>();
    /// Counts the uses.
    private static long uses;

    private final NvmlLibrary library;
    private final Arena arena;
    private boolean isLost;

    private NvmlSession(NvmlLibrary library, Arena arena) {
        this.library = library;
        this.arena = arena;
    }

    /// Returns the reason for the lack of a session.
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    /// Begins a session, or goes on with one that was just used.
    ///
    /// @throws Refused if the library cannot be loaded, does not begin, or is still busy with an earlier call
    static NvmlSession open(Path file) throws Refused {
        take();
        Arena arena = Arena.ofConfined();
        boolean isOpen = false;
        try {
            NvmlLibrary library = NvmlLibrary.load(file, arena);
            begin(file, library);
            isOpen = true;
            return new NvmlSession(library, arena);
        } catch (IllegalArgumentException e) {
            throw new Refused(file + " cannot be loaded: " + e.getMessage());
        } finally {
            if (!isOpen) {
                arena.close();
                FREE.release();
            }
        }
    }

    private static void take() throws Refused {
        try {
            if (!FREE.tryAcquire(SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new Refused("an earlier call is still in the driver");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Refused("interrupted");
        }
    }

    private static void begin(Path file, NvmlLibrary library) throws Refused {
        if (file.equals(begun)) {
            return;
        }
        int status = library.call("nvmlInit_v2");
        if (status != NvmlLibrary.SUCCESS) {
            throw new Refused(NvmlStatus.text(status));
        }
        begun = file;
        ANSWERS.clear();
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

    /// For a rehearsal: a session in which every call succeeds.
    static NvmlSession warmUp(NvmlLibrary library) throws Refused {
        take();
        return new NvmlSession(library, Arena.ofConfined());
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
        arena.close();
        if (isLost) {
            return;
        }
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
            Path file = begun;
            if (uses == use && file != null) {
                begun = null;
                try (Arena arena = Arena.ofConfined()) {
                    NvmlLibrary.load(file, arena).call("nvmlShutdown");
                }
            }
        } finally {
            FREE.release();
        }
    }
}
