// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.training.TrainingMemoryUse;
import java.util.List;

/// Memory and time of a run under a framework.
interface TrainingCost {
    /// Returns the seconds of one device for each token, without the overhead of stages and replicas: the same for
    /// all runs that differ in those alone.
    double work(TrainingRun run);

    /// Returns the seconds of one device for each token.
    double secondsPerToken(TrainingRun run, double work);

    /// Returns the busy part of those seconds for the power of a device: all of products and attention, a part of
    /// memory traffic.
    double active(TrainingRun run);

    /// Returns the lower bound of a pipeline's factor.
    ///
    /// @param virtualStages interleaved parts of a stage
    /// @param microBatches micro-batches of one pipeline
    double pipeline(int stages, int virtualStages, int microBatches);

    /// Returns the parts of those seconds.
    TrainingTime time(TrainingRun run);

    /// Records the terms of a step of one device.
    void explain(TrainingRun run, StepLedger ledger);

    /// Returns the memory of the fullest device.
    TrainingMemoryUse memory(TrainingRun run);

    List<MemoryTerm> memoryTerms(TrainingRun run);

    /// Reports whether the framework was measured on such devices.
    boolean isMeasured();

    /// Returns the class of measurements whose errors give the interval of a predicted speed.
    MeasuredClass speedClass();

    /// Reports whether a larger micro-batch never takes less memory.
    boolean growsWithMicroBatch();
}
