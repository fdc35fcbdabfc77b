// SPDX-License-Identifier: Apache-2.0
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A rank of scripts/check-slurm and scripts/check-hosts: MeshRank [RANK]
 *
 * <p>Joins the mesh that it was started for, does a barrier, an all-reduce and a broadcast, and says what came of them.
 * With an argument the rank of that number then kills itself, and each other one says what it learns of that; with
 * -1 all go on until something else goes wrong.
 */
final class MeshRank {
    private static final int LAST_WORD = 4711;
    private static final int CALLS_BEFORE = 100;

    private MeshRank() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        LaunchContext place = LaunchContext.from(System.getenv());
        try (MeshSession session = MeshSession.join(place);
                Arena arena = Arena.ofShared()) {
            ProcessGroup world = session.world();
            MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
            world.barrier();
            int sum = sum(world, value);
            value.set(ValueLayout.JAVA_INT, 0, world.rank() == world.size() - 1 ? LAST_WORD : 0);
            world.broadcast(value, DType.INT32, world.size() - 1);
            int word = value.get(ValueLayout.JAVA_INT, 0);
            System.out.println("rank " + place.rank() + " of " + place.worldSize() + " by "
                    + place.reason() + " on " + host() + " over " + world.engine()
                    + " (" + session.reason("world") + "): sum " + sum + ", word " + word);
            if (args.length > 0) {
                loseOne(world, value, Integer.parseInt(args[0]));
            }
        }
    }

    /// Nodes of one Slurm may be one host.
    private static String host() throws IOException {
        String node = System.getenv("SLURMD_NODENAME");
        return node != null
                ? node
                : Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    }

    private static int sum(ProcessGroup world, MemorySegment value) {
        value.set(ValueLayout.JAVA_INT, 0, world.rank() + 1);
        world.allReduce(value, DType.INT32, ReduceOp.SUM);
        return value.get(ValueLayout.JAVA_INT, 0);
    }

    private static void loseOne(ProcessGroup world, MemorySegment value, int lost)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try {
            for (int call = 0; ; call++) {
                start = System.nanoTime();
                sum(world, value);
                if (call == CALLS_BEFORE && world.rank() == lost) {
                    String self = Long.toString(ProcessHandle.current().pid());
                    new ProcessBuilder("kill", "-9", self).start().waitFor();
                }
            }
        } catch (GroupException e) {
            long millis = (System.nanoTime() - start) / 1_000_000;
            System.out.println("rank " + world.rank() + " learns after " + millis + " ms: "
                    + e.code().text() + " " + e.missingRanks() + ": " + e.getMessage());
            if (lost >= 0 && !e.code().equals(GroupError.PEER_LOST)) {
                throw e;
            }
        }
    }
}
