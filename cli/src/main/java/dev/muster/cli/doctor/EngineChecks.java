package dev.muster.cli.doctor;

import dev.muster.cli.doctor.Check.Verdict;
import dev.muster.cli.render.Count;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.session.EngineChoice;
import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.shm.MappedRegion;
import dev.muster.mesh.store.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/// Checks of the ways that ranks of this host talk to each other.
final class EngineChecks {
    private static final int USUAL_RANKS = 8;
    private static final long KIB = 1 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(5);
    /// A file of a mesh lives for the moment in which its ranks open it.
    private static final Duration ABANDONED = Duration.ofHours(1);

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String OPEN_FILES = "Max open files";
    private static final long FEW_FILES = 1024;

    private EngineChecks() {}

    /// Makes the memory of a group of eight, as its first rank would, and lets go of it.
    static Verdict memoryShared(MeshPatient patient) {
        GroupIdentity group = GroupIdentity.world(USUAL_RANKS, 0, 1);
        Path directory = patient.host().directory();
        try {
            Path file = MappedRegion.create(directory, group);
            try {
                MappedRegion.open(file, group, patient.processors()).close();
                return Verdict.pass("a group of " + USUAL_RANKS + " ranks shares " + Files.size(file) / KIB + " KiB in "
                        + directory);
            } finally {
                MappedRegion.delete(file);
            }
        } catch (MeshException | IOException e) {
            return Verdict.warn(
                    String.valueOf(e.getMessage()) + "; ranks of this host will use sockets",
                    "give " + directory + " more room; in a container, start it with --shm-size=1g");
        }
    }

    static Verdict memoryClean(MeshPatient patient) {
        Instant before = Instant.now().minus(ABANDONED);
        try (Stream<Path> files = Files.list(patient.host().directory())) {
            List<String> left = files.filter(
                            file -> file.getFileName().toString().startsWith("muster-"))
                    .filter(file -> isOlder(file, before))
                    .map(Path::toString)
                    .sorted()
                    .toList();
            return left.isEmpty()
                    ? Verdict.pass(
                            "nothing was left behind in " + patient.host().directory())
                    : Verdict.warn(
                            Count.of(left.size(), "file") + " of ranks that ended while they joined, such as "
                                    + left.getFirst(),
                            "delete them");
        } catch (IOException e) {
            return Verdict.skip(patient.host().directory() + " cannot be listed");
        }
    }

    private static boolean isOlder(Path file, Instant than) {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(than);
        } catch (IOException e) {
            return false; // it is gone
        }
    }

    /// Two ranks sum a number through sockets of the loopback interface.
    static Verdict socketsWork(MeshPatient patient) {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withEngine(EngineChoice.TCP)
                .withLimit(LIMIT);
        try (LocalHub hub = new LocalHub()) {
            FutureTask<Integer> other = new FutureTask<>(() -> sum(hub, 1, config));
            Thread.ofPlatform().daemon().name("mesh-doctor").start(other);
            int sum = sum(hub, 0, config);
            return sum == 3
                    ? Verdict.pass("two ranks have summed through sockets of the loopback interface")
                    : Verdict.fail("two ranks got " + sum + " for 1 and 2", "report this: it must not be");
        } catch (MeshException e) {
            return Verdict.fail(
                    String.valueOf(e.getMessage()), "see that the loopback interface is up and not filtered: ip addr");
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

    static Verdict filesEnough(MeshPatient patient) {
        Optional<Long> most = openFiles();
        if (most.isEmpty()) {
            return Verdict.skip("this system does not say how many files may be open");
        }
        String message = "this process may open " + most.get() + " files; a rank has a socket to each other one";
        return most.get() >= FEW_FILES
                ? Verdict.pass(message)
                : Verdict.warn(message, "raise the limit before starting many ranks: ulimit -n 65536");
    }

    private static Optional<Long> openFiles() {
        try (Stream<String> lines = Files.lines(LIMITS, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith(OPEN_FILES))
                    .map(line -> line.substring(OPEN_FILES.length()).strip().split(" +")[0])
                    .filter(soft -> soft.matches("[0-9]{1,18}"))
                    .map(Long::valueOf)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
