package dev.muster.plan.search;

import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.memory.VllmMemory;
import dev.muster.plan.time.BusyTime;
import dev.muster.plan.time.DeviceFigures;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.StepTime;

/// A layout under a serving engine: devices share matrices, layers or experts.
///
/// @param candidate what is laid out
/// @param software the engine
/// @param profile which coefficients it goes by
/// @param model how long a step takes
record ServingLayout(Candidate candidate, ServingSoftware software, ServingProfile profile, StepModel model)
        implements LayoutModel {
    /// Of a device's memory, what vLLM takes at most.
    private static final double VLLM_SHARE = 0.9;

    static ServingLayout of(ServingSoftware software, Candidate candidate) {
        String format = candidate.request().format();
        ServingProfile profile = new ServingProfile(software.label(), "", format, candidate.device());
        StepModel model = new StepModel(
                candidate.shape(),
                candidate.weights(),
                candidate.device(),
                profile.rates(candidate.coefficients()),
                candidate.layout(),
                KvNumber.bytes(format));
        return new ServingLayout(candidate, software, profile, model);
    }

    @Override
    public StepLayout layout() {
        return candidate.layout();
    }

    @Override
    public DeviceMemoryUse memory(int sequences) {
        double fullest = candidate.fullestStage();
        double perReplica = Math.ceil((double) sequences / layout().replicas());
        double cache = perReplica * model.sequenceBytes(candidate.request().tokens());
        DeviceFigures device = candidate.device();
        return new DeviceMemoryUse(
                fullest * candidate.weights().heldBy(layout()),
                fullest * cache,
                isVllm()
                        ? VllmMemory.activationPeak(candidate.shape().vocabulary(), device.memory())
                                + VllmMemory.libraries(layout().devices())
                        : candidate.coefficients().get(software.label() + "/workspace"),
                isVllm() ? VLLM_SHARE * device.memory() : device.memory());
    }

    private boolean isVllm() {
        return software == ServingSoftware.VLLM;
    }

    @Override
    public StepTime firstToken(StepLedger ledger) {
        StepTime stage = model.stage(1, candidate.request().input(), 0, ledger);
        ledger.stretch(layout().stages());
        return stage.times(layout().stages());
    }

    @Override
    public StepTime step(int sequences, StepLedger ledger) {
        StepTime stage = stage(sequences, ledger);
        ledger.stretch(layout().stages());
        return stage.times(layout().stages());
    }

    @Override
    public double promptWork() {
        return model.promptSeconds(candidate.request().input()) / layout().replicas();
    }

    @Override
    public double tokenWork(int sequences) {
        return stage(sequences, StepLedger.NONE).seconds() / group(sequences) / layout().replicas();
    }

    @Override
    public double promptActivity() {
        BusyTime busy = BusyTime.create();
        double prompts = model.promptsOfStep(candidate.request().input());
        model.stage(prompts, candidate.request().input(), 0, busy);
        return busy.weighted(PowerDraw.MEMORY_WEIGHT) / prompts / layout().replicas();
    }

    @Override
    public double tokenActivity(int sequences) {
        BusyTime busy = BusyTime.create();
        stage(sequences, busy);
        return busy.weighted(PowerDraw.MEMORY_WEIGHT) / group(sequences) / layout().replicas();
    }

    /// One stage, of as many groups as there are stages.
    private StepTime stage(int sequences, StepLedger ledger) {
        return model.stage(group(sequences), 1, candidate.request().meanContext(), ledger);
    }

    private double group(int sequences) {
        return Math.max(1, (double) sequences / layout().replicas() / layout().stages());
    }

    @Override
    public boolean isMeasured() {
        return profile.isMeasured(candidate.coefficients());
    }

    /// Engines of other makers were measured with batches of a fixed size alone.
    @Override
    public MeasuredClass speedClass(int sequences) {
        return switch (software) {
            case VLLM, TENSORRT_LLM, LLAMA_CPP -> MeasuredClass.OFFLINE_THROUGHPUT;
            case OPTIMUM_HABANA, TRANSFORMERS_NEURONX -> MeasuredClass.STATIC_BATCH;
        };
    }

    @Override
    public MeasuredClass promptClass() {
        return MeasuredClass.TIME_TO_FIRST_TOKEN;
    }
}
