// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static dev.muster.core.QuantizationLevel.BFLOAT16;
import static dev.muster.core.QuantizationLevel.FLOAT16;
import static dev.muster.core.QuantizationLevel.INT4;
import static dev.muster.core.QuantizationLevel.INT8;
import static dev.muster.core.QuantizationLevel.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantizationLevelTest {
    /// The reference's levels for each kind of device, and the best of them.
    static final List<Support> SUPPORT = List.of(
            new Support(AcceleratorType.cpu(), FLOAT16, NONE, FLOAT16, BFLOAT16, INT8, INT4),
            general(AcceleratorKind.CUDA_GPU),
            general(AcceleratorKind.ROCM_GPU),
            general(AcceleratorKind.METAL_GPU),
            general(AcceleratorKind.VULKAN_GPU),
            general(AcceleratorKind.INTEL_ONE_API),
            general(AcceleratorKind.WINDOWS_GPU),
            general(AcceleratorKind.AGNOS_GPU),
            integers(AcceleratorKind.INTEL_NPU),
            integers(AcceleratorKind.AMD_XDNA_NPU),
            integers(AcceleratorKind.APPLE_NPU),
            integers(AcceleratorKind.SAMSUNG_NPU),
            integers(AcceleratorKind.MEDIATEK_APU),
            new Support(new AcceleratorType.Tpu(0, 4, TpuVersion.V5P), BFLOAT16, NONE, BFLOAT16, INT8),
            trains(new AcceleratorType.Gaudi(0, GaudiGeneration.GAUDI2)),
            trains(new AcceleratorType.Gaudi(0, GaudiGeneration.GAUDI3)),
            trains(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA, 2)),
            trains(new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM, 2)),
            trains(AcceleratorType.of(AcceleratorKind.CEREBRAS_WSE, 0)),
            new Support(of(AcceleratorKind.QUALCOMM_AI100), INT8, FLOAT16, INT8, INT4),
            new Support(of(AcceleratorKind.GROQ_LPU), INT8, FLOAT16, INT8, INT4),
            new Support(of(AcceleratorKind.GRAPHCORE_IPU), FLOAT16, NONE, FLOAT16, INT8));

    record Support(AcceleratorType type, QuantizationLevel preferred, List<QuantizationLevel> supported) {
        Support(AcceleratorType type, QuantizationLevel preferred, QuantizationLevel... supported) {
            this(type, preferred, List.of(supported));
        }
    }

    private static Support general(AcceleratorKind kind) {
        return new Support(of(kind), FLOAT16, NONE, FLOAT16, BFLOAT16, INT8, INT4);
    }

    private static Support integers(AcceleratorKind kind) {
        return new Support(of(kind), INT8, INT8, INT4);
    }

    private static Support trains(AcceleratorType type) {
        return new Support(type, BFLOAT16, NONE, FLOAT16, BFLOAT16, INT8);
    }

    private static AcceleratorType of(AcceleratorKind kind) {
        return AcceleratorType.of(kind, 0);
    }

    @ParameterizedTest
    @FieldSource("SUPPORT")
    void devicesRunTheLevelsOfTheReference(Support row) {
        assertThat(row.type().supportedQuantizations()).containsExactlyInAnyOrderElementsOf(row.supported());
        assertThat(row.type().preferredQuantization()).isEqualTo(row.preferred());
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, None, FP32, 32, 1",
        "FLOAT16, Float16, FP16, 16, 2",
        "BFLOAT16, BFloat16, BF16, 16, 2",
        "INT8, Int8, INT8, 8, 4",
        "INT4, Int4, INT4, 4, 8"
    })
    void levelsHaveTheNamesAndFactorsOfTheReference(
            QuantizationLevel level, String name, String display, int bits, double factor) {
        assertThat(level.referenceName()).isEqualTo(name);
        assertThat(level.display()).isEqualTo(display);
        assertThat(level.bitsPerParameter()).isEqualTo(bits);
        assertThat(level.memoryReductionFactor()).isEqualTo(factor);
    }

    @Test
    void aBitWidthNamesALevel() {
        assertThat(QuantizationLevel.ofBits(32)).isEqualTo(NONE);
        assertThat(QuantizationLevel.ofBits(16)).as("never bfloat16").isEqualTo(FLOAT16);
        assertThat(QuantizationLevel.ofBits(8)).isEqualTo(INT8);
        assertThat(QuantizationLevel.ofBits(4)).isEqualTo(INT4);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, 64, -16, 4_294_967_304L})
    void anyOtherBitWidthIsRefusedByName(long bits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuantizationLevel.ofBits(bits))
                .withMessageContaining(" " + bits + " ");
    }
}
