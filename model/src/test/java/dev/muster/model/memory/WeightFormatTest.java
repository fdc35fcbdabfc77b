// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelDimension;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.tensor.StoredTensor;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.model.tensor.TensorRole;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WeightFormatTest {
    private static final ModelCatalogue MODELS = ModelCatalogue.builtIn();

    @ParameterizedTest
    @CsvFileSource(resources = "checkpoint-sizes.csv", numLinesToSkip = 1)
    void comesToThePublishedSize(String model, StandardFormat format, long bytes, double tolerance, String source) {
        Bytes size = StoredWeights.of(architecture(model), format)
                .map(StoredWeights::total)
                .find()
                .orElseThrow();
        assertThat(size.toDouble() / bytes - 1)
                .as("%s %s: %s, published %d by %s", model, format, size, bytes, source)
                .isCloseTo(0, within(tolerance));
    }

    /// Bits of a large matrix with its scales, as the formats' papers count them.
    @ParameterizedTest
    @CsvSource({
        "FP8, 8.000",
        "FP8_BLOCK, 8.002",
        "INT8, 8.004",
        "AWQ_INT4, 4.156",
        "GPTQ_INT4, 4.164",
        "NF4, 4.127",
        "NVFP4, 4.500"
    })
    void scalesTakeTheirShare(StandardFormat format, double bits) {
        StoredTensor query =
                StoredWeights.of(architecture("llama-3.1-8b"), format).find().orElseThrow().tensors().stream()
                        .filter(stored -> stored.tensor().role() == TensorRole.QUERY)
                        .findFirst()
                        .orElseThrow();
        assertThat(query.bytes().toDouble() * Byte.SIZE / query.tensor().elements())
                .isCloseTo(bits, within(0.0005));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NF4, AWQ_INT4, GPTQ_INT4, NVFP4, FP8, FP8_BLOCK, BF16, FP32",
                "FP8, INT8, FP16, FP32",
                "MXFP4, BF16"
            })
    void moreBitsAreNeverSmaller(String formats) {
        List<StandardFormat> ladder =
                Arrays.stream(formats.split(", ")).map(StandardFormat::valueOf).toList();
        List<String> models =
                MODELS.ids().stream().filter(WeightFormatTest::isCounted).toList();
        assertThat(models).hasSizeGreaterThan(300);
        for (String model : models) {
            for (int step = 1; step < ladder.size(); step++) {
                assertThat(size(model, ladder.get(step)))
                        .as("%s %s", model, ladder.get(step))
                        .isGreaterThanOrEqualTo(size(model, ladder.get(step - 1)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(StandardFormat.class)
    void isUnknownWhereNumbersAreMissingOrAbsurd(StandardFormat format) {
        assertThat(StoredWeights.of(ModelArchitecture.UNKNOWN, format)
                        .map(StoredWeights::total)
                        .isKnown())
                .isFalse();
        Provenance assumed = Provenance.of("test", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);
        ModelArchitecture absurd = architecture("llama-3.1-8b").toBuilder()
                .dimension(ModelDimension.VOCABULARY, Long.MAX_VALUE, assumed)
                .build();
        assertThat(StoredWeights.of(absurd, format).map(StoredWeights::total).isKnown())
                .isFalse();
    }

    static Stream<WeightFormat> all() {
        return Stream.concat(
                Arrays.stream(StandardFormat.values()),
                Arrays.stream(GgufFormat.values()).filter(type -> type != GgufFormat.BF16 && type != GgufFormat.NVFP4));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyFormatIsFoundByItsLabel(WeightFormat format) {
        assertThat(WeightFormat.parse(format.label())).isEqualTo(format);
        assertThat(WeightFormat.find(format.label().toUpperCase(Locale.ROOT))).contains(format);
        assertThat(WeightFormat.labels()).contains(format.label());
        assertThat(format.weightBits()).isBetween(1, 32);
    }

    /// Two mixtures of GGUF have the names of checkpoint formats.
    @ParameterizedTest
    @CsvSource({"bf16, BF16", "nvfp4, NVFP4"})
    void aNameOfBothMeansTheFormatOfCheckpoints(String label, StandardFormat format) {
        assertThat(WeightFormat.parse(label)).isEqualTo(format);
        assertThat(GgufFormat.valueOf(format.name()).label()).isEqualTo(label);
    }

    @Test
    void noOtherTwoFormatsHaveOneLabel() {
        assertThat(all().map(WeightFormat::label)).doesNotHaveDuplicates();
        assertThat(WeightFormat.labels())
                .containsExactlyInAnyOrderElementsOf(
                        all().map(WeightFormat::label).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "fp4, nvfp4",
        "int4, awq-int4",
        "awq, awq-int4",
        "AWQ, awq-int4",
        "gptq, gptq-int4",
        "nf4-dq, nf4",
        "Q4_K_M, q4_k_m"
    })
    void otherNamesOfAFormatAreKnown(String name, String label) {
        assertThat(WeightFormat.parse(name).label()).isEqualTo(label);
    }

    @ParameterizedTest
    @CsvSource({"q4_k_m, 4", "q8_0, 8", "f16, 16", "bf16, 16", "fp8-block, 8", "awq, 4", "iq2_xs, 2", "mxfp4_moe, 4"})
    void bitsFollowFromTheFormat(String name, int bits) {
        assertThat(WeightFormat.parse(name).weightBits()).isEqualTo(bits);
    }

    @Test
    void anUnknownFormatIsRefusedWithThoseThatThereAre() {
        assertThat(WeightFormat.find("q99")).isEmpty();
        assertThatThrownBy(() -> WeightFormat.parse("q99"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("unknown weight format 'q99'; known: fp32, bf16, ")
                .hasMessageContaining("q4_k_m");
    }

    @Test
    void denseModelsHaveNothingForExpertFormats() {
        assertThat(size("llama-3.1-8b", StandardFormat.MXFP4)).isEqualTo(size("llama-3.1-8b", StandardFormat.BF16));
    }

    /// Reports whether the dimensions of a model are known.
    private static boolean isCounted(String model) {
        return StoredWeights.of(architecture(model), StandardFormat.BF16).isKnown();
    }

    private static Bytes size(String model, WeightFormat format) {
        return StoredWeights.of(architecture(model), format)
                .map(StoredWeights::total)
                .find()
                .orElseThrow();
    }

    private static ModelArchitecture architecture(String model) {
        return MODELS.find(model).orElseThrow().architecture();
    }
}
