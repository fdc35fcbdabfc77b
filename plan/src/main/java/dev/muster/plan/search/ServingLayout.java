// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.simulate.ModelStepTimes;
import dev.muster.plan.simulate.StageSteps;
import dev.muster.plan.simulate.StepTimes;
import dev.muster.plan.time.BusyTime;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.VllmMemory;
import dev.muster.plan.time.WeightParts;
import java.util.List;

/// A layout under a serving engine: tensor, pipeline or expert parallel.
///
/// @param candidate the candidate
/// @param engine the engine
/// @param model time model of a step
record ServingLayout(Candidate candidate, Servable engine, StepModel model) implements LayoutModel {
    static ServingLayout of(Servable engine, Candidate candidate) {
        StepModel model = new StepModel(
                candidate.shape(),
                candidate.weights(),
                candidate.device(),
                engine.rates(),
                candidate.layout(),
                engine.kvBytes());
        return new ServingLayout(candidate, engine, model);
    }

    @Override
    public Parallelism layout() {
        return candidate.layout();
    }

    @Override
    public DeviceMemoryUse memory(int sequences, int tokens) {
        double fullest = candidate.fullestStage();
        double perReplica = Math.ceil((double) sequences / layout().attentionDp());
        double cache = perReplica * model.sequenceBytes(tokens);
        double weights = fullest * candidate.weights().heldBy(layout());
        double encoder = candidate.request().images().bytes() / layout().tp();
        double beside = encoder + (engine.software().runsTrialStep() ? activationPeak() + libraries() : workspace());
        return new DeviceMemoryUse(
                weights, fullest * cache, beside, engine.software().capacity(candidate.device(), weights + beside));
    }

    private double activationPeak() {
        return VllmMemory.activationPeak(
                candidate.shape().vocabulary(), candidate.device().memory());
    }

    private double libraries() {
        return VllmMemory.libraries(layout().devices());
    }

    private double workspace() {
        return engine.workspace();
    }

    @Override
    public List<MemoryTerm> memoryTerms(int sequences) {
        MemoryTerms terms = new MemoryTerms(candidate);
        terms.weights(WeightParts.sharers(layout()), WeightParts.expertSharers(layout()));
        int perReplica = (int) Math.ceil((double) sequences / layout().attentionDp());
        terms.cache(perReplica, engine.kvBytes(), model.kvSharers() * layout().pp());
        terms.states(perReplica, WeightParts.sharers(layout()));
        if (engine.software().runsTrialStep()) {
            terms.add(
                    MemoryTerm.MemoryPart.WORKSPACE,
                    "largest step",
                    "logits of as many rows as may run",
                    activationPeak());
            terms.add(MemoryTerm.MemoryPart.WORKSPACE, "libraries", "", libraries());
        } else {
            terms.add(MemoryTerm.MemoryPart.WORKSPACE, "workspace", "", workspace());
        }
        terms.images(layout().tp());
        return terms.list();
    }

    @Override
    public StepTime timeToFirstToken(StepLedger ledger) {
        StepTime stage = model.stage(1, candidate.request().input(), 0, ledger);
        ledger.repeat(layout().pp());
        return stage.times(layout().pp()).plus(ImageWork.time(candidate, layout().tp(), ledger));
    }

    @Override
    public StepTime step(int sequences, StepLedger ledger) {
        StepTime stage = stage(sequences, ledger);
        ledger.repeat(layout().pp());
        return stage.times(layout().pp());
    }

    @Override
    public double prefillWork() {
        double images =
                ImageWork.time(candidate, layout().tp(), StepLedger.NONE).seconds();
        return (model.promptSeconds(candidate.request().input()) + images) / layout().attentionDp();
    }

    @Override
    public double decodeWork(int sequences) {
        return stage(sequences, StepLedger.NONE).seconds() / group(sequences) / layout().attentionDp();
    }

    @Override
    public double prefillActivity() {
        BusyTime busy = BusyTime.create();
        double prompts = model.promptsOfStep(candidate.request().input());
        model.stage(prompts, candidate.request().input(), 0, busy);
        return busy.weighted(PowerDraw.MEMORY_WEIGHT) / prompts / layout().attentionDp();
    }

    @Override
    public double decodeActivity(int sequences) {
        BusyTime busy = BusyTime.create();
        stage(sequences, busy);
        return busy.weighted(PowerDraw.MEMORY_WEIGHT) / group(sequences) / layout().attentionDp();
    }

    /// Returns one stage, of as many groups as there are stages.
    private StepTime stage(int sequences, StepLedger ledger) {
        return model.stage(group(sequences), 1, candidate.request().meanContext(), ledger);
    }

    private double group(int sequences) {
        return Math.max(1, (double) sequences / layout().attentionDp() / layout().pp());
    }

    @Override
    public StepTimes stepTimes() {
        return new ModelStepTimes(new StageSteps(model), candidate.request().meanContext());
    }

    @Override
    public boolean isMeasured() {
        return engine.isMeasured();
    }

    @Override
    public MeasuredClass speedClass(int sequences) {
        return engine.software().speedClass();
    }

    @Override
    public MeasuredClass prefillClass() {
        return MeasuredClass.TIME_TO_FIRST_TOKEN;
    }
}
