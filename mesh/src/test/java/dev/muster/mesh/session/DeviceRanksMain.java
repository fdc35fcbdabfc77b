// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.cuda.DeviceBuffer;
import dev.muster.mesh.cuda.GpuRuntime;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Ranks that are threads of this process, each with a device of the driver that the loader finds; says what each
/// saw, rank by rank. [AutoDeviceTest] runs it.
final class DeviceRanksMain {
    private static final DType TYPE = DType.INT32;
    private static final Duration LIMIT = Waiting.limit(Duration.ofSeconds(20));

    private DeviceRanksMain() {}

    /// The part of a rank; it says what it saw.
    private interface Scene {
        String play(MeshSession session, Arena arena) throws InterruptedException;
    }

    public static void main(String[] arguments) throws Exception {
        String backend = arguments[1];
        int ranks = Integer.parseInt(arguments[2]);
        Scene scene = switch (arguments[0]) {
            case "both-places" -> DeviceRanksMain::bothPlaces;
            case "message-first" -> DeviceRanksMain::messageFirst;
            case "refused" -> DeviceRanksMain::refused;
            case "given-up" -> DeviceRanksMain::givenUp;
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        play(backend, ranks, scene).forEach(System.out::println);
        System.exit(0);
    }

    private static List<String> play(String backend, int ranks, Scene scene) throws Exception {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()))
                .withBackend(backend)
                .withLimit(LIMIT);
        List<Callable<String>> tasks = new ArrayList<>();
        List<String> said = new ArrayList<>();
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                tasks.add(() -> {
                    try (MeshSession session = hub.join(own, ranks, config);
                            Arena arena = Arena.ofConfined()) {
                        return scene.play(session, arena);
                    } catch (GroupException e) {
                        return e.code().text() + ": " + e.getMessage();
                    }
                });
            }
            for (Future<String> answer : threads.invokeAll(tasks)) {
                said.add(Waiting.result(answer));
            }
        }
        return said;
    }

    private static DeviceBuffer onDevice(MeshSession session, Arena arena, int... values) {
        DeviceBuffer buffer = GpuRuntime.CUDA.deviceOfRank(session.localRank()).allocate(4L * values.length);
        buffer.copyFrom(arena.allocateFrom(ValueLayout.JAVA_INT, values));
        return buffer;
    }

    private static String read(DeviceBuffer buffer, Arena arena) {
        MemorySegment host = arena.allocate(buffer.byteSize(), 4);
        buffer.copyTo(host);
        return Arrays.toString(host.toArray(ValueLayout.JAVA_INT));
    }

    /// Sums of memory of the host and of the device, in the world and in a part of it, and a message.
    private static String bothPlaces(MeshSession session, Arena arena) {
        ProcessGroup world = session.world();
        int rank = session.rank();
        MemorySegment host = arena.allocateFrom(ValueLayout.JAVA_INT, rank + 1);
        world.allReduce(host, TYPE, ReduceOp.SUM);
        StringBuilder said = new StringBuilder(world.engine() + " " + host.get(ValueLayout.JAVA_INT, 0));
        try (DeviceBuffer buffer = onDevice(session, arena, rank + 1, 10);
                DeviceBuffer other = onDevice(session, arena, 0, 0)) {
            world.allReduce(buffer.segment(), TYPE, ReduceOp.SUM);
            said.append(' ').append(read(buffer, arena));
            int next = (rank + 1) % session.worldSize();
            int previous = (rank + session.worldSize() - 1) % session.worldSize();
            buffer.copyFrom(arena.allocateFrom(ValueLayout.JAVA_INT, rank, rank));
            world.sendReceive(buffer.segment(), next, other.segment(), previous);
            said.append(' ').append(read(other, arena));
            ProcessGroup part = session.split(world, rank % 2, 0).orElseThrow();
            part.allReduce(buffer.segment(), TYPE, ReduceOp.SUM);
            said.append(' ').append(read(buffer, arena));
            world.allReduce(host, TYPE, ReduceOp.MAX);
            world.barrier();
            return said + " " + world.engine();
        }
    }

    private static String messageFirst(MeshSession session, Arena arena) {
        ProcessGroup world = session.world();
        int size = session.worldSize();
        try (DeviceBuffer buffer = onDevice(session, arena, session.rank())) {
            String said = "went through";
            try {
                int next = (session.rank() + 1) % size;
                int previous = (session.rank() + size - 1) % size;
                try (DeviceBuffer other = onDevice(session, arena, -1)) {
                    world.sendReceive(buffer.segment(), next, other.segment(), previous);
                    said = read(other, arena);
                }
            } catch (IllegalArgumentException e) {
                said = e.getMessage();
            }
            world.allReduce(buffer.segment(), TYPE, ReduceOp.MAX);
            return said + "; " + read(buffer, arena);
        }
    }

    private static String refused(MeshSession session, Arena arena) {
        ProcessGroup world = session.world();
        try (DeviceBuffer buffer = onDevice(session, arena, 1)) {
            String said = "";
            try {
                world.allReduce(buffer.segment(), DType.INT16, ReduceOp.MAX);
            } catch (IllegalArgumentException e) {
                said = e.getMessage();
            }
            MemorySegment host = arena.allocateFrom(ValueLayout.JAVA_INT, 2);
            world.allReduce(host, TYPE, ReduceOp.SUM);
            return said + "; " + host.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /// The first rank calls for its device, the others never do and one of them gives up.
    private static String givenUp(MeshSession session, Arena arena) throws InterruptedException {
        try (DeviceBuffer buffer = onDevice(session, arena, 1)) {
            if (session.rank() > 0) {
                Thread.sleep(300); // so that the first waits for this one in most runs; either way it ends
                session.fail("rank " + session.rank() + " has had enough");
                return "gave up";
            }
            long start = System.nanoTime();
            try {
                session.world().allReduce(buffer.segment(), TYPE, ReduceOp.SUM);
                return "went through";
            } catch (GroupException e) {
                boolean early = System.nanoTime() - start < LIMIT.toNanos() / 2;
                return e.code().text() + ": " + e.getMessage() + (early ? "" : " (at the limit)");
            }
        }
    }
}
