// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.tensor.StoredWeights;
import java.util.Optional;

/// The dimensions of a model that determine a training step.
///
/// @param layers transformer blocks
/// @param hidden width of the residual stream
/// @param denseElements numbers of all matrices that every token passes, without head and embedding
/// @param headElements numbers of the head
/// @param attentionNumbers over all layers, heads times the widths of keys and values
/// @param kvNumbers over all layers, widths of the keys and values that CP passes on
/// @param expertLayers layers with routed experts
/// @param activeExperts experts that each token uses
/// @param expertSize inner width of one
/// @param activeExpertElements numbers of the experts that a token passes, over all layers
/// @param parameters all parameters
public record TrainingShape(
        double layers,
        double hidden,
        double denseElements,
        double headElements,
        double attentionNumbers,
        double kvNumbers,
        double expertLayers,
        double activeExperts,
        double expertSize,
        double activeExpertElements,
        double parameters) {
    /// The usual ratio of hidden size to layers, about the same in models of all sizes.
    private static final double USUAL_ASPECT = 128;

    /// Returns the shape of an architecture; empty if it lacks a number.
    public static Optional<TrainingShape> of(ModelArchitecture architecture) {
        Optional<ModelShape> shape = ModelShape.of(architecture);
        Optional<StoredWeights> weights =
                StoredWeights.of(architecture, StandardFormat.BF16).find();
        if (shape.isEmpty() || weights.isEmpty()) {
            return Optional.empty();
        }
        ModelShape model = shape.get();
        WeightParts parts = WeightParts.of(weights.get());
        double chosen = model.experts() > 0 ? model.activeExperts() / model.experts() : 0;
        double attending = model.fullLayers() + model.localLayers();
        return Optional.of(new TrainingShape(
                model.layers(),
                model.hidden(),
                parts.attention().elements() + parts.dense().elements(),
                parts.head().elements(),
                attending * model.heads() * (model.keySize() + model.valueSize()),
                attending * model.kvHeads() * (model.keySize() + model.valueSize()),
                model.expertLayers(),
                model.activeExperts(),
                model.expertSize(),
                parts.experts().elements() * chosen,
                parts.bytes() / 2));
    }

    /// Returns the shape of a dense model with some unknown dimensions.
    ///
    /// @param layers transformer blocks; 0 if unknown
    /// @param hidden width of the residual stream; 0 if unknown
    /// @param vocabulary rows of the embedding; 0 if unknown
    public static TrainingShape dense(double parameters, double layers, double hidden, double vocabulary) {
        double blocks = layers > 0 ? layers : Math.cbrt(parameters / (12 * USUAL_ASPECT * USUAL_ASPECT));
        double width = hidden > 0 ? hidden : blocks * USUAL_ASPECT;
        double head = vocabulary * width;
        return new TrainingShape(
                blocks,
                width,
                Math.max(parameters - head, 0.5 * parameters),
                head,
                blocks * 2 * width,
                blocks * 2 * width,
                0,
                0,
                0,
                0,
                parameters);
    }
}
