// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

import dev.muster.model.ModelComponent;
import dev.muster.model.ModelComponent.PassFigure;
import dev.muster.model.ModelComponent.Role;
import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.ModelTensors;
import java.util.List;

/// A request for a plan of a model that embeds, ranks, transcribes, draws or otherwise does not chat. Figures that the
/// kind of model does not have are without effect.
///
/// @param model the model
/// @param format weight format
/// @param input tokens of a text
/// @param output tokens of an answer, of models that write one
/// @param seconds seconds of sound
/// @param width width of images in pixels
/// @param height height of images in pixels
/// @param frames frames of a video; 1 for an image
/// @param steps denoising steps
/// @param batch texts, recordings or images at the same time; 0 for as many as are best for the goal
/// @param goal goal of the plan
/// @param maxLatency longest seconds for a batch
/// @since 0.3
public record TaskRequest(
        ModelSummary model,
        WeightFormat format,
        int input,
        int output,
        double seconds,
        int width,
        int height,
        int frames,
        int steps,
        int batch,
        ServingGoal goal,
        double maxLatency) {
    private static final int TEXT = 512;
    private static final int ANSWER = 128;
    private static final double SOUND = 30;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if one is below 1, or the batch below 0
    public TaskRequest {
        if (Math.min(Math.min(Math.min(input, output), Math.min(width, height)), Math.min(frames, steps)) < 1
                || batch < 0
                || !(seconds > 0 && maxLatency > 0)) {
            throw new IllegalArgumentException("a request has at least one token, pixel, frame, step and second");
        }
    }

    /// Returns a request with the figures that the model was made for.
    public static TaskRequest of(ModelSummary model) {
        List<ModelComponent> parts = parts(model);
        int side = (int) Math.max(largest(parts, PassFigure.SIDE), 1);
        int height = (int) largest(parts, PassFigure.HEIGHT);
        long context = model.architecture().find(ModelDimension.CONTEXT).orElse(TEXT);
        return new TaskRequest(
                model,
                WeightFormat.findPublished(model.architecture()).orElse(StandardFormat.BF16),
                Math.clamp(context, 1, TEXT),
                ANSWER,
                SOUND,
                side,
                height > 0 ? height : side,
                (int) Math.max(1, largest(parts, PassFigure.FRAMES)),
                (int) Math.max(1, largest(parts, PassFigure.STEPS)),
                0,
                ServingGoal.THROUGHPUT,
                Double.POSITIVE_INFINITY);
    }

    private static long largest(List<ModelComponent> parts, PassFigure figure) {
        return parts.stream().mapToLong(part -> part.figure(figure)).max().orElse(0);
    }

    private static List<ModelComponent> parts(ModelSummary model) {
        List<ModelComponent> parts = model.architecture().components();
        if (!model.architecture().doubt().isEmpty()) {
            return List.of();
        }
        return parts.isEmpty()
                ? ModelTensors.stack(model.architecture()).map(List::of).orElse(List.of())
                : parts;
    }

    /// Returns the parts that take part; empty if they are not known.
    public List<ModelComponent> parts() {
        return parts(model).stream()
                // The text tower of a vision encoder does nothing for images.
                .filter(part -> kind() != ModelKind.VISION_ENCODER || part.role() == Role.VISION)
                .toList();
    }

    /// Returns the kind of the model.
    public ModelKind kind() {
        return model.architecture().kind();
    }

    /// Returns a copy with another batch.
    public TaskRequest withBatch(int other) {
        return new TaskRequest(
                model, format, input, output, seconds, width, height, frames, steps, other, goal, maxLatency);
    }

    /// Returns a copy with another weight format.
    public TaskRequest withFormat(WeightFormat other) {
        return new TaskRequest(
                model, other, input, output, seconds, width, height, frames, steps, batch, goal, maxLatency);
    }

    /// Returns a copy with another size of texts.
    public TaskRequest withTokens(int inputTokens, int outputTokens) {
        return new TaskRequest(
                model,
                format,
                inputTokens,
                outputTokens,
                seconds,
                width,
                height,
                frames,
                steps,
                batch,
                goal,
                maxLatency);
    }

    /// Returns a copy with another length of sound.
    public TaskRequest withSeconds(double other) {
        return new TaskRequest(
                model, format, input, output, other, width, height, frames, steps, batch, goal, maxLatency);
    }

    /// Returns a copy with images or videos of another size.
    public TaskRequest withImages(int wide, int high, int frameCount, int stepCount) {
        return new TaskRequest(
                model, format, input, output, seconds, wide, high, frameCount, stepCount, batch, goal, maxLatency);
    }

    /// Returns a copy with another goal and limit.
    public TaskRequest withGoal(ServingGoal other, double latency) {
        return new TaskRequest(
                model, format, input, output, seconds, width, height, frames, steps, batch, other, latency);
    }
}
