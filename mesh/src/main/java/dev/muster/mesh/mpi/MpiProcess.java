// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.mpi.MpiAbi.MpiConstants;
import dev.muster.mesh.mpi.MpiFunction.MpiException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// This process as one of those that a launcher of MPI started. A process can enter MPI once and leave
/// it once, so there is one for all sessions. Safe for use by several threads.
///
/// The process calls `MPI_Finalize` when the JVM ends, if every engine was closed and none failed. Otherwise it skips
/// the call, and its launcher ends the other processes: after a failure they must not wait for this one. It says on
/// standard error which of the two happened.
public final class MpiProcess {
    /// The longest wait for the launcher of MPI when this process ends.
    private static final Duration LAUNCHER_LIMIT = Duration.ofSeconds(60);

    /// The one that MPI allows; the lock is the class.
    private static @Nullable MpiProcess entered;

    private final MpiLibrary library;
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch leaving = new CountDownLatch(1);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile @Nullable RuntimeException refusal;
    private volatile int rank;
    private volatile int size;
    private volatile long communicator;
    private volatile String departure = "did not finish MPI_Finalize";

    private MpiProcess(MpiLibrary library) {
        this.library = library;
        // MPI wants to be left by the thread that entered it.
        this.thread = Thread.ofPlatform().daemon().name("muster-mpi").unstarted(this::live);
    }

    /// Enters MPI, unless this process has already; then the names of libraries count for nothing.
    /// Returns when all processes that were started together have entered.
    ///
    /// @param libraries file names or paths, of which the first is taken that is there
    /// @throws GroupException `unavailable` if there is none, or it cannot be used
    public static MpiProcess enter(List<String> libraries) {
        synchronized (MpiProcess.class) {
            if (entered == null) {
                MpiProcess process = new MpiProcess(MpiLibrary.load(libraries));
                process.start();
                entered = process;
            }
            return entered;
        }
    }

    private void start() {
        thread.start();
        try {
            inside.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(GroupError.ABORTED, "entering MPI was interrupted", e);
        }
        RuntimeException reason = refusal;
        if (reason != null) {
            throw new GroupException(
                    GroupError.UNAVAILABLE, "MPI is not available, because " + reason.getMessage(), reason);
        }
    }

    private void live() {
        boolean own = false;
        try {
            own = enter();
        } catch (RuntimeException e) {
            refusal = e;
        } finally {
            inside.countDown();
        }
        if (own) {
            try {
                leaving.await();
                departure = finish();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // only the end of the JVM interrupts this thread
            }
        }
    }

    /// Calls `MPI_Finalize` and returns how it went.
    private String finish() {
        long begin = System.nanoTime();
        try {
            library.function("MPI_Finalize").call(0);
        } catch (RuntimeException e) {
            return "failed to leave MPI: " + e.getMessage();
        }
        String finalized = "left MPI: MPI_Finalize succeeded";
        if (System.nanoTime() - begin < MpiLauncher.ANSWER_LIMIT.toNanos()) {
            return finalized;
        }
        Optional<MpiLauncher> found = MpiLauncher.find();
        if (found.isEmpty()) {
            return finalized;
        }
        MpiLauncher launcher = found.get();
        if (launcher.isBusy()) {
            say("waits for " + launcher + ", which is busy or stopped");
        }
        return launcher.awaitIdle(LAUNCHER_LIMIT)
                ? finalized
                : finalized + "; " + launcher + " was busy or stopped for " + LAUNCHER_LIMIT.toSeconds() + " s since";
    }

    /// Loggers may have ended when the JVM ends, and the launcher passes standard error on.
    private void say(String text) {
        System.err.println("muster: rank " + rank + " " + text);
    }

    /// Reports whether this is what entered MPI, and not another part of the program before.
    private boolean enter() {
        MpiConstants constants = library.constants();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocate(ValueLayout.JAVA_INT);
            library.function("MPI_Initialized").call(answer.address());
            boolean own = answer.get(ValueLayout.JAVA_INT, 0) == 0;
            if (own) {
                library.function("MPI_Init_thread")
                        .call(0, 0, constants.numbers().threadMultiple(), answer.address());
                Runtime.getRuntime().addShutdownHook(new Thread(this::leave, "muster-mpi-end"));
            } else {
                library.function("MPI_Query_thread").call(answer.address());
            }
            int level = answer.get(ValueLayout.JAVA_INT, 0);
            if (level < constants.numbers().threadMultiple()) {
                throw new MpiException(
                        library.description() + " allows calls by one thread only (level " + level + ", wanted "
                                + constants.numbers().threadMultiple() + "); use one that was built with threads");
            }
            library.function("MPI_Comm_set_errhandler").call(constants.world(), constants.errorsReturn());
            rank = library.number(library.function("MPI_Comm_rank"), constants.world());
            size = library.number(library.function("MPI_Comm_size"), constants.world());
            communicator = constants.world();
            return own;
        }
    }

    private void leave() {
        String obstacle = obstacle();
        if (obstacle != null) {
            say("skipped MPI_Finalize: " + obstacle);
            return;
        }
        leaving.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        say(departure);
    }

    /// Returns the reason for not calling `MPI_Finalize`, if there is one.
    private @Nullable String obstacle() {
        RuntimeException reason = refusal;
        if (reason != null) {
            return reason.getMessage();
        }
        String failed = failure.get();
        int groups = open.get();
        if (failed != null) {
            return failed;
        }
        return groups == 0 ? null : groups == 1 ? "a group is open" : groups + " groups are open";
    }

    /// The rank of this process among them.
    public int rank() {
        return rank;
    }

    /// Returns the number of processes that were started together, or are left of them.
    public int size() {
        return size;
    }

    /// The communicator of all processes, or of those that are left of them.
    long communicator() {
        return communicator;
    }

    /// Checks that MPI can go on after processes were lost.
    ///
    /// @param group name of the asking group
    /// @param left number of processes that are left
    /// @throws GroupException `unavailable` if not
    void requireSurvival(String group, int left) {
        if (!library.survivesLosses()) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "group " + group + ": " + description() + " cannot go on without the " + (size - left) + " of "
                            + size
                            + " processes that are lost; start the mesh again, or take Open MPI 5 with 'mpirun --with-ft"
                            + " ulfm', or the backend tcp");
        }
    }

    /// Goes on with the processes that are left, which all call this. MPI waits for them without a limit, so that a
    /// thread of its own does.
    ///
    /// @param group name of the asking group
    /// @throws GroupException if they do not come to it within the limit
    void shrink(String group, Duration limit) {
        FutureTask<Long> shrinking = new FutureTask<>(this::shrunk);
        Thread.ofPlatform().daemon().name("muster-mpi-shrink").start(shrinking);
        try {
            long left = shrinking.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            rank = library.number(library.function("MPI_Comm_rank"), left);
            size = library.number(library.function("MPI_Comm_size"), left);
            communicator = left;
        } catch (TimeoutException e) {
            throw new GroupException(
                    GroupError.LIMIT_EXCEEDED,
                    "group " + group + ": the processes of MPI that are left did not agree within " + limit.toMillis()
                            + " ms; one of them may be alive and not have come",
                    e);
        } catch (ExecutionException | MpiException e) {
            throw new GroupException(GroupError.ABORTED, "group " + group + ": MPI cannot go on: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GroupException(GroupError.ABORTED, "group " + group + ": opening it was interrupted", e);
        }
    }

    private long shrunk() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(ValueLayout.JAVA_LONG);
            library.function("MPIX_Comm_shrink").call(communicator, made.address());
            long left = library.handle(made, 0);
            library.function("MPI_Comm_set_errhandler")
                    .call(left, library.constants().errorsReturn());
            return left;
        }
    }

    /// Checks that a mesh has the same ranks as MPI has processes.
    ///
    /// @throws GroupException `unavailable` if not
    public void requirePlace(int worldRank, int worldSize) {
        if (worldSize != size || worldRank != rank) {
            throw new GroupException(
                    GroupError.UNAVAILABLE,
                    "MPI is not available, because this is rank " + worldRank + " of " + worldSize
                            + " in the mesh and rank " + rank + " of " + size + " for " + description()
                            + "; start all ranks with one mpirun of that library, or set MUSTER_MPI_LIBRARY to the"
                            + " library that belongs to the mpirun");
        }
    }

    /// Returns the library with its version, for people.
    public String description() {
        return library.description();
    }

    MpiLibrary library() {
        return library;
    }

    void opened() {
        open.incrementAndGet();
    }

    void closed() {
        open.decrementAndGet();
    }

    /// Notes a failure, after which this process skips `MPI_Finalize`. The first one counts.
    void failed(String reason) {
        failure.compareAndSet(null, reason);
    }
}
