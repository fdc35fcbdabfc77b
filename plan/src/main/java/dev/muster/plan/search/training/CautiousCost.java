// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.training.TrainingMemoryUse;
import java.util.List;

/// The cost of runs on devices of which a part stays free, since a peak may exceed its prediction.
///
/// @param cost the cost on the whole devices
/// @param multiple the multiple of the predicted peak that has to fit
record CautiousCost(TrainingCost cost, double multiple) implements TrainingCost {
    @Override
    public TrainingMemoryUse memory(TrainingRun run) {
        TrainingMemoryUse use = cost.memory(run);
        return new TrainingMemoryUse(
                use.weights(),
                use.gradients(),
                use.optimizer(),
                use.activations(),
                use.workspace(),
                use.capacity() / multiple,
                use.hosted(),
                use.hostCapacity());
    }

    @Override
    public double work(TrainingRun run) {
        return cost.work(run);
    }

    @Override
    public double secondsPerToken(TrainingRun run, double work) {
        return cost.secondsPerToken(run, work);
    }

    @Override
    public double active(TrainingRun run) {
        return cost.active(run);
    }

    @Override
    public double pipeline(int stages, int virtualStages, int microBatches) {
        return cost.pipeline(stages, virtualStages, microBatches);
    }

    @Override
    public TrainingTime time(TrainingRun run) {
        return cost.time(run);
    }

    @Override
    public void explain(TrainingRun run, StepLedger ledger) {
        cost.explain(run, ledger);
    }

    @Override
    public List<MemoryTerm> memoryTerms(TrainingRun run) {
        return cost.memoryTerms(run);
    }

    @Override
    public boolean isMeasured() {
        return cost.isMeasured();
    }

    @Override
    public MeasuredClass speedClass() {
        return cost.speedClass();
    }

    @Override
    public boolean growsWithMicroBatch() {
        return cost.growsWithMicroBatch();
    }
}
