// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.doctor;

import dev.muster.core.Finding;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.shm.MappedRegion;
import dev.muster.mesh.store.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/// Checks of the ways that ranks of this host talk to each other.
///
/// @param doctor the asking doctor
record EngineChecks(MeshDoctor doctor) {
    private static final int USUAL_RANKS = 8;
    private static final long KIB = 1 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(5);
    /// A file of a mesh lives for the moment in which its ranks open it.
    private static final Duration ABANDONED = Duration.ofHours(1);

    private static final String OPEN_FILES = "Max open files";
    private static final long FEW_FILES = 1024;

    Finding memoryShared() {
        String id = "mesh.memory.shared";
        Path directory = doctor.sharedMemory();
        try {
            long bytes = MappedRegion.tryOut(directory, USUAL_RANKS, doctor.processors());
            return Finding.pass(
                    id, "a group of " + USUAL_RANKS + " ranks shares " + bytes / KIB + " KiB in " + directory);
        } catch (GroupException e) {
            return Finding.warn(
                    id,
                    e.getMessage() + "; ranks of this host will use sockets",
                    MappedRegion.isPossible(directory)
                            ? "give " + directory + " more room; in a container, start it with --shm-size=1g"
                            : "on Linux, mount a tmpfs at " + directory + "; other systems cannot provide it");
        }
    }

    Finding memoryClean() {
        String id = "mesh.memory.clean";
        Path directory = doctor.sharedMemory();
        try {
            List<Path> left = MappedRegion.listAbandoned(directory, doctor.now().minus(ABANDONED));
            return left.isEmpty()
                    ? Finding.pass(id, "nothing was left behind in " + directory)
                    : Finding.warn(
                            id,
                            MeshDoctor.count(left.size(), "file") + " of ranks that ended while they joined, such as "
                                    + left.getFirst(),
                            "delete them");
        } catch (IOException e) {
            return Finding.skip(id, directory + " cannot be listed");
        }
    }

    /// Two ranks sum a number through sockets of the loopback interface.
    Finding socketsWork() {
        String id = "mesh.sockets.work";
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withBackend("tcp")
                .withLimit(LIMIT);
        try (LocalHub hub = new LocalHub()) {
            FutureTask<Integer> other = new FutureTask<>(() -> sum(hub, 1, config));
            Thread.ofPlatform().daemon().name("mesh-doctor").start(other);
            int sum = sum(hub, 0, config);
            return sum == 3
                    ? Finding.pass(id, "two ranks have summed through sockets of the loopback interface")
                    : Finding.fail(id, "two ranks got " + sum + " for 1 and 2", "report this as a defect");
        } catch (GroupException e) {
            return Finding.fail(
                    id,
                    String.valueOf(e.getMessage()),
                    "check that the loopback interface is up and not filtered: ip addr");
        }
    }

    private static int sum(LocalHub hub, int rank, SessionConfig config) {
        try (MeshSession session = hub.join(rank, 2, config);
                DistributedOps ops = DistributedOps.over(session.world())) {
            int[] number = {rank + 1};
            ops.allReduce(number, ReduceOp.SUM);
            session.world().barrier();
            return number[0];
        }
    }

    Finding filesEnough() {
        String id = "mesh.files.enough";
        Optional<Long> most = openFiles();
        if (most.isEmpty()) {
            return Finding.skip(id, "this system does not say how many files may be open");
        }
        String message = "this process may open " + most.get() + " files; a rank has a socket to each other one";
        return most.get() >= FEW_FILES
                ? Finding.pass(id, message)
                : Finding.warn(id, message, "raise the limit before starting many ranks: ulimit -n 65536");
    }

    private Optional<Long> openFiles() {
        return doctor.processLimits()
                .lines()
                .filter(line -> line.startsWith(OPEN_FILES))
                .map(line -> line.substring(OPEN_FILES.length()).strip().split(" +")[0])
                .filter(soft -> soft.matches("[0-9]{1,18}"))
                .map(Long::valueOf)
                .findFirst();
    }
}
