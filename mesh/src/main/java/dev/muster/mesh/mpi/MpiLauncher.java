// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// The process of MPI's launcher that started this one: `mpirun`, or its daemon on this host.
///
/// In `MPI_Finalize`, PMIx tells the launcher that this process leaves, waits two seconds for an answer and then
/// reports
/// success either way. A launcher that did not run in that time sees the process end before it reads that it left, and
/// reports that it exited improperly. So after such a long `MPI_Finalize` the process waits until the launcher has
/// nothing left to read.
///
/// @param process its number
/// @param command the name of its program
record MpiLauncher(long process, String command) {
    /// The time that PMIx 3 to 5 wait for an answer, less what clocks may differ.
    static final Duration ANSWER_LIMIT = Duration.ofMillis(1_900);

    private static final List<String> COMMANDS = List.of("mpi", "orte", "prte", "hydra", "srun", "slurmstepd");
    private static final Path PROCESSES = Path.of("/proc");
    /// States of threads that are running, stopped, or in a call of the system that cannot be interrupted.
    private static final String BUSY = "RTtD";

    private static final long LOOK_AGAIN_NANOS = 10_000_000;
    /// Threads wake each other between two readings of their states, so one look may miss the one that runs.
    private static final int IDLE_LOOKS = 3;

    /// Finds the launcher among the parents of this process, where the system shows them.
    static Optional<MpiLauncher> find() {
        return Stream.iterate(
                        ProcessHandle.current().parent(),
                        Optional::isPresent,
                        next -> next.flatMap(ProcessHandle::parent))
                .flatMap(Optional::stream)
                .map(parent -> new MpiLauncher(parent.pid(), command(parent.pid())))
                .filter(parent -> COMMANDS.stream().anyMatch(parent.command::startsWith))
                .findFirst();
    }

    private static String command(long process) {
        try {
            return Files.readString(PROCESSES.resolve(process + "/comm")).strip();
        } catch (IOException e) {
            return ""; // not Linux, or hidden
        }
    }

    /// Waits until no thread of the launcher is busy or stopped.
    ///
    /// @return false if one still was at the limit
    boolean awaitIdle(Duration limit) {
        long start = System.nanoTime();
        int idle = 0;
        while (idle < IDLE_LOOKS && System.nanoTime() - start < limit.toNanos()) {
            idle = isBusy() ? 0 : idle + 1;
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        return idle >= IDLE_LOOKS;
    }

    /// Reports whether a thread of the launcher is running or stopped; false once the launcher has ended.
    boolean isBusy() {
        try (Stream<Path> threads = Files.list(PROCESSES.resolve(process + "/task"))) {
            return threads.anyMatch(MpiLauncher::isBusy);
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static boolean isBusy(Path thread) {
        try {
            String status = Files.readString(thread.resolve("stat"));
            return BUSY.indexOf(status.charAt(status.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return command + " (process " + process + ")";
    }
}
