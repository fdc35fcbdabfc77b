package dev.muster.plan.search;

import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.DeviceFigures;
import dev.muster.plan.time.LlamaCppModel;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.StepTime;
import dev.muster.plan.time.WeightParts;

/// A layout under llama.cpp: each device holds some layers, and sequences go through them one after the other.
final class LlamaCppLayout implements LayoutModel {
    private static final int KV_BYTES = 2;
    /// Tokens of a prompt that go through a device at once.
    private static final int MICRO_BATCH = 512;
    /// What the compute buffer takes for each of them, hidden number and row of the vocabulary.
    private static final int HIDDEN_BYTES = 20;

    private static final int LOGIT_BYTES = 4;
    /// The driver's context.
    private static final double CONTEXT_BYTES = 0.5 * (1L << 30);

    private final ServingRequest request;
    private final ModelShape shape;
    private final WeightParts weights;
    private final DeviceFigures device;
    private final StepLayout layout;
    private final LlamaCppModel model;

    LlamaCppLayout(
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
        this.model = new LlamaCppModel(shape, weights, device, layout.stages(), true, c);
    }

    @Override
    public StepLayout layout() {
        return layout;
    }

    @Override
    public DeviceMemoryUse memory(int sequences) {
        double tokens = (double) request.input() + request.output();
        double cache = sequences * shape.keptTokens(tokens) * shape.kvNumbers() * KV_BYTES / layout.stages();
        double buffer = MICRO_BATCH * (shape.hidden() * HIDDEN_BYTES + shape.vocabulary() * LOGIT_BYTES);
        double fullest = Stages.fullest(shape, layout);
        return new DeviceMemoryUse(
                fullest * weights.bytes() / layout.stages(), fullest * cache, buffer + CONTEXT_BYTES, device.memory());
    }

    @Override
    public double firstToken() {
        return model.prefill(request.input(), 0).seconds();
    }

    @Override
    public StepTime step(int sequences) {
        return model.decode(sequences, request.input() + request.output() / 2.0);
    }

    @Override
    public double promptWork() {
        return firstToken();
    }

    @Override
    public double tokenWork(int sequences) {
        return step(sequences).seconds() / sequences;
    }
}
