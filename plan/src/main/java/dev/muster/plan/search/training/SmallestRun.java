// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;

/// The run with the least memory on its fullest device: one sequence at a time, all recomputed, with as much sharding
/// as the framework supports. More sharing never takes more, so that only those have to be looked at. Where it may
/// lie on hosts, as little of it as fits.
///
/// @param space the search space
/// @param cost cost of runs
/// @param isAdapter true if only adapters are trained
record SmallestRun(TrainingSpace space, TrainingCost cost, boolean isAdapter) {
    TrainingRun find() {
        TrainingRun best = find(Offload.NONE);
        for (Offload offload : space.offloads()) {
            TrainingRun run = find(offload);
            if (cost.memory(run).fits()) {
                return run;
            }
            best = full(run) < full(best) ? run : best;
        }
        return best;
    }

    private double full(TrainingRun run) {
        return cost.memory(run).fullness();
    }

    private TrainingRun find(Offload offload) {
        TrainingRun best = run(1, 1, 1, 1, 1, offload);
        for (int tensor : space.tensors()) {
            for (int context : space.contexts()) {
                int[] experts = space.experts(tensor, context);
                int most = experts.length == 0 ? 0 : space.mostStages(tensor, context);
                for (int stages = 1; stages <= most; stages++) {
                    best = smallest(best, tensor, context, stages, experts, offload);
                }
            }
        }
        return best;
    }

    private TrainingRun smallest(
            TrainingRun known, int tensor, int context, int stages, int[] experts, Offload offload) {
        TrainingRun best = known;
        double least = full(best);
        int most = space.mostCopies(tensor, context, stages);
        for (int replicas : space.batchDivisors()) {
            if (replicas > most || !space.isLaunchable(tensor, tensor * context * stages * replicas)) {
                continue;
            }
            for (int expert : experts) {
                if ((long) tensor * context * replicas % expert == 0) {
                    TrainingRun run = run(tensor, context, stages, replicas, expert, offload);
                    double full = full(run);
                    if (full < least) {
                        best = run;
                        least = full;
                    }
                }
            }
        }
        return best;
    }

    private TrainingRun run(int tensor, int context, int stages, int replicas, int expert, Offload offload) {
        return new TrainingRun(
                space.sequence(),
                1,
                space.batch(),
                (double) tensor * context * stages * replicas,
                tensor,
                stages,
                context,
                expert,
                1,
                space.recomputes().getLast(),
                space.shardings(replicas, offload).getLast(),
                Order.REPLICAS_FIRST,
                isAdapter,
                offload);
    }
}
