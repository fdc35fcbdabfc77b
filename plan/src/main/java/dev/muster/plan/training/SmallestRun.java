package dev.muster.plan.training;

import dev.muster.plan.time.TrainingRun;
import dev.muster.plan.time.TrainingRun.Order;

/// The run that takes the least memory on its fullest device: one sequence at once, everything computed again, as much
/// shared as the framework can. More sharing never takes more, so that only those have to be looked at.
///
/// @param space the ways there are
/// @param cost what they take
/// @param isAdapter whether only adapters are trained
record SmallestRun(TrainingSpace space, TrainingCost cost, boolean isAdapter) {
    TrainingRun find() {
        TrainingRun best = run(1, 1, 1, 1, 1);
        double least = cost.memory(best).total();
        for (int tensor : space.tensors()) {
            for (int context : space.contexts()) {
                for (int stages = 1; stages <= space.mostStages(tensor, context); stages++) {
                    TrainingRun run = smallest(tensor, context, stages);
                    double bytes = cost.memory(run).total();
                    if (bytes < least) {
                        best = run;
                        least = bytes;
                    }
                }
            }
        }
        return best;
    }

    private TrainingRun smallest(int tensor, int context, int stages) {
        TrainingRun best = run(tensor, context, stages, 1, 1);
        double least = cost.memory(best).total();
        int most = space.mostCopies(tensor, context, stages);
        for (int copies : space.batchDivisors()) {
            for (int expert : space.expertDivisors()) {
                if (copies <= most && (long) tensor * context * copies % expert == 0) {
                    TrainingRun run = run(tensor, context, stages, copies, expert);
                    double bytes = cost.memory(run).total();
                    if (bytes < least) {
                        best = run;
                        least = bytes;
                    }
                }
            }
        }
        return best;
    }

    private TrainingRun run(int tensor, int context, int stages, int replicas, int expert) {
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
                space.shardings(replicas).getLast(),
                Order.COPIES_FIRST,
                isAdapter);
    }
}
