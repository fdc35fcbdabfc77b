// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.StepTime;
import dev.muster.plan.simulate.LlamaServerSteps;
import dev.muster.plan.simulate.ModelStepTimes;
import dev.muster.plan.simulate.StepTimes;
import dev.muster.plan.time.BusyTime;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.StepLedger;
import java.util.List;
import java.util.Optional;

/// A layout under llama.cpp: each device holds some layers, and sequences go through them one after the other.
///
/// @param candidate the candidate
/// @param model time model
record LlamaCppLayout(Candidate candidate, LlamaCppModel model) implements LayoutModel {
    /// The share of a device's memory that is planned for: drivers and fragments take some of the rest.
    static final double CAPACITY_SHARE = 0.95;

    static LlamaCppLayout of(Candidate candidate) {
        return new LlamaCppLayout(
                candidate,
                new LlamaCppModel(
                        candidate.shape(),
                        candidate.weights(),
                        candidate.device(),
                        candidate.layout().pp(),
                        true,
                        Optional.of(candidate.request().format().label()),
                        candidate.coefficients()));
    }

    @Override
    public Parallelism layout() {
        return candidate.layout();
    }

    @Override
    public DeviceMemoryUse memory(int sequences, int tokens) {
        double share = candidate.fullestStage() / layout().pp();
        return new DeviceMemoryUse(
                share * candidate.weights().bytes(),
                share * sequences * model.sequenceBytes(tokens),
                model.workspace() + candidate.request().images().bytes(),
                candidate.device().within(CAPACITY_SHARE * candidate.device().memory()));
    }

    @Override
    public List<MemoryTerm> memoryTerms(int sequences) {
        MemoryTerms terms = new MemoryTerms(candidate);
        terms.weights(layout().pp(), layout().pp());
        terms.cache(sequences, LlamaCppModel.KV_BYTES, layout().pp());
        terms.states(sequences, layout().pp());
        terms.add(MemoryTerm.MemoryPart.WORKSPACE, "compute buffer and driver", "", model.workspace());
        terms.images(1);
        return terms.list();
    }

    @Override
    public StepTime timeToFirstToken(StepLedger ledger) {
        return model.prefill(candidate.request().input(), 0, ledger).plus(ImageWork.time(candidate, 1, ledger));
    }

    @Override
    public StepTime step(int sequences, StepLedger ledger) {
        return model.decode(sequences, candidate.request().meanContext(), ledger);
    }

    @Override
    public double prefillWork() {
        return timeToFirstToken(StepLedger.NONE).seconds();
    }

    @Override
    public double decodeWork(int sequences) {
        return step(sequences, StepLedger.NONE).seconds() / sequences;
    }

    @Override
    public double prefillActivity() {
        BusyTime busy = BusyTime.create();
        timeToFirstToken(busy);
        return busy.weighted(PowerDraw.MEMORY_WEIGHT) / layout().pp();
    }

    @Override
    public double decodeActivity(int sequences) {
        BusyTime busy = BusyTime.create();
        step(sequences, busy);
        return busy.weighted(PowerDraw.MEMORY_WEIGHT) / layout().pp() / sequences;
    }

    @Override
    public StepTimes stepTimes() {
        double input = candidate.request().input();
        LlamaServerSteps steps = new LlamaServerSteps(model, candidate.request().tokens() / input);
        return new ModelStepTimes(steps, candidate.request().meanContext());
    }

    @Override
    public boolean isMeasured() {
        return model.isMeasured();
    }

    @Override
    public MeasuredClass speedClass(int sequences) {
        return sequences == 1 ? MeasuredClass.SINGLE_STREAM_DECODE : MeasuredClass.STATIC_BATCH;
    }

    @Override
    public MeasuredClass prefillClass() {
        return MeasuredClass.PREFILL;
    }
}
