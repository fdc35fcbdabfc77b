package dev.muster.plan.simulate;

import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.time.StepModel;

/// Steps of all stages of a replica: each works on its share of the rows, one group of sequences after the other.
public final class StageSteps implements ModelStepTimes.Steps {
    private static final double PROMPT = 4096;

    private final StepModel model;
    private final double stages;
    private final double replicas;
    /// Sequences without a row are none, and the model divides by rows.
    private final StepTime empty;

    private final double pairSeconds;

    /// The steps of a model.
    public StageSteps(StepModel model) {
        this.model = model;
        StepLayout layout = model.layout();
        this.stages = layout.stages();
        this.replicas = layout.attentionReplicas();
        this.empty = model.stage(1e-6, 1, 0).times(stages);
        this.pairSeconds =
                model.stage(1, PROMPT, 0).attention() / model.shape().attentionPairs(0, PROMPT);
    }

    @Override
    public double rows(double tokens) {
        StepTime one = model.stage(tokens / (stages * replicas), 1, 0).times(stages);
        return one.products() + one.experts() + one.links() + empty.head() + empty.host();
    }

    @Override
    public StepTime decode(double sequences, double before) {
        return model.stage(sequences / (stages * replicas), 1, before).times(stages);
    }

    @Override
    public double sequences(double sequences) {
        StepTime one = decode(sequences, 0);
        return one.head() - empty.head() + one.host() - empty.host();
    }

    @Override
    public double prompt(double before, double tokens) {
        return pairSeconds * model.shape().attentionPairs(before, tokens) / replicas;
    }

    @Override
    public double promptStep() {
        return stages * model.rates().promptStep();
    }
}
