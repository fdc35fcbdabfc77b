package dev.muster.plan.time;

import dev.muster.plan.ModelArchitecture;
import dev.muster.plan.ModelDimension;
import dev.muster.plan.ModelTensor;
import dev.muster.plan.memory.StoredTensor;
import dev.muster.plan.memory.StoredWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A model layer by layer: no two need be alike in bits, experts, or how far they look back. Immutable.
///
/// @param whole all of it
/// @param layers its layers
/// @param outside what is in no layer: embedding, last norm and head
/// @since 0.1
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
        List<ModelPart> layers = new ArrayList<>();
        for (int layer = 0; layer < shape.layers(); layer++) {
            WeightParts parts = WeightParts.of(new StoredWeights(byLayer.get(layer)));
            boolean full = isFull(architecture, shape, layer);
            layers.add(new ModelPart(
                    shape.part(1, parts.experts().elements() > 0 ? 1 : 0, full ? 1 : 0, isLocal(shape, full) ? 1 : 0),
                    parts));
        }
        return new ModelLayers(
                new ModelPart(shape, WeightParts.of(weights)),
                layers,
                new ModelPart(shape.part(0, 0, 0, 0), WeightParts.of(new StoredWeights(outside))));
    }

    /// The last of so many layers looks at all tokens: so it is in Gemma, gpt-oss, Llama 4 and Qwen3-Next.
    private static boolean isFull(ModelArchitecture architecture, ModelShape shape, int layer) {
        long step = architecture.find(ModelDimension.FULL_ATTENTION_STEP).orElse(shape.window() > 0 ? 0 : 1);
        return step > 0 && (layer + 1) % step == 0;
    }

    private static boolean isLocal(ModelShape shape, boolean full) {
        return !full && shape.window() > 0;
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
        return outside.weights().isTied() ? embeddingBytes() : 0;
    }
}
