// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import org.junit.jupiter.api.Test;

class AcceleratorProfileTest {
    private static final AcceleratorType CUDA = AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0);

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    @Test
    void aGpuIsItsNumberAndItsMemory() {
        AcceleratorProfile profile = AcceleratorProfile.cuda(0, Bytes.ofGib(24));
        assertThat(profile.accelerator()).isEqualTo(CUDA);
        assertThat(profile.memory().find()).contains(Bytes.ofGib(24));
        assertThat(profile.available()).isTrue();
        assertThat(profile.partition()).isEmpty();
        assertThat(DeviceFact.all())
                .filteredOn(fact -> fact != DeviceFact.MEMORY)
                .allSatisfy(fact -> assertThat(profile.reading(fact)).isEqualTo(Reading.notProbed()));

        assertThat(AcceleratorProfile.rocm(1, Bytes.ofGib(16)).accelerator())
                .isEqualTo(AcceleratorType.of(AcceleratorKind.ROCM_GPU, 1));
        assertThat(AcceleratorProfile.cpu(Bytes.ofGib(32)).memory().find()).contains(Bytes.ofGib(32));
    }

    @Test
    void memoryFollowsFromTheGeneration() {
        AcceleratorProfile tpu = AcceleratorProfile.tpu(0, 4, TpuVersion.V5P);
        assertThat(tpu.memory().find()).contains(Bytes.ofGib(380));
        assertThat(tpu.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("TPU v5p");

        AcceleratorProfile gaudi = AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI3);
        assertThat(gaudi.memory().find()).contains(Bytes.ofGib(128));
        assertThat(gaudi.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("Gaudi3");

        AcceleratorProfile neuron = AcceleratorProfile.neuron(0, NeuronChip.TRAINIUM, 2);
        assertThat(neuron.memory().find()).contains(Bytes.ofGib(64));
        assertThat(neuron.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("Neuron Trainium");
    }

    @Test
    void saysThatSuchMemoryIsNotMeasured() {
        assertThat(AcceleratorProfile.tpu(0, 4, TpuVersion.V5P).memory())
                .isInstanceOfSatisfying(Reading.Known.class, known -> {
                    assertThat(known.provenance().method()).isEqualTo(Provenance.Method.CATALOGUE);
                    assertThat(known.provenance().confidence()).isNotEqualTo(Provenance.Confidence.MEASURED);
                });
    }

    @Test
    void theLargestPodHasTheLargestMemory() {
        AcceleratorProfile pod = AcceleratorProfile.tpu(0, 4_294_967_295L, TpuVersion.V5P);
        assertThat(pod.memory().find()).contains(Bytes.MAX);
        assertThat(AcceleratorProfile.tpu(0, 0, TpuVersion.V5P).memory().find()).contains(Bytes.ZERO);
    }

    @Test
    void aBuilderStartsWithNothingKnown() {
        AcceleratorProfile profile = AcceleratorProfile.builder(CUDA).build();
        assertThat(profile.available()).isTrue();
        assertThat(DeviceFact.all())
                .allSatisfy(fact -> assertThat(profile.reading(fact)).isEqualTo(Reading.notProbed()));
    }

    @Test
    void aChangeAfterBuildingDoesNotReachTheProfile() {
        AcceleratorProfile.ProfileBuilder builder =
                AcceleratorProfile.builder(CUDA).with(DeviceFact.MEMORY, known(Bytes.ofGib(1)));
        AcceleratorProfile first = builder.build();
        AcceleratorProfile second = builder.with(DeviceFact.MEMORY, known(Bytes.ofGib(2)))
                .with(DeviceFact.NUMA_NODE, known(1L))
                .available(false)
                .accelerator(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 9))
                .partition(new Partition(new DeviceId("cuda:0"), "MIG-1", ""))
                .build();
        AcceleratorProfile third =
                builder.with(DeviceFact.MEMORY, known(Bytes.ofGib(3))).build();

        assertThat(first.memory().find()).contains(Bytes.ofGib(1));
        assertThat(first.reading(DeviceFact.NUMA_NODE).isKnown()).isFalse();
        assertThat(first.available()).isTrue();
        assertThat(first.accelerator()).isEqualTo(CUDA);
        assertThat(first.partition()).isEmpty();
        assertThat(second.memory().find()).contains(Bytes.ofGib(2));
        assertThat(third.memory().find()).contains(Bytes.ofGib(3));
        assertThat(third.reading(DeviceFact.NUMA_NODE).find()).contains(1L);
    }

    @Test
    void aCopiedBuilderDoesNotReachItsOrigin() {
        AcceleratorProfile origin = AcceleratorProfile.cuda(0, Bytes.ofGib(1));
        AcceleratorProfile.ProfileBuilder copy = origin.toBuilder();
        copy.with(DeviceFact.MEMORY, known(Bytes.ofGib(2)));
        assertThat(origin.memory().find()).contains(Bytes.ofGib(1));
        assertThat(copy.build().memory().find()).contains(Bytes.ofGib(2));
        assertThat(AcceleratorProfile.builder(CUDA).build().memory().isKnown())
                .as("nor the profiles still to come")
                .isFalse();
    }

    @Test
    void twoBuildersOfOneProfileDoNotReachEachOther() {
        AcceleratorProfile origin = AcceleratorProfile.cuda(0, Bytes.ofGib(1));
        AcceleratorProfile.ProfileBuilder left = origin.toBuilder().with(DeviceFact.NUMA_NODE, known(1L));
        AcceleratorProfile.ProfileBuilder right = origin.toBuilder().with(DeviceFact.NUMA_NODE, known(2L));
        assertThat(left.build().reading(DeviceFact.NUMA_NODE).find()).contains(1L);
        assertThat(right.build().reading(DeviceFact.NUMA_NODE).find()).contains(2L);
    }

    @Test
    void aCopyIsEqualUntilItIsChanged() {
        Trials.run(300, random -> {
            for (AcceleratorProfile profile : RandomRegistry.own(random).profiles()) {
                AcceleratorProfile copy = profile.toBuilder().build();
                assertThat(copy).isEqualTo(profile).hasSameHashCodeAs(profile);
                assertThat(copy.id()).isEqualTo(profile.id());
                assertThat(profile.toBuilder().available(!profile.available()).build())
                        .isNotEqualTo(profile);
            }
        });
    }

    @Test
    void equalityLooksAtEverything() {
        AcceleratorProfile profile = AcceleratorProfile.cuda(0, Bytes.ofGib(24));
        assertThat(profile).isEqualTo(AcceleratorProfile.cuda(0, Bytes.ofGib(24)));
        assertThat(profile)
                .isNotEqualTo(AcceleratorProfile.cuda(1, Bytes.ofGib(24)))
                .isNotEqualTo(AcceleratorProfile.cuda(0, Bytes.ofGib(25)))
                .isNotEqualTo(AcceleratorProfile.rocm(0, Bytes.ofGib(24)))
                .isNotEqualTo(profile.toBuilder().available(false).build())
                .isNotEqualTo(profile.toBuilder()
                        .with(DeviceFact.NUMA_NODE, known(0L))
                        .build())
                .isNotEqualTo(profile.toBuilder()
                        .partition(new Partition(profile.id(), "MIG-1", "1g.10gb"))
                        .build())
                .isNotEqualTo("CUDA GPU (device 0) (24.0 GB)");
    }

    @Test
    void keepsUnknownMemoryUnknown() {
        AcceleratorProfile profile = AcceleratorProfile.builder(CUDA)
                .with(DeviceFact.MEMORY, Reading.unknown(UnknownReason.NOT_PERMITTED))
                .build();
        assertThat(profile.memory()).isEqualTo(Reading.unknown(UnknownReason.NOT_PERMITTED));
        assertThat(profile.display()).isEqualTo("CUDA GPU (device 0) (? GB)");
    }

    @Test
    void readsLikeTheReference() {
        AcceleratorProfile plain = AcceleratorProfile.cuda(0, Bytes.ofGib(80));
        AcceleratorProfile named = plain.toBuilder()
                .with(DeviceFact.DEVICE_NAME, known("NVIDIA H100 80GB HBM3"))
                .build();
        assertThat(plain.display()).isEqualTo("CUDA GPU (device 0) (80.0 GB)").isEqualTo(plain.toString());
        assertThat(named.display()).isEqualTo("CUDA GPU (device 0) [NVIDIA H100 80GB HBM3] (80.0 GB)");
        assertThat(named.toBuilder().available(false).build().display())
                .isEqualTo("CUDA GPU (device 0) [NVIDIA H100 80GB HBM3] (80.0 GB, unavailable)");
        assertThat(AcceleratorProfile.cpu(Bytes.ZERO).display()).isEqualTo("CPU (0.0 GB)");
        assertThat(AcceleratorProfile.cpu(Bytes.MAX).display()).isEqualTo("CPU (17179869184.0 GB)");
    }

    @Test
    void accessorsReadTheirFacts() {
        AcceleratorProfile profile = AcceleratorProfile.builder(CUDA)
                .with(DeviceFact.MEMORY_FREE, known(Bytes.of(1)))
                .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(2)))
                .with(DeviceFact.DEVICE_NAME, known("name"))
                .build();
        assertThat(profile.memoryFree().find()).contains(Bytes.of(1));
        assertThat(profile.memoryBandwidth().find()).contains(new Bandwidth(2));
        assertThat(profile.deviceName().find()).contains("name");
    }

    @Test
    void aDeviceIsNamedByBackendAndNumber() {
        assertThat(AcceleratorProfile.cuda(3, Bytes.ZERO).id()).isEqualTo(new DeviceId("cuda:3"));
        assertThat(AcceleratorProfile.cpu(Bytes.ZERO).id()).isEqualTo(new DeviceId("cpu:0"));
        assertThat(AcceleratorProfile.tpu(1, 4, TpuVersion.V4).id()).hasToString("tpu:1");
    }

    @Test
    void aPartitionIsNamedBehindItsParent() {
        AcceleratorProfile slice = AcceleratorProfile.builder(CUDA)
                .partition(new Partition(new DeviceId("cuda:0"), "MIG-4a3e", "1g.10gb"))
                .build();
        assertThat(slice.id()).hasToString("cuda:0/MIG-4a3e");
    }

    @Test
    void namesAreNotBlank() {
        assertThatIllegalArgumentException().isThrownBy(() -> new DeviceId(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> new Partition(new DeviceId("cuda:0"), "", "1g"));
    }
}
