// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.ModelArchitecture;
import java.util.Optional;

/// A dense model as PyTorch runs it layer by layer: the dimensions of its saved tensors.
///
/// @param layers transformer blocks
/// @param hidden width of the residual stream
/// @param queries width of all queries together
/// @param keys width of all keys together
/// @param heads query heads
/// @param inner width inside the feed-forward block
/// @param isGated true if that block has a gate
/// @param vocabulary rows of the embedding
/// @param parameters all parameters
/// @param linear those of the matrices inside layers
/// @param isTied true if input and output embedding are one
public record EagerShape(
        double layers,
        double hidden,
        double queries,
        double keys,
        double heads,
        double inner,
        boolean isGated,
        double vocabulary,
        double parameters,
        double linear,
        boolean isTied) {
    /// Returns the shape of an architecture; empty if it lacks a number or has experts.
    public static Optional<EagerShape> of(ModelArchitecture architecture) {
        return TrainingShape.of(architecture)
                .filter(shape -> shape.expertLayers() == 0)
                .flatMap(shape -> ModelShape.of(architecture)
                        .map(model -> new EagerShape(
                                model.layers(),
                                model.hidden(),
                                model.heads() * model.keySize(),
                                model.kvHeads() * model.keySize(),
                                model.heads(),
                                model.feedForward(),
                                model.matrices() == 3,
                                model.vocabulary(),
                                shape.parameters(),
                                shape.denseElements(),
                                architecture.tiedEmbeddings().find().orElse(false))));
    }

    double headSize() {
        return queries / heads;
    }
}
