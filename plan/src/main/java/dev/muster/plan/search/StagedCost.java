// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.time.TrainingModel;
import dev.muster.plan.training.TrainingMemoryUse;
import java.util.List;

/// The cost of training with TP, PP, CP and EP.
///
/// @param model time model
/// @param peak memory model
/// @param load load of the method
/// @param offload cost of offloaded states
/// @param isMeasured true if the framework was measured on such devices
record StagedCost(TrainingModel model, StagedMemory peak, TrainingLoad load, OffloadCost offload, boolean isMeasured)
        implements TrainingCost {
    @Override
    public double work(TrainingRun run) {
        return model.work(run) * load.passes();
    }

    @Override
    public double active(TrainingRun run) {
        return model.busy(run, PowerDraw.MEMORY_WEIGHT) * load.passes();
    }

    @Override
    public double secondsPerToken(TrainingRun run, double work) {
        return model.secondsPerToken(run, work) + offload.seconds(run, work);
    }

    @Override
    public double pipeline(int stages, int virtualStages, int microBatches) {
        return model.pipeline(stages, virtualStages, microBatches);
    }

    @Override
    public TrainingTime time(TrainingRun run) {
        return model.time(run, load.passes()).withOffload(offload.seconds(run, work(run)));
    }

    @Override
    public void explain(TrainingRun run, StepLedger ledger) {
        model.explain(run, load.passes(), ledger);
        offload.explain(run, work(run), ledger);
    }

    @Override
    public List<MemoryTerm> memoryTerms(TrainingRun run) {
        return peak.terms(run);
    }

    @Override
    public TrainingMemoryUse memory(TrainingRun run) {
        TrainingMemoryUse use = peak.of(run);
        return run.offload() == Offload.NONE ? use : use.withHosted(offload.bytes(run), offload.room(run));
    }

    @Override
    public MeasuredClass speedClass() {
        return MeasuredClass.TRAINING_SPEED;
    }

    @Override
    public boolean growsWithMicroBatch() {
        return true;
    }
}
