package dev.muster.plan.training;

import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.time.TrainingModel;
import dev.muster.plan.time.TrainingRun;
import dev.muster.plan.time.TrainingTime;

/// Frameworks that share matrices, layers, sequences and experts.
///
/// @param model how long it takes
/// @param peak what it holds
/// @param load what the method adds
/// @param isMeasured whether the framework was measured on such devices
record StagedCost(TrainingModel model, StagedMemory peak, TrainingLoad load, boolean isMeasured)
        implements TrainingCost {
    @Override
    public double work(TrainingRun run) {
        return model.work(run) * load.passes();
    }

    @Override
    public double secondsPerToken(TrainingRun run, double work) {
        return model.secondsPerToken(run, work);
    }

    @Override
    public double pipeline(int stages, int virtualStages, int microBatches) {
        return model.pipeline(stages, virtualStages, microBatches);
    }

    @Override
    public TrainingTime time(TrainingRun run) {
        return model.time(run, load.passes());
    }

    @Override
    public TrainingMemoryUse memory(TrainingRun run) {
        return peak.of(run);
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
