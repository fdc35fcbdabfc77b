// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.ProcessGroup;
import dev.muster.mesh.session.MeshSession;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Messages of ranks about a measurement, beside the measured ones.
///
/// @param world all of them
record WorldExchange(ProcessGroup world) {
    /// Returns the numbers of the first rank, on all ranks.
    double firstSays(double own) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment answer = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, own);
            world.broadcast(answer, DType.FLOAT64, 0);
            return answer.get(ValueLayout.JAVA_DOUBLE, 0);
        }
    }

    /// Returns the numbers of each rank, by rank; all say as many numbers.
    double[][] allSay(double... own) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(ValueLayout.JAVA_DOUBLE, (long) own.length * world.size());
            world.allGather(arena.allocateFrom(ValueLayout.JAVA_DOUBLE, own), all, DType.FLOAT64);
            double[][] said = new double[world.size()][own.length];
            for (int rank = 0; rank < said.length; rank++) {
                for (int i = 0; i < own.length; i++) {
                    said[rank][i] = all.getAtIndex(ValueLayout.JAVA_DOUBLE, (long) rank * own.length + i);
                }
            }
            return said;
        }
    }

    /// On how many machines ranks run: as many as have a first one.
    int countHosts(MeshSession session) {
        int hosts = 0;
        for (double[] rank : allSay(session.localRank())) {
            hosts += rank[0] == 0 ? 1 : 0;
        }
        return hosts;
    }
}
