// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.AcceleratorType.Gaudi;
import dev.muster.core.AcceleratorType.Neuron;
import dev.muster.core.AcceleratorType.Tpu;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceleratorTypeTest {
    /// The rows of the reference: type, text, family, speed of inference, speed of training, rank.
    static final List<Row> REFERENCE = List.of(
            new Row(AcceleratorType.cpu(), "CPU", AcceleratorFamily.CPU, 1, 1, 10),
            plain(AcceleratorKind.CUDA_GPU, 7, "CUDA GPU (device 7)", AcceleratorFamily.GPU, 20, 20, 60),
            plain(AcceleratorKind.ROCM_GPU, 7, "ROCm GPU (device 7)", AcceleratorFamily.GPU, 15, 15, 50),
            plain(AcceleratorKind.METAL_GPU, 0, "Metal GPU", AcceleratorFamily.GPU, 12, 10, 40),
            plain(AcceleratorKind.VULKAN_GPU, 7, "Vulkan GPU (device 7)", AcceleratorFamily.GPU, 10, 6, 35),
            plain(AcceleratorKind.INTEL_NPU, 0, "Intel NPU", AcceleratorFamily.NPU, 8, 0, 20),
            plain(AcceleratorKind.AMD_XDNA_NPU, 7, "AMD XDNA NPU (device 7)", AcceleratorFamily.NPU, 7, 0, 25),
            plain(AcceleratorKind.APPLE_NPU, 0, "Apple Neural Engine", AcceleratorFamily.NPU, 10, 0, 30),
            tpu(TpuVersion.V4, "TPU v4 (device 7, 4 chips)", 25, 28, 70),
            tpu(TpuVersion.V5E, "TPU v5e (device 7, 4 chips)", 18, 20, 55),
            tpu(TpuVersion.V5P, "TPU v5p (device 7, 4 chips)", 35, 40, 80),
            gaudi(GaudiGeneration.GAUDI2, "Intel Gaudi2 (device 7)", 22, 25, 65),
            gaudi(GaudiGeneration.GAUDI3, "Intel Gaudi3 (device 7)", 30, 35, 75),
            neuron(NeuronChip.INFERENTIA, "AWS Inferentia (device 7, 2 cores)", 15, 0, 45),
            neuron(NeuronChip.TRAINIUM, "AWS Trainium (device 7, 2 cores)", 24, 26, 58),
            asic(AcceleratorKind.QUALCOMM_AI100, "Qualcomm Cloud AI 100 (device 7)", 14, 0, 38),
            plain(AcceleratorKind.INTEL_ONE_API, 7, "Intel oneAPI GPU (device 7)", AcceleratorFamily.GPU, 13, 10, 42),
            asic(AcceleratorKind.CEREBRAS_WSE, "Cerebras WSE (device 7)", 50, 60, 85),
            asic(AcceleratorKind.GRAPHCORE_IPU, "Graphcore IPU (device 7)", 16, 18, 48),
            asic(AcceleratorKind.GROQ_LPU, "Groq LPU (device 7)", 30, 0, 55),
            plain(AcceleratorKind.SAMSUNG_NPU, 7, "Samsung NPU (device 7)", AcceleratorFamily.NPU, 6, 0, 18),
            plain(AcceleratorKind.MEDIATEK_APU, 7, "MediaTek APU (device 7)", AcceleratorFamily.NPU, 5, 0, 15),
            // These two are known to flat documents alone, which print no numbers.
            plain(AcceleratorKind.WINDOWS_GPU, 7, "Windows GPU", AcceleratorFamily.GPU, 10, 6, 34),
            plain(AcceleratorKind.AGNOS_GPU, 7, "AGNOS GPU", AcceleratorFamily.GPU, 8, 5, 33));

    record Row(
            AcceleratorType type,
            String display,
            AcceleratorFamily family,
            double inference,
            double training,
            int rank) {}

    private static Row plain(
            AcceleratorKind kind,
            long id,
            String display,
            AcceleratorFamily family,
            double inference,
            double training,
            int rank) {
        return new Row(AcceleratorType.of(kind, id), display, family, inference, training, rank);
    }

    private static Row asic(AcceleratorKind kind, String display, double inference, double training, int rank) {
        return plain(kind, 7, display, AcceleratorFamily.AI_ASIC, inference, training, rank);
    }

    private static Row tpu(TpuVersion version, String display, double inference, double training, int rank) {
        return new Row(new Tpu(7, 4, version), display, AcceleratorFamily.TPU, inference, training, rank);
    }

    private static Row gaudi(GaudiGeneration version, String display, double inference, double training, int rank) {
        return new Row(new Gaudi(7, version), display, AcceleratorFamily.AI_ASIC, inference, training, rank);
    }

    private static Row neuron(NeuronChip chip, String display, double inference, double training, int rank) {
        return new Row(new Neuron(7, chip, 2), display, AcceleratorFamily.AI_ASIC, inference, training, rank);
    }

    @ParameterizedTest
    @FieldSource("REFERENCE")
    void agreesWithEveryRowOfTheReference(Row row) {
        assertThat(row.type().display()).isEqualTo(row.display());
        assertThat(row.type().family()).isEqualTo(row.family());
        assertThat(row.type().throughputMultiplier()).isEqualTo(row.inference());
        assertThat(row.type().trainingMultiplier()).isEqualTo(row.training());
        assertThat(row.type().rank()).isEqualTo(row.rank());
        assertThat(row.type().supportsTraining()).isEqualTo(row.training() > 0);
    }

    @Test
    void theTableOfTheReferenceIsComplete() {
        assertThat(REFERENCE.stream().map(row -> row.type().kind()).distinct()).hasSize(20);
        assertThat(TypeSamples.ofReference()).hasSize(22);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 15, 0, 24, 26",
        "1, 15, 0, 24, 26",
        "2, 15, 0, 24, 26",
        "3, 22.5, 0, 36, 39",
        "4, 30, 0, 48, 52",
        "32, 240, 0, 384, 416"
    })
    void moreThanTwoNeuronCoresScaleTheSpeed(
            long cores, double inferentia, double inferentiaTraining, double trainium, double trainiumTraining) {
        AcceleratorType inference = new Neuron(0, NeuronChip.INFERENTIA, cores);
        AcceleratorType training = new Neuron(0, NeuronChip.TRAINIUM, cores);
        assertThat(inference.throughputMultiplier()).isEqualTo(inferentia);
        assertThat(inference.trainingMultiplier()).isEqualTo(inferentiaTraining);
        assertThat(training.throughputMultiplier()).isEqualTo(trainium);
        assertThat(training.trainingMultiplier()).isEqualTo(trainiumTraining);
    }

    @Test
    void speedRisesFromCpuToTpu() {
        assertThat(List.of(
                                AcceleratorType.cpu(),
                                AcceleratorType.of(AcceleratorKind.INTEL_NPU, 0),
                                AcceleratorType.of(AcceleratorKind.VULKAN_GPU, 0),
                                AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0),
                                new Tpu(0, 1, TpuVersion.V5P))
                        .stream()
                        .map(AcceleratorType::throughputMultiplier))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void rankPutsTheCpuLastAndTheWaferFirst() {
        AcceleratorType cuda = AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0);
        AcceleratorType v5p = new Tpu(0, 1, TpuVersion.V5P);
        AcceleratorType cerebras = AcceleratorType.of(AcceleratorKind.CEREBRAS_WSE, 0);
        assertThat(v5p.rank()).isGreaterThan(cuda.rank());
        assertThat(cerebras.rank()).isGreaterThan(v5p.rank());
        assertThat(TypeSamples.all())
                .filteredOn(type -> type.kind() != AcceleratorKind.CPU)
                .allSatisfy(type -> assertThat(type.rank())
                        .isGreaterThan(AcceleratorType.cpu().rank()));
    }

    @Test
    void everyTypeHasASpeedAndARank() {
        assertThat(TypeSamples.all()).allSatisfy(type -> {
            assertThat(type.throughputMultiplier()).isPositive();
            assertThat(type.trainingMultiplier()).isNotNegative();
            assertThat(type.rank()).isPositive();
            assertThat(type.display()).isNotBlank();
            assertThat(type.supportedQuantizations()).contains(type.preferredQuantization());
        });
    }

    @Test
    void everyTypeIsWhatItSays() {
        assertThat(TypeSamples.all()).doesNotHaveDuplicates();
        assertThat(TypeSamples.all().stream().map(AcceleratorType::display)).doesNotHaveDuplicates();
        assertThat(new Tpu(0, 4, TpuVersion.V4))
                .isEqualTo(new Tpu(0, 4, TpuVersion.V4))
                .isNotEqualTo(new Tpu(0, 8, TpuVersion.V4))
                .isNotEqualTo(new Tpu(1, 4, TpuVersion.V4));
    }

    @Test
    void kindsWithGenerationsCannotBeMadeWithoutOne() {
        for (AcceleratorKind kind : List.of(AcceleratorKind.TPU, AcceleratorKind.GAUDI, AcceleratorKind.AWS_NEURON)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AcceleratorType.of(kind, 0))
                    .withMessageContaining(kind.display());
        }
    }

    @Test
    void countsAreUnsigned32BitNumbers() {
        long most = 4_294_967_295L;
        assertThat(AcceleratorType.of(AcceleratorKind.CUDA_GPU, most).display())
                .isEqualTo("CUDA GPU (device 4294967295)");
        assertThat(new Tpu(most, most, TpuVersion.V4).chipCount()).isEqualTo(most);
        for (long wrong : new long[] {-1, most + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> AcceleratorType.of(AcceleratorKind.CUDA_GPU, wrong))
                    .withMessageContaining(String.valueOf(wrong));
            assertThatIllegalArgumentException().isThrownBy(() -> new Tpu(wrong, 0, TpuVersion.V4));
            assertThatIllegalArgumentException().isThrownBy(() -> new Tpu(0, wrong, TpuVersion.V4));
            assertThatIllegalArgumentException().isThrownBy(() -> new Gaudi(wrong, GaudiGeneration.GAUDI3));
            assertThatIllegalArgumentException().isThrownBy(() -> new Neuron(wrong, NeuronChip.TRAINIUM, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> new Neuron(0, NeuronChip.TRAINIUM, wrong));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Acme", "9acme", "a b", "acme:", "cuda", "other", "a-name-of-more-than-32-characters"})
    void aVendorsNameIsNoKindsAndFitsIntoAnId(String vendor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AcceleratorType.Other(vendor, AcceleratorFamily.GPU, 0));
    }

    @Test
    void anotherVendorsDeviceHasItsNameInItsId() {
        AcceleratorType type = new AcceleratorType.Other("acme", AcceleratorFamily.GPU, 3);

        assertThat(AcceleratorProfile.builder(type).build().id().text()).isEqualTo("acme:3");
        assertThat(type.display()).isEqualTo("acme GPU (device 3)");
        assertThat(AcceleratorRequirement.GPU.accepts(type)).isTrue();
    }
}
