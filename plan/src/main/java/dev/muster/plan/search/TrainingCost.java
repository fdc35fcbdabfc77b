// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.answer.MemoryTerm;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.training.TrainingMemoryUse;
import java.util.List;

/// Memory and time of a run, as a framework makes it.
interface TrainingCost {
    /// Seconds of one device for each token, without what stages and replicas add: the same for all runs that differ in
    /// those alone.
    double work(TrainingRun run);

    /// Seconds of one device for each token.
    double secondsPerToken(TrainingRun run, double work);

    /// How many of those seconds count as busy for the power that a device draws: all of products and
    /// attention, a part of what only moves bytes.
    double active(TrainingRun run);

    /// How many times the work a pipeline takes at least.
    ///
    /// @param virtualStages parts of a stage that take turns
    /// @param microBatches pieces that one pipeline works through
    double pipeline(int stages, int virtualStages, int microBatches);

    /// Where those go.
    TrainingTime time(TrainingRun run);

    /// Takes down what a step of one device is made of.
    void explain(TrainingRun run, StepLedger ledger);

    /// What the fullest device holds.
    TrainingMemoryUse memory(TrainingRun run);

    /// What that is made of.
    List<MemoryTerm> memoryTerms(TrainingRun run);

    /// Whether the framework was measured on such devices.
    boolean isMeasured();

    /// The measurements whose errors tell how far a predicted speed may be off.
    MeasuredClass speedClass();

    /// Whether more sequences at once never take less memory.
    boolean growsWithMicroBatch();
}
