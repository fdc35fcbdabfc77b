// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import org.junit.jupiter.api.Test;

class ModelWeightsTest {
    private static final ModelEntry LLAMA =
            ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow();

    /// `total_size` of the published index (model.safetensors.index.json, 2024).
    @Test
    void comeToWhatTheIndexOfTheCheckpointSays() {
        ModelWeights weights = weights(LLAMA.architecture());
        assertThat(weights.total()).isEqualTo(Bytes.of(16_060_522_496L));
        assertThat(weights.parameters()).isEqualTo(8_030_261_248L);
        assertThat(weights.activeParameters()).isEqualTo(weights.parameters());
        assertThat(weights.bitsPerParameter()).isEqualTo(16);
        assertThat(weights.ofRole("embedding")).isEqualTo(Bytes.of(2L * 128_256 * 4096));
    }

    @Test
    void layersAndWhatIsOutsideOfThemAreAllWeights() {
        ModelWeights weights = weights(LLAMA.architecture());
        Bytes sum = weights.ofLayer(ModelWeights.NO_LAYER);
        int layers =
                Math.toIntExact(LLAMA.architecture().find(ModelDimension.LAYERS).orElseThrow());
        for (int layer = 0; layer < layers; layer++) {
            sum = sum.saturatingPlus(weights.ofLayer(layer));
        }
        assertThat(sum).isEqualTo(weights.total());
    }

    @Test
    void ggufFilesMixTypes() {
        ModelWeights weights =
                ModelWeights.of(LLAMA.architecture(), GgufFormat.Q4_K_M).find().orElseThrow();
        assertThat(weights.bitsPerParameter()).isCloseTo(4.89, within(0.01));
        assertThat(weights.tensors()).extracting(ModelWeights.Stored::type).contains("Q4_K", "Q6_K", "F32");
    }

    @Test
    void importanceMatrixSavesTheGuardOfEarlyLayers() {
        Bytes plain = ModelWeights.of(LLAMA.architecture(), GgufFormat.IQ4_XS)
                .find()
                .orElseThrow()
                .total();
        assertThat(ModelWeights.withImportanceMatrix(LLAMA.architecture(), GgufFormat.IQ4_XS)
                        .find()
                        .orElseThrow()
                        .total())
                .isLessThan(plain);
    }

    @Test
    void whatIsNotStatedIsUnknown() {
        assertThat(ModelWeights.of(ModelArchitecture.UNKNOWN, StandardFormat.BF16)
                        .isKnown())
                .isFalse();
    }

    private static ModelWeights weights(ModelArchitecture architecture) {
        return ModelWeights.of(architecture, StandardFormat.BF16).find().orElseThrow();
    }
}
