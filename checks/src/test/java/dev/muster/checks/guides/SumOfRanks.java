// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import dev.muster.mesh.collective.ReduceOp;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.ops.DistributedOps;
import dev.muster.mesh.session.MeshSession;
import java.util.Arrays;

// begin mesh-process
public final class SumOfRanks {
    public static void main(String[] arguments) {
        try (MeshSession session = MeshSession.join(LaunchContext.from(System.getenv()));
                DistributedOps ops = DistributedOps.over(session.world())) {
            float[] values = {session.rank(), 1};
            ops.allReduce(values, ReduceOp.SUM);
            System.out.println(Arrays.toString(values)); // [6.0, 4.0] on each of four ranks
        }
    }
}
// end mesh-process
