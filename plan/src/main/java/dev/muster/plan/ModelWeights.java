// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.model.tensor.GgufMix;
import dev.muster.model.tensor.ModelTensor;
import dev.muster.model.tensor.StoredTensor;
import dev.muster.model.tensor.StoredWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The weights of a model in a format, tensor by tensor; no device is needed. Without the file's header: names,
/// metadata and tokenizer are a few MB beside gigabytes. Immutable.
///
/// @param tensors all tensors
/// @since 0.1
public record ModelWeights(List<Stored> tensors) {
    /// The layer of tensors that stand outside of layers.
    public static final int NO_LAYER = ModelTensor.NO_LAYER;

    /// Copies the tensors.
    public ModelWeights {
        tensors = List.copyOf(tensors);
    }

    /// Returns the weights of an architecture in a format; unknown if the architecture lacks a number, or files of
    /// the format are no longer made.
    public static Reading<ModelWeights> of(ModelArchitecture architecture, WeightFormat format) {
        return StoredWeights.of(architecture, format).map(ModelWeights::of);
    }

    /// Returns the weights in a GGUF file that was made with an importance matrix, as most publishers do: `IQ4_XS`
    /// and `IQ4_NL` are then a little smaller, `Q4_0` and `Q5_0` a little larger.
    public static Reading<ModelWeights> withImportanceMatrix(ModelArchitecture architecture, GgufFormat format) {
        return GgufMix.of(format).withImportanceMatrix().weights(architecture).map(ModelWeights::of);
    }

    private static ModelWeights of(StoredWeights weights) {
        List<Stored> tensors = new ArrayList<>();
        for (StoredTensor stored : weights.tensors()) {
            ModelTensor tensor = stored.tensor();
            tensors.add(new Stored(
                    tensor.role().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    tensor.layer(),
                    tensor.elements(),
                    tensor.activeElements(),
                    stored.type(),
                    stored.bytes()));
        }
        return new ModelWeights(tensors);
    }

    /// Returns all weights: what the index of a checkpoint calls `total_size`.
    public Bytes total() {
        return sum(tensors);
    }

    /// Returns the weights of a layer, from 0; of [#NO_LAYER], those outside of layers.
    public Bytes ofLayer(int layer) {
        return sum(tensors.stream().filter(stored -> stored.layer() == layer).toList());
    }

    /// Returns the weights of a role, such as `embedding`.
    public Bytes ofRole(String role) {
        return sum(tensors.stream().filter(stored -> stored.role().equals(role)).toList());
    }

    /// Returns the number of parameters.
    public long parameters() {
        return tensors.stream().mapToLong(Stored::parameters).sum();
    }

    /// Returns the number of parameters that take part in one token.
    public long activeParameters() {
        return tensors.stream().mapToLong(Stored::activeParameters).sum();
    }

    /// Returns the mean bits of a parameter.
    public double bitsPerParameter() {
        return total().toDouble() * Byte.SIZE / parameters();
    }

    private static Bytes sum(List<Stored> some) {
        Bytes sum = Bytes.ZERO;
        for (Stored stored : some) {
            sum = sum.saturatingPlus(stored.bytes());
        }
        return sum;
    }

    /// A tensor as a checkpoint stores it; the experts of a layer together.
    ///
    /// @param role role, such as `embedding`, `query` or `attention-output`
    /// @param layer the layer, from 0, or [#NO_LAYER]
    /// @param parameters number of elements
    /// @param activeParameters number of elements that take part in one token
    /// @param type storage type of its elements, such as `Q6_K` or `bf16`
    /// @param bytes size with scales
    public record Stored(String role, int layer, long parameters, long activeParameters, String type, Bytes bytes) {}
}
