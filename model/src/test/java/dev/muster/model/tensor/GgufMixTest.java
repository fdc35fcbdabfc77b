// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.GgufFormat;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GgufMixTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();

    /// Sizes are published with three digits.
    private static final double SIZE_TOLERANCE = 0.005;

    /// Bits are published with four decimals.
    private static final double BITS_TOLERANCE = 0.0001;

    @ParameterizedTest
    @CsvFileSource(resources = "gguf-sizes.csv", numLinesToSkip = 1)
    void comesToThePublishedSize(String model, GgufFormat type, double gib, Double bits, String source) {
        StoredWeights weights = weights(model, type);
        double error = weights.total().toGib() / gib - 1;
        assertThat(error)
                .as(
                        "%s %s: %.3f GiB, published %.2f by %s",
                        model, type, weights.total().toGib(), gib, source)
                .isCloseTo(0, within(SIZE_TOLERANCE));
        if (bits != null) {
            double parameters = weights.tensors().stream()
                    .mapToDouble(stored -> stored.tensor().elements())
                    .sum();
            assertThat(weights.total().toDouble() * Byte.SIZE / parameters)
                    .as("bits per weight of %s %s", model, type)
                    .isCloseTo(bits, within(BITS_TOLERANCE));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "llama-2-7b, Q4_K_M, 4081004224",
        "llama-3.1-8b, Q4_K_M, 4920739232",
        "qwen2.5-72b, Q4_K_M, 47415707136",
        "gpt-oss-20b, MXFP4_MOE, 12109566560"
    })
    void fileHasAHeaderOnTop(String model, GgufFormat type, long bytes) {
        Bytes size = GgufMix.of(type).fileSize(architecture(model)).find().orElseThrow();
        assertThat(size.toDouble() / bytes - 1).isCloseTo(0, within(0.0005));
    }

    @Test
    void importanceMatrixSavesTheGuardOfEarlyLayers() {
        ModelArchitecture llama = architecture("llama-3.1-8b");
        GgufMix plain = GgufMix.of(GgufFormat.IQ4_XS);
        assertThat(plain.withImportanceMatrix().size(llama).find().orElseThrow())
                .isLessThan(plain.size(llama).find().orElseThrow());
        GgufMix guided = GgufMix.of(GgufFormat.Q4_0).withImportanceMatrix();
        assertThat(types(guided.weights(llama).find().orElseThrow(), TensorRole.DOWN))
                .containsExactly("Q4_1", "Q4_0");
    }

    @Test
    void rowsThatAreNoWholeBlocksGetSmallerBlocks() {
        StoredWeights weights = weights("qwen2.5-0.5b", GgufFormat.Q4_K_M);
        assertThat(types(weights, TensorRole.EMBEDDING)).containsExactly("Q8_0");
        assertThat(types(weights, TensorRole.GATE)).containsExactly("Q5_0");
        assertThat(types(weights, TensorRole.DOWN)).containsExactlyInAnyOrder("Q4_K", "Q6_K");
        assertThat(types(weights, TensorRole.VECTOR)).containsExactly("F32");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, F16, F32",
                "Q2_K_S, Q2_K, Q3_K_S, Q3_K_M, Q3_K_L, Q4_K_M, Q5_K_S, Q5_K_M, Q6_K, Q8_0, BF16, F32",
                "Q4_K_S, Q4_K_M",
                "IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ2_M, IQ3_M",
                "IQ3_XXS, IQ3_XS, IQ3_S, IQ3_M, IQ4_XS, IQ4_NL"
            })
    void moreBitsAreNeverSmaller(String types) {
        List<GgufFormat> ladder =
                Arrays.stream(types.split(", ")).map(GgufFormat::valueOf).toList();
        List<String> models =
                MODELS.ids().stream().filter(GgufMixTest::hasWholeBlocks).toList();
        assertThat(models).hasSizeGreaterThan(50);
        for (String model : models) {
            for (int step = 1; step < ladder.size(); step++) {
                assertThat(weights(model, ladder.get(step)).total())
                        .as("%s %s", model, ladder.get(step))
                        .isGreaterThanOrEqualTo(
                                weights(model, ladder.get(step - 1)).total());
            }
        }
    }

    @Test
    void growsWithLayers() {
        ModelArchitecture llama = architecture("llama-3.1-8b");
        Provenance assumed = Provenance.of("test", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);
        Bytes before = Bytes.ZERO;
        for (int layers = 1; layers < 100; layers++) {
            ModelArchitecture deeper = llama.toBuilder()
                    .dimension(ModelDimension.LAYERS, layers, assumed)
                    .build();
            Bytes size = GgufMix.of(GgufFormat.Q4_K_S).size(deeper).find().orElseThrow();
            assertThat(size).isGreaterThan(before);
            before = size;
        }
    }

    @Test
    void isUnknownWhereNobodyKnows() {
        assertThat(GgufMix.of(GgufFormat.Q4_K_M)
                        .fileSize(ModelArchitecture.UNKNOWN)
                        .isKnown())
                .isFalse();
        assertThat(GgufMix.of(GgufFormat.Q4_2).size(architecture("llama-2-7b")).isKnown())
                .isFalse();
    }

    /// Elsewhere a type with more bits may have the smaller stand-in.
    private static boolean hasWholeBlocks(String model) {
        return GgufMix.of(GgufFormat.Q2_K).weights(architecture(model)).find().stream()
                .anyMatch(weights -> weights.tensors().stream()
                        .map(StoredTensor::type)
                        .allMatch(type -> type.equals("F32") || type.endsWith("_K") || type.equals("Q8_0")));
    }

    private static List<String> types(StoredWeights weights, TensorRole role) {
        return weights.tensors().stream()
                .filter(stored -> stored.tensor().role() == role)
                .map(StoredTensor::type)
                .distinct()
                .toList();
    }

    private static StoredWeights weights(String model, GgufFormat type) {
        return GgufMix.of(type).weights(architecture(model)).find().orElseThrow();
    }

    private static ModelArchitecture architecture(String model) {
        return MODELS.find(model).orElseThrow().architecture();
    }
}
