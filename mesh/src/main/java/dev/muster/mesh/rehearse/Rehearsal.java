// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.mesh.MeshSpec;
import java.util.List;

/// One step of a plan, as its ranks talk to each other. Immutable; all ranks of a mesh rehearse the same.
///
/// Calls are spread evenly over the step. Those that nothing hides are made one after the other; the others
/// run on a thread of their group while the step goes on, and the step ends when all have.
///
/// @param mesh the ranks
/// @param computeSeconds computing time of ranks in a step; they wait as long
/// @param calls calls of each rank
public record Rehearsal(MeshSpec mesh, double computeSeconds, List<Call> calls) {
    /// The largest buffer of a call, in bytes: more than a layer of any model has.
    public static final long MOST_BYTES = 1L << 36;

    /// Copies the calls.
    public Rehearsal {
        calls = List.copyOf(calls);
        if (!(computeSeconds >= 0) || Double.isInfinite(computeSeconds)) {
            throw new IllegalArgumentException("a step computes for 0 s or longer");
        }
        for (Call call : calls) {
            call.group.requireIn(mesh);
        }
    }

    /// Bytes that all ranks send together for a call, over a whole step: what leaves a rank arrives at another.
    public double totalBytes(Call call) {
        double groups = (double) mesh.worldSize() / call.group.members();
        return groups * call.count * call.collective.sentBytes(call.group.members(), (double) call.bytes);
    }

    /// Bytes that a rank sends on average for a call, over a whole step.
    public double bytesOfRank(Call call) {
        return totalBytes(call) / mesh.worldSize();
    }

    /// Calls that are alike.
    ///
    /// @param name for people, such as `TP all-reduce`
    /// @param group ranks that make them together
    /// @param bytes of the whole buffer: what a rank reduces or sends, what all gather, scatter or exchange
    /// @param count number of calls by each rank in a step
    /// @param isOverlapped true if the step goes on meanwhile
    public record Call(
            String name, RankGroup group, Collective collective, long bytes, long count, boolean isOverlapped) {
        /// Checks the numbers.
        public Call {
            if (bytes < 1 || bytes > MOST_BYTES || count < 1) {
                throw new IllegalArgumentException(
                        "a call has 1 to " + MOST_BYTES + " bytes, and is made at least once in a step");
            }
        }
    }
}
