// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.mpi;

import dev.muster.mesh.collective.CollectiveConformance;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SimulatedHosts;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A rank that a launcher of MPI started: does what each argument says, one after the other, and says
/// how it went.
public final class MpiRankMain {
    /// A letter for the host of each rank, where they shall not know that it is the same.
    static final String HOSTS = "TEST_HOSTS";

    private static final long SEED = 20261117;
    private static final int NULLS = 20_000;
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final MeshSession session;

    private MpiRankMain(MeshSession session) {
        this.session = session;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("with-partner")) {
            withPartner(Integer.parseInt(arguments[1]));
            return;
        }
        try (MeshSession session = join()) {
            MpiRankMain main = new MpiRankMain(session);
            say(
                    session.rank(),
                    "process " + ProcessHandle.current().pid() + " over "
                            + session.world().engine() + ", " + session.reason("world"));
            for (String argument : arguments) {
                say(session.rank(), argument + ": " + main.obey(argument.split(" ")));
            }
        }
    }

    private static MeshSession join() {
        LaunchContext context = LaunchContext.from(System.getenv());
        String hosts = System.getenv(HOSTS);
        return hosts == null ? MeshSession.join(context) : SimulatedHosts.join(context, hosts);
    }

    private static void say(int rank, String line) {
        System.out.println("rank " + rank + ": " + line);
        System.out.flush();
    }

    private String obey(String[] words) throws Exception {
        try {
            return switch (words[0]) {
                case "conformance" -> conformance(session.world(), words);
                case "plain" -> conformance(session.world().withLimit(Duration.ZERO), words);
                case "in-parts" -> inParts(words);
                case "group" -> group(words);
                case "threads" -> threads();
                case "retire" -> retire();
                case "null" -> nothing();
                case "late" -> late();
                case "other-call" -> otherCall();
                case "freed" -> freed();
                case "fatal" -> fatal();
                case "rebuild" -> rebuild();
                default -> "what is " + words[0] + "?";
            };
        } catch (GroupException e) {
            return "failed " + e.code().text() + " " + e.missingRanks() + " " + e.getMessage();
        }
    }

    /// `conformance LARGEST exact|near`.
    private static String conformance(ProcessGroup group, String[] words) {
        long cases = CollectiveConformance.run(group, SEED, Integer.parseInt(words[1]), words[2].equals("exact"));
        return cases > 1000 ? "done" : "only " + cases + " cases";
    }

    /// All messages in parts of so many bytes.
    private String inParts(String[] words) {
        MpiProcess process = MpiProcess.enter(MpiProvider.libraries(LaunchContext.from(System.getenv())));
        GroupIdentity world = GroupIdentity.world(session.worldSize(), session.rank(), 1);
        long communicator = process.library().constants().world();
        try (ProcessGroup group = ProcessGroup.of(
                world,
                new MpiEngine(process, world, communicator, 1, true, Integer.parseInt(words[3])),
                session.world().limit(),
                failure -> failure)) {
            return conformance(group, words);
        }
    }

    /// `group LARGEST exact|near RANKS`.
    private String group(String[] words) {
        int[] ranks =
                Arrays.stream(words[3].split(",")).mapToInt(Integer::parseInt).toArray();
        if (IntStream.of(ranks).noneMatch(rank -> rank == session.rank())) {
            return "done";
        }
        ProcessGroup group = session.open(words[3], ranks);
        String answer = conformance(group, words) + (group.rank() == indexOf(ranks) ? "" : " with other ranks");
        group.close();
        return answer;
    }

    private int indexOf(int[] ranks) {
        return IntStream.range(0, ranks.length)
                .filter(index -> ranks[index] == session.rank())
                .findFirst()
                .orElseThrow();
    }

    /// Two groups at the same time, by two threads.
    private String threads() throws Exception {
        int[] all = IntStream.range(0, session.worldSize()).toArray();
        ProcessGroup first = session.open("first", all);
        int[] reversed =
                IntStream.range(0, all.length).map(i -> all.length - 1 - i).toArray();
        ProcessGroup second = session.open("second", reversed);
        CountDownLatch done = new CountDownLatch(1);
        Thread other = Thread.ofPlatform().start(() -> {
            sums(first, 300);
            done.countDown();
        });
        sums(second, 300);
        boolean both = done.await(Waiting.seconds(60), TimeUnit.SECONDS);
        other.join(1_000);
        return both ? "done" : "the other thread hangs";
    }

    private static void sums(ProcessGroup group, int times) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(ValueLayout.JAVA_LONG);
            for (int i = 0; i < times; i++) {
                number.set(ValueLayout.JAVA_LONG, 0, i);
                group.allReduce(number, DType.INT64, ReduceOp.SUM);
                if (number.get(ValueLayout.JAVA_LONG, 0) != (long) i * group.size()) {
                    throw new AssertionError(
                            "a wrong sum in " + group.identity().name());
                }
            }
        }
    }

    /// Groups that come and go leave nothing that runs out.
    private String retire() {
        int[] all = IntStream.range(0, session.worldSize())
                .map(i -> session.worldSize() - 1 - i)
                .toArray();
        for (int i = 0; i < 100; i++) {
            try (ProcessGroup group = session.open("passing-" + i, all)) {
                sums(group, 2);
            }
        }
        return "done";
    }

    /// The last rank does not come. All have met once before, since a busy machine may bring others up too late.
    private String late() throws InterruptedException {
        sums(session.world(), 1);
        ProcessGroup world = session.world().withLimit(SHORT);
        if (session.rank() == session.worldSize() - 1) {
            TimeUnit.SECONDS.sleep(3 * SHORT.toSeconds());
            return "was late";
        }
        sums(world, 1);
        return "done";
    }

    /// Java finds out by a signal of the system that a reference is null: a library that takes the signal for itself
    /// ends the process.
    private static String nothing() {
        int found = 0;
        for (int i = 0; i < NULLS; i++) {
            try {
                found += i % 2 == 0 ? new int[] {1}.length : lengthOf(null);
            } catch (NullPointerException e) {
                found++;
            }
        }
        return found == NULLS ? "done" : "only " + found;
    }

    @SuppressWarnings("NullAway") // that is the point
    private static int lengthOf(int @Nullable [] array) {
        return array.length;
    }

    /// The last rank calls something else.
    private String otherCall() {
        ProcessGroup world = session.world();
        try (Arena arena = Arena.ofConfined()) {
            boolean last = session.rank() == session.worldSize() - 1;
            world.allReduce(arena.allocate(last ? 4_000 : 2_000), DType.FLOAT32, ReduceOp.SUM);
            return "done";
        }
    }

    /// A freed buffer is refused before it is touched.
    private String freed() {
        MemorySegment buffer;
        try (Arena arena = Arena.ofConfined()) {
            buffer = arena.allocate(64);
        }
        try {
            session.world().allReduce(buffer, DType.FLOAT32, ReduceOp.SUM);
            return "done";
        } catch (IllegalArgumentException e) {
            return "refused: " + e.getMessage();
        }
    }

    /// The last rank is killed while the others wait for it.
    private String fatal() throws IOException, InterruptedException {
        session.world().barrier();
        killLast();
        sums(session.world(), 1);
        return "done";
    }

    private void killLast() throws IOException, InterruptedException {
        if (session.rank() == session.worldSize() - 1) {
            Process kill = new ProcessBuilder(
                            "sh", "-c", "kill -KILL " + ProcessHandle.current().pid())
                    .start();
            kill.waitFor(Waiting.seconds(30), TimeUnit.SECONDS);
            TimeUnit.SECONDS.sleep(30);
        }
    }

    /// The last rank is killed, and the others go on without it.
    private String rebuild() throws IOException, InterruptedException {
        try {
            session.world().barrier(); // on a busy machine the last rank is gone before others have left it
            killLast();
            sums(session.world(), 1);
            return "all are present";
        } catch (GroupException e) {
            try (MeshSession next = session.rebuild(Duration.ofSeconds(5))) {
                return conformance(next.world(), new String[] {"rebuild", "53", "exact"}) + " by " + next.worldSize();
            }
        }
    }

    /// Collectives together with a program in C, see mpi_partner.c. They use no session: that program
    /// knows of none.
    private static void withPartner(int count) {
        MpiProcess process = MpiProcess.enter(MpiProvider.libraries(LaunchContext.from(System.getenv())));
        GroupIdentity world = GroupIdentity.world(process.size(), process.rank(), 1);
        try (Arena arena = Arena.ofConfined();
                ProcessGroup group = ProcessGroup.of(
                        world,
                        MpiEngine.open(process, world, process.size(), 2, false),
                        Duration.ZERO,
                        failure -> failure)) {
            int rank = group.rank();
            int ranks = group.size();
            MemorySegment own = arena.allocate(ValueLayout.JAVA_FLOAT, count);
            MemorySegment sums = arena.allocate(ValueLayout.JAVA_FLOAT, count);
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_LONG, count);
            MemorySegment all = arena.allocate(ValueLayout.JAVA_FLOAT, (long) count * ranks);
            for (int i = 0; i < count; i++) {
                own.setAtIndex(ValueLayout.JAVA_FLOAT, i, i % 1000 + rank);
                numbers.setAtIndex(ValueLayout.JAVA_LONG, i, i % 1000 + rank);
            }
            group.allReduce(own, sums, DType.FLOAT32, ReduceOp.SUM);
            group.allReduce(numbers, DType.INT64, ReduceOp.MAX);
            group.allGather(own, all, DType.FLOAT32);
            group.broadcast(own, DType.FLOAT32, 0);
            long wrong = 0;
            for (int i = 0; i < count; i++) {
                float sum = ranks * (i % 1000) + ranks * (ranks - 1) / 2f;
                wrong += sums.getAtIndex(ValueLayout.JAVA_FLOAT, i) == sum ? 0 : 1;
                wrong += numbers.getAtIndex(ValueLayout.JAVA_LONG, i) == i % 1000 + ranks - 1 ? 0 : 1;
                wrong += own.getAtIndex(ValueLayout.JAVA_FLOAT, i) == i % 1000 ? 0 : 1;
                for (int peer = 0; peer < ranks; peer++) {
                    float theirs = all.getAtIndex(ValueLayout.JAVA_FLOAT, (long) peer * count + i);
                    wrong += theirs == i % 1000 + peer ? 0 : 1;
                }
            }
            group.barrier();
            say(rank, "in Java: " + wrong + " wrong of " + count);
        }
    }
}
