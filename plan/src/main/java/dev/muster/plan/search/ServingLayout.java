package dev.muster.plan.search;

import dev.muster.plan.memory.VllmMemory;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.DeviceFigures;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepModel;
import dev.muster.plan.time.StepTime;
import dev.muster.plan.time.WeightParts;

/// A layout under a serving engine: devices share matrices, layers or experts.
final class ServingLayout implements LayoutModel {
    /// Prompt tokens that engines put into one step.
    private static final int STEP_TOKENS = 8192;
    /// Of a device's memory, what vLLM takes at most.
    private static final double VLLM_SHARE = 0.9;

    private final ServingRequest request;
    private final ModelShape shape;
    private final WeightParts weights;
    private final DeviceFigures device;
    private final StepLayout layout;
    private final StepModel model;
    private final double workspace;
    private final double share;

    ServingLayout(
            ServingSoftware software,
            ServingRequest request,
            ModelShape shape,
            WeightParts weights,
            DeviceFigures device,
            StepLayout layout,
            Coefficients c) {
        this.request = request;
        this.shape = shape;
        this.weights = weights;
        this.device = device;
        this.layout = layout;
        ServingProfile profile = new ServingProfile(software.label(), "", request.format(), device);
        this.model = new StepModel(shape, weights, device, profile.rates(c), layout, KvNumber.bytes(request.format()));
        boolean vllm = software == ServingSoftware.VLLM;
        this.workspace = vllm
                ? VllmMemory.activationPeak(shape.vocabulary(), device.memory())
                        + VllmMemory.libraries(layout.devices())
                : c.get(software.label() + "/workspace");
        this.share = vllm ? VLLM_SHARE : 1;
    }

    @Override
    public StepLayout layout() {
        return layout;
    }

    @Override
    public DeviceMemoryUse memory(int sequences) {
        double shared = weights.bytes() - weights.experts().bytes();
        double expertDevices = (double) Math.max(layout.expert(), layout.tensor()) * layout.stages();
        double held = shared / ((double) layout.tensor() * layout.stages())
                + weights.experts().bytes() / expertDevices;
        // Layers do not always divide evenly: the fullest stage has to fit.
        double fullest = Stages.fullest(shape, layout);
        double perReplica = Math.ceil((double) sequences / layout.replicas());
        double cache = perReplica * model.sequenceBytes(request.input() + request.output());
        return new DeviceMemoryUse(held * fullest, cache * fullest, workspace, device.memory() * share);
    }

    @Override
    public double firstToken() {
        return layout.stages() * model.stage(1, request.input(), 0).seconds();
    }

    @Override
    public StepTime step(int sequences) {
        double group = Math.max(1, (double) sequences / layout.replicas() / layout.stages());
        StepTime stage = model.stage(group, 1, context());
        return stage.times(layout.stages());
    }

    @Override
    public double promptWork() {
        double prompts = Math.max(1, Math.floor((double) STEP_TOKENS / request.input()));
        return model.stage(prompts, request.input(), 0).seconds() / prompts / layout.replicas();
    }

    @Override
    public double tokenWork(int sequences) {
        double group = Math.max(1, (double) sequences / layout.replicas() / layout.stages());
        return model.stage(group, 1, context()).seconds() / group / layout.replicas();
    }

    private double context() {
        return request.input() + request.output() / 2.0;
    }
}
