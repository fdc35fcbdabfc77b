// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.unit.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceleratorRequirementTest {
    private static final AcceleratorProfile CPU = AcceleratorProfile.cpu(Bytes.ofGib(16));
    private static final AcceleratorProfile CUDA = AcceleratorProfile.cuda(0, Bytes.ofGib(24));
    private static final AcceleratorProfile TPU = AcceleratorProfile.tpu(0, 4, TpuVersion.V5P);
    private static final AcceleratorProfile GAUDI = AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI3);
    private static final AcceleratorProfile TRAINIUM = AcceleratorProfile.neuron(0, NeuronChip.TRAINIUM, 2);
    private static final AcceleratorProfile NPU = AcceleratorProfile.builder(
                    AcceleratorType.of(AcceleratorKind.INTEL_NPU, 0))
            .build();
    private static final List<AcceleratorProfile> EVERYTHING = List.of(CPU, CUDA, TPU, GAUDI, TRAINIUM, NPU);

    private static List<AcceleratorProfile> satisfying(AcceleratorRequirement requirement) {
        return EVERYTHING.stream().filter(requirement::isSatisfiedBy).toList();
    }

    @Test
    void noneAcceptsEveryDevice() {
        assertThat(satisfying(AcceleratorRequirement.NONE)).isEqualTo(EVERYTHING);
        assertThat(TypeSamples.all()).allMatch(AcceleratorRequirement.NONE::accepts);
    }

    @Test
    void gpuAcceptsGraphicsProcessorsAlone() {
        assertThat(satisfying(AcceleratorRequirement.GPU)).containsExactly(CUDA);
        assertThat(TypeSamples.ofReference())
                .filteredOn(AcceleratorRequirement.GPU::accepts)
                .extracting(AcceleratorType::kind)
                .containsExactly(
                        AcceleratorKind.CUDA_GPU,
                        AcceleratorKind.ROCM_GPU,
                        AcceleratorKind.METAL_GPU,
                        AcceleratorKind.VULKAN_GPU,
                        AcceleratorKind.INTEL_ONE_API);
        assertThat(AcceleratorRequirement.GPU.accepts(AcceleratorType.of(AcceleratorKind.WINDOWS_GPU, 0)))
                .isTrue();
    }

    @Test
    void tpuAsksForChipsInOneDevice() {
        assertThat(satisfying(AcceleratorRequirement.tpu(0))).containsExactly(TPU);
        assertThat(satisfying(AcceleratorRequirement.tpu(2))).containsExactly(TPU);
        assertThat(satisfying(AcceleratorRequirement.tpu(4))).containsExactly(TPU);
        assertThat(satisfying(AcceleratorRequirement.tpu(5))).isEmpty();
        assertThat(satisfying(AcceleratorRequirement.tpu(8))).isEmpty();
        assertThat(AcceleratorRequirement.tpu(1).isSatisfiedBy(CUDA)).isFalse();
    }

    @Test
    void gaudiAcceptsGaudiAlone() {
        assertThat(satisfying(AcceleratorRequirement.GAUDI)).containsExactly(GAUDI);
    }

    @Test
    void awsNeuronAcceptsBothChips() {
        assertThat(satisfying(AcceleratorRequirement.AWS_NEURON)).containsExactly(TRAINIUM);
        assertThat(AcceleratorRequirement.AWS_NEURON.accepts(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA, 1)))
                .isTrue();
    }

    @Test
    void gpuOrTpuAcceptsThoseTwo() {
        assertThat(satisfying(AcceleratorRequirement.GPU_OR_TPU)).containsExactly(CUDA, TPU);
    }

    @Test
    void anyAcceleratorAcceptsEverythingButTheCpu() {
        assertThat(satisfying(AcceleratorRequirement.ANY_ACCELERATOR)).containsExactly(CUDA, TPU, GAUDI, TRAINIUM, NPU);
        assertThat(TypeSamples.all())
                .filteredOn(type -> !AcceleratorRequirement.ANY_ACCELERATOR.accepts(type))
                .containsExactly(AcceleratorType.cpu());
    }

    @Test
    void anUnavailableDeviceSatisfiesNothing() {
        AcceleratorProfile gone = CUDA.toBuilder().available(false).build();
        for (AcceleratorRequirement requirement : AcceleratorRequirement.named()) {
            assertThat(requirement.isSatisfiedBy(gone))
                    .as(requirement.display())
                    .isFalse();
        }
        assertThat(AcceleratorRequirement.tpu(0)
                        .isSatisfiedBy(TPU.toBuilder().available(false).build()))
                .isFalse();
    }

    @Test
    void requirementsReadAsInTheReference() {
        assertThat(AcceleratorRequirement.named())
                .extracting(AcceleratorRequirement::display)
                .containsExactly("none", "gpu", "gaudi", "aws-neuron", "gpu-or-tpu", "any-accelerator");
        assertThat(AcceleratorRequirement.named())
                .extracting(AcceleratorRequirement::referenceName)
                .containsExactly("None", "Gpu", "Gaudi", "AwsNeuron", "GpuOrTpu", "AnyAccelerator");
        assertThat(AcceleratorRequirement.tpu(4).display()).isEqualTo("tpu(4+ chips)");
    }

    @Test
    void chipCountsAreUnsigned32BitNumbers() {
        assertThat(AcceleratorRequirement.tpu(AcceleratorType.MAX_COUNT).minChips())
                .isEqualTo(4_294_967_295L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AcceleratorRequirement.tpu(-1))
                .withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AcceleratorRequirement.tpu(AcceleratorType.MAX_COUNT + 1));
    }
}
