// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

import dev.muster.plan.time.StepModel;

/// The steps of all stages of a replica: each works on its share of the rows, one group of sequences after the other.
public final class StageSteps implements ModelStepTimes.Steps {
    private final StepModel model;
    private final double stages;
    private final double replicas;

    private StageSteps(StepModel model, double replicas) {
        this.model = model;
        this.stages = model.layout().pp();
        this.replicas = replicas;
    }

    /// Creates the steps of a model: attention ranks share all tokens evenly.
    public StageSteps(StepModel model) {
        this(model, model.layout().attentionDp());
    }

    /// Returns the steps of one attention rank, while the others have as much to do.
    public static StageSteps ofRank(StepModel model) {
        return new StageSteps(model, 1);
    }

    @Override
    public double rows(double tokens) {
        return stages * model.rowSeconds(tokens / (stages * replicas));
    }

    @Override
    public double attention(double sequences, double before) {
        return stages * model.decodeSeconds(sequences / (stages * replicas), before);
    }

    @Override
    public double sequences(double sequences) {
        return stages * model.sequenceSeconds(sequences / (stages * replicas));
    }

    @Override
    public double prompt(double before, double tokens) {
        return stages * model.promptSeconds(before, tokens) / replicas;
    }

    @Override
    public double promptStep() {
        return stages * model.rates().prompts().step();
    }

    @Override
    public double promptFloor() {
        return stages * model.promptFloor();
    }
}
