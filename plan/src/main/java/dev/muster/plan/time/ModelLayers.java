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

/// A model layer by layer: layers may differ in bits, experts, and window. Immutable.
///
/// @param whole the whole model
/// @param layers its layers
/// @param outside embedding, last norm and head
public record ModelLayers(ModelPart whole, List<ModelPart> layers, ModelPart outside) {
    public ModelLayers {
        layers = List.copyOf(layers);
    }

    /// Returns the layers of an architecture; empty if it lacks a number.
    ///
    /// @param weights weights as stored
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

    /// Returns the bytes of the embedding.
    public double embeddingBytes() {
        return outside.weights().embedding().bytes();
    }

    /// Returns the bytes of the head and the norm before it; those of the embedding again if both are tied.
    public double headBytes() {
        return outside.weights().head().bytes() + outside.weights().dense().bytes();
    }

    /// Returns the bytes that are saved if one device holds head and embedding.
    public double sharedBytes() {
        return outside.weights().isTied() ? outside.weights().head().bytes() : 0;
    }
}
