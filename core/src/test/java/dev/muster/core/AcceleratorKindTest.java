// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AcceleratorKindTest {
    @Test
    void everyKindHasAShortNameOfItsOwn() {
        assertThat(AcceleratorKind.values())
                .extracting(AcceleratorKind::text)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9]+(-[a-z0-9]+)*"));
        assertThat(AcceleratorKind.values())
                .extracting(AcceleratorKind::display)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void everyKindIsFoundByItsShortName(AcceleratorKind kind) {
        assertThat(AcceleratorKind.find(kind.text())).contains(kind);
    }

    @ParameterizedTest
    @EnumSource
    void everyKindCanBeConstructed(AcceleratorKind kind) {
        assertThat(TypeSamples.all()).anyMatch(type -> type.kind() == kind && type.family() == kind.family());
    }

    @Test
    void unknownShortNamesFindNothing() {
        assertThat(AcceleratorKind.find("")).isEmpty();
        assertThat(AcceleratorKind.find("CUDA")).isEmpty();
        assertThat(AcceleratorKind.find("warp-drive")).isEmpty();
    }

    @Test
    void flatNumbersRunFromZeroToNineteen() {
        assertThat(IntStream.range(0, 20).mapToObj(AcceleratorKind::findByFlatId))
                .containsExactlyElementsOf(Arrays.stream(AcceleratorKind.values())
                        .limit(20)
                        .map(Optional::of)
                        .toList());
        assertThat(AcceleratorKind.findByFlatId(20)).isEmpty();
        assertThat(AcceleratorKind.findByFlatId(-1)).isEmpty();
        assertThat(AcceleratorKind.findByFlatId(1L << 32)).isEmpty();
    }

    @Test
    void flatDocumentsKnowTheseNames() {
        assertThat(Arrays.stream(AcceleratorKind.values()).limit(20).map(AcceleratorKind::display))
                .containsExactly(
                        "CPU",
                        "CUDA GPU",
                        "ROCm GPU",
                        "Metal GPU",
                        "Vulkan GPU",
                        "Intel NPU",
                        "AMD XDNA NPU",
                        "Apple Neural Engine",
                        "TPU",
                        "Intel Gaudi",
                        "AWS Neuron",
                        "Qualcomm Cloud AI 100",
                        "Intel oneAPI GPU",
                        "Cerebras WSE",
                        "Graphcore IPU",
                        "Groq LPU",
                        "Samsung NPU",
                        "MediaTek APU",
                        "Windows GPU",
                        "AGNOS GPU");
    }

    @Test
    void taggedDocumentsKnowEighteenKinds() {
        List<String> tags = Arrays.stream(AcceleratorKind.values())
                .flatMap(kind -> kind.findReferenceTag().stream())
                .toList();
        assertThat(tags)
                .containsExactly(
                        "Cpu",
                        "CudaGpu",
                        "RocmGpu",
                        "MetalGpu",
                        "VulkanGpu",
                        "IntelNpu",
                        "AmdXdnaNpu",
                        "AppleNpu",
                        "Tpu",
                        "Gaudi",
                        "AwsNeuron",
                        "QualcommAi100",
                        "IntelOneApi",
                        "CerebrasWse",
                        "GraphcoreIpu",
                        "GroqLpu",
                        "SamsungNpu",
                        "MediaTekApu");
    }

    @Test
    void everyKindBelongsToOneFamily() {
        assertThat(Arrays.stream(AcceleratorKind.values())
                        .limit(20)
                        .collect(Collectors.groupingBy(AcceleratorKind::family, Collectors.counting())))
                .containsEntry(AcceleratorFamily.CPU, 1L)
                .containsEntry(AcceleratorFamily.GPU, 7L)
                .containsEntry(AcceleratorFamily.NPU, 5L)
                .containsEntry(AcceleratorFamily.TPU, 1L)
                .containsEntry(AcceleratorFamily.AI_ASIC, 6L);
    }

    @Test
    void familiesHaveTheNamesOfTheReference() {
        assertThat(AcceleratorFamily.values())
                .extracting(AcceleratorFamily::referenceName)
                .containsExactly("Cpu", "Gpu", "Npu", "Tpu", "AiAsic");
        assertThat(AcceleratorFamily.values())
                .extracting(AcceleratorFamily::display)
                .containsExactly("CPU", "GPU", "NPU", "TPU", "AI ASIC");
        assertThat(AcceleratorFamily.values())
                .extracting(AcceleratorFamily::text)
                .containsExactly("cpu", "gpu", "npu", "tpu", "ai-asic");
    }
}
