// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.AcceleratorRequirement.Simple;
import dev.muster.core.AcceleratorRequirement.Tpu;
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
        assertThat(satisfying(Simple.NONE)).isEqualTo(EVERYTHING);
        assertThat(TypeSamples.all()).allMatch(Simple.NONE::accepts);
    }

    @Test
    void gpuAcceptsGraphicsProcessorsAlone() {
        assertThat(satisfying(Simple.GPU)).containsExactly(CUDA);
        assertThat(TypeSamples.ofReference())
                .filteredOn(Simple.GPU::accepts)
                .extracting(AcceleratorType::kind)
                .containsExactly(
                        AcceleratorKind.CUDA_GPU,
                        AcceleratorKind.ROCM_GPU,
                        AcceleratorKind.METAL_GPU,
                        AcceleratorKind.VULKAN_GPU,
                        AcceleratorKind.INTEL_ONE_API);
        assertThat(Simple.GPU.accepts(AcceleratorType.of(AcceleratorKind.WINDOWS_GPU, 0)))
                .isTrue();
    }

    @Test
    void tpuAsksForChipsInOneDevice() {
        assertThat(satisfying(new Tpu(0))).containsExactly(TPU);
        assertThat(satisfying(new Tpu(2))).containsExactly(TPU);
        assertThat(satisfying(new Tpu(4))).containsExactly(TPU);
        assertThat(satisfying(new Tpu(5))).isEmpty();
        assertThat(satisfying(new Tpu(8))).isEmpty();
        assertThat(new Tpu(1).isSatisfiedBy(CUDA)).isFalse();
    }

    @Test
    void gaudiAcceptsGaudiAlone() {
        assertThat(satisfying(Simple.GAUDI)).containsExactly(GAUDI);
    }

    @Test
    void awsNeuronAcceptsBothChips() {
        assertThat(satisfying(Simple.AWS_NEURON)).containsExactly(TRAINIUM);
        assertThat(Simple.AWS_NEURON.accepts(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA, 1)))
                .isTrue();
    }

    @Test
    void gpuOrTpuAcceptsThoseTwo() {
        assertThat(satisfying(Simple.GPU_OR_TPU)).containsExactly(CUDA, TPU);
    }

    @Test
    void anyAcceleratorAcceptsEverythingButTheCpu() {
        assertThat(satisfying(Simple.ANY_ACCELERATOR)).containsExactly(CUDA, TPU, GAUDI, TRAINIUM, NPU);
        assertThat(TypeSamples.all())
                .filteredOn(type -> !Simple.ANY_ACCELERATOR.accepts(type))
                .containsExactly(AcceleratorType.cpu());
    }

    @Test
    void anUnavailableDeviceSatisfiesNothing() {
        AcceleratorProfile gone = CUDA.toBuilder().available(false).build();
        for (AcceleratorRequirement requirement : Simple.values()) {
            assertThat(requirement.isSatisfiedBy(gone))
                    .as(requirement.display())
                    .isFalse();
        }
        assertThat(new Tpu(0).isSatisfiedBy(TPU.toBuilder().available(false).build()))
                .isFalse();
    }

    @Test
    void requirementsReadAsInTheReference() {
        assertThat(Simple.values())
                .extracting(Simple::display)
                .containsExactly("none", "gpu", "gaudi", "aws-neuron", "gpu-or-tpu", "any-accelerator");
        assertThat(Simple.values())
                .extracting(Simple::referenceName)
                .containsExactly("None", "Gpu", "Gaudi", "AwsNeuron", "GpuOrTpu", "AnyAccelerator");
        assertThat(new Tpu(4).display()).isEqualTo("tpu(4+ chips)");
    }

    @Test
    void chipCountsAreUnsigned32BitNumbers() {
        assertThat(new Tpu(AcceleratorType.MAX_COUNT).minChips()).isEqualTo(4_294_967_295L);
        assertThatIllegalArgumentException().isThrownBy(() -> new Tpu(-1)).withMessageContaining("-1");
        assertThatIllegalArgumentException().isThrownBy(() -> new Tpu(AcceleratorType.MAX_COUNT + 1));
    }
}
