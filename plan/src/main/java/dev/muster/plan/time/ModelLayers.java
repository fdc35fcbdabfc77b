// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelLayer;
import dev.muster.model.tensor.ModelTensor;
import dev.muster.model.tensor.StoredTensor;
import dev.muster.model.tensor.StoredWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A model layer by layer: no two need be alike in bits, experts, or how far they look back. Immutable.
///
/// @param whole all of it
/// @param layers its layers
/// @param outside what is in no layer: embedding, last norm and head
public record ModelLayers(ModelPart whole, List<ModelPart> layers, ModelPart outside) {
    /// Copies the layers.
    public ModelLayers {
        layers = List.copyOf(layers);
    }

    /// The layers of an architecture; empty where it lacks a number.
    ///
    /// @param weights its weights as they are stored
    public static Optional<ModelLayers> of(ModelArchitecture architecture, StoredWeights weights) {
        return ModelShape.of(architecture).map(shape -> of(architecture, shape, weights));
    }

    private static ModelLayers of(ModelArchitecture architecture, ModelShape shape, StoredWeights weights) {
        List<List<StoredTensor>> byLayer = new ArrayList<>();
        for (int layer = 0; layer < shape.layers(); layer++) {
            byLayer.add(new ArrayList<>());
        }
        List<StoredTensor> outside = new ArrayList<>();
        for (StoredTensor stored : weights.tensors()) {
            int layer = stored.tensor().layer();
            (layer == ModelTensor.NO_LAYER ? outside : byLayer.get(layer)).add(stored);
        }
        List<ModelLayer> kinds = architecture.layers();
        List<ModelPart> layers = new ArrayList<>();
        for (int layer = 0; layer < shape.layers(); layer++) {
            WeightParts parts = WeightParts.of(new StoredWeights(byLayer.get(layer)));
            layers.add(new ModelPart(shape.part(architecture, List.of(kinds.get(layer))), parts));
        }
        return new ModelLayers(
                new ModelPart(shape, WeightParts.of(weights)),
                layers,
                new ModelPart(shape.part(architecture, List.of()), WeightParts.of(new StoredWeights(outside))));
    }

    /// Bytes of the embedding.
    public double embeddingBytes() {
        return outside.weights().embedding().bytes();
    }

    /// Bytes of the head and the norm before it; those of the embedding again where both are the same numbers.
    public double headBytes() {
        return outside.weights().head().bytes() + outside.weights().dense().bytes();
    }

    /// Bytes that head and embedding save where one device holds both.
    public double sharedBytes() {
        return outside.weights().isTied() ? outside.weights().head().bytes() : 0;
    }
}
