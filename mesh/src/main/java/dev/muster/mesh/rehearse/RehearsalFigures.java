// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.rehearse;

import java.util.List;

/// The results of a rehearsal. Immutable.
///
/// @param backend the engine that carried the groups, such as `shm`
/// @param hosts on how many machines ranks ran
/// @param rounds number of steps
/// @param share part of a step in each of them: 1, or less where a whole one would have taken too long
/// @param calls those of the rehearsal, in its order
public record RehearsalFigures(String backend, int hosts, int rounds, double share, List<CallFigures> calls) {
    /// Copies the list.
    public RehearsalFigures {
        calls = List.copyOf(calls);
    }

    /// Times of one kind of call.
    ///
    /// @param made number of calls each rank made in all rounds
    /// @param p50 seconds of a call: the median of a rank, as mean over all ranks
    /// @param p99 seconds below which 99 % of the calls of each rank stay: that of the slowest rank
    /// @param waited seconds that a rank waits for others before a call: the median of a rank, as mean over
    ///     all ranks
    /// @param slowestRank the rank with the largest median
    /// @param slowestGroup its group, in the order of its members; what it gets comes from the one before
    public record CallFigures(
            long made, double p50, double p99, double waited, int slowestRank, List<Integer> slowestGroup) {
        /// Copies the list.
        public CallFigures {
            slowestGroup = List.copyOf(slowestGroup);
        }
    }
}
