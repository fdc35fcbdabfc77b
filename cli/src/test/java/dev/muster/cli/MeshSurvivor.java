// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;

/// A member of a mesh that goes on without those that fail: the example of docs/mesh-run.md, in which ranks 2 and 5 are
/// killed.
final class MeshSurvivor {
    private static final int STEPS = 300;
    private static final int LAST_OF_THE_DOOMED = 100;
    private static final int KILLED = 128 + 9;

    private MeshSurvivor() {}

    static void main() {
        MeshSession session = MeshSession.join(LaunchContext.from(System.getenv()));
        int name = session.rank();
        int done = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(ValueLayout.JAVA_FLOAT, 1000);
            while (done < STEPS) {
                try {
                    numbers.fill((byte) 0);
                    numbers.setAtIndex(ValueLayout.JAVA_FLOAT, 999, done);
                    session.world().allReduce(numbers, DType.FLOAT32, ReduceOp.MAX);
                    done = (int) numbers.getAtIndex(ValueLayout.JAVA_FLOAT, 999) + 1;
                    numbers.setAtIndex(ValueLayout.JAVA_FLOAT, 0, 1);
                    session.world().allReduce(numbers, DType.FLOAT32, ReduceOp.SUM);
                    requireEqual(numbers.getAtIndex(ValueLayout.JAVA_FLOAT, 0), session.worldSize());
                } catch (GroupException e) {
                    long start = System.nanoTime();
                    session = session.rebuild(Duration.ofSeconds(30));
                    System.out.println("rebuilt within " + (System.nanoTime() - start) / 1_000_000 + " ms");
                }
                if (done == LAST_OF_THE_DOOMED && (name == 2 || name == 5)) {
                    Runtime.getRuntime().halt(KILLED);
                }
            }
        }
        System.out.println("ended as rank " + session.rank() + " of " + session.worldSize());
        session.close();
    }

    private static void requireEqual(float sum, int ranks) {
        if (sum != ranks) {
            throw new IllegalStateException(ranks + " ranks gave " + sum);
        }
    }
}
