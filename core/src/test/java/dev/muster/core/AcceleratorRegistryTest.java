// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AcceleratorRegistryTest {
    private static final AcceleratorProfile CPU = cpu(16);
    private static final AcceleratorProfile CUDA = cuda(0, 24);

    private static AcceleratorProfile cpu(long gib) {
        return AcceleratorProfile.cpu(Bytes.ofGib(gib));
    }

    private static AcceleratorProfile cuda(long id, long gib) {
        return AcceleratorProfile.cuda(id, Bytes.ofGib(gib));
    }

    private static AcceleratorProfile unavailable(AcceleratorProfile profile) {
        return profile.toBuilder().available(false).build();
    }

    private static AcceleratorRegistry of(AcceleratorProfile... profiles) {
        return AcceleratorRegistry.of(List.of(profiles));
    }

    private static AcceleratorProfile npu() {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.INTEL_NPU, 0))
                .build();
    }

    @Test
    void holdsWhatItIsGivenAndNothingElse() {
        AcceleratorRegistry registry = of(CPU, CUDA);
        assertThat(registry.profiles()).containsExactly(CPU, CUDA);
        assertThat(registry.gaps()).isEmpty();
        assertThat(registry.systemIo()).isEqualTo(SystemIo.EMPTY);
        assertThat(registry.topology().isEmpty()).isTrue();
        assertThat(registry.observedAt().isKnown()).isFalse();
        assertThat(registry.referenceSchema()).isEqualTo(3);
    }

    @Test
    void keepsItsOwnCopyOfTheProfiles() {
        List<AcceleratorProfile> profiles = new ArrayList<>(List.of(CPU));
        AcceleratorRegistry registry = AcceleratorRegistry.of(profiles);
        profiles.add(CUDA);
        assertThat(registry.profiles()).containsExactly(CPU);
    }

    @Test
    void theBestOfACpuIsTheCpu() {
        assertThat(of(CPU).findBest()).contains(CPU);
        assertThat(of().findBest()).isEmpty();
    }

    @Test
    void theBestHasTheHighestRank() {
        AcceleratorProfile v5p = AcceleratorProfile.tpu(0, 4, TpuVersion.V5P);
        AcceleratorProfile v5e = AcceleratorProfile.tpu(0, 1, TpuVersion.V5E);
        assertThat(of(CPU, CUDA, v5p).findBest()).contains(v5p);
        assertThat(of(CPU, CUDA, v5e).findBest()).contains(CUDA);
        assertThat(of(CPU, unavailable(v5p), CUDA).findBest()).contains(CUDA);
    }

    @Test
    void ofEqualRanksTheLastIsTheBest() {
        AcceleratorProfile second = cuda(1, 8);
        assertThat(of(CPU, CUDA, second).findBest()).contains(second);
        assertThat(of(CPU, second, CUDA).findBest()).contains(CUDA);
    }

    @Test
    void sumsTheMemoryOfAvailableDevices() {
        AcceleratorProfile tpu = AcceleratorProfile.tpu(0, 1, TpuVersion.V4);
        AcceleratorRegistry registry = of(cpu(64), cuda(0, 8), tpu, unavailable(cuda(1, 80)));
        assertThat(registry.totalAcceleratorMemory()).isEqualTo(Bytes.ofGib(40));
        assertThat(registry.totalMemory()).isEqualTo(Bytes.ofGib(104));
        assertThat(of(cpu(64), cuda(0, 8)).totalMemory()).isEqualTo(Bytes.ofGib(72));
    }

    @Test
    void sumsOnlyKnownMemory() {
        assertThat(of(cpu(64), npu()).totalMemory()).isEqualTo(Bytes.ofGib(64));
        assertThat(of(npu()).totalAcceleratorMemory()).isEqualTo(Bytes.ZERO);
    }

    @Test
    void countsAPartitionWithItsParent() {
        AcceleratorProfile slice = cuda(0, 10).toBuilder()
                .partition(new Partition(CUDA.id(), "MIG-1", "1g.10gb"))
                .build();
        assertThat(of(CPU, CUDA, slice).totalAcceleratorMemory()).isEqualTo(Bytes.ofGib(24));
    }

    @Test
    void refusesASumPastTheRange() {
        AcceleratorProfile pod = AcceleratorProfile.tpu(0, AcceleratorType.MAX_COUNT, TpuVersion.V5P);
        assertThat(of(pod).totalMemory()).isEqualTo(Bytes.MAX);
        assertThatThrownBy(() -> of(CPU, pod).totalMemory()).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void hasAnAcceleratorWhenOneIsAvailable() {
        assertThat(of(CPU).hasAccelerator()).isFalse();
        assertThat(of(CPU, CUDA).hasAccelerator()).isTrue();
        assertThat(of(CPU, unavailable(CUDA)).hasAccelerator()).isFalse();
    }

    @Test
    void listsAvailableDevicesByFamily() {
        AcceleratorRegistry registry = of(CPU, CUDA, npu(), unavailable(cuda(1, 24)));
        assertThat(registry.byFamily(AcceleratorFamily.GPU)).containsExactly(CUDA);
        assertThat(registry.byFamily(AcceleratorFamily.NPU)).containsExactly(npu());
        assertThat(registry.byFamily(AcceleratorFamily.TPU)).isEmpty();
        assertThat(registry.byFamily(AcceleratorFamily.CPU)).containsExactly(CPU);
    }

    @Test
    void listsTheDevicesThatSatisfyARequirement() {
        AcceleratorRegistry registry = of(
                CPU,
                CUDA,
                AcceleratorProfile.tpu(0, 4, TpuVersion.V5P),
                AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI3));
        assertThat(registry.satisfying(AcceleratorRequirement.GPU)).hasSize(1);
        assertThat(registry.satisfying(AcceleratorRequirement.GPU_OR_TPU)).hasSize(2);
        assertThat(registry.satisfying(AcceleratorRequirement.ANY_ACCELERATOR)).hasSize(3);
        assertThat(registry.satisfying(AcceleratorRequirement.NONE)).hasSize(4);
        assertThat(registry.satisfying(AcceleratorRequirement.GAUDI)).hasSize(1);
        assertThat(registry.satisfying(AcceleratorRequirement.tpu(4))).hasSize(1);
        assertThat(registry.satisfying(AcceleratorRequirement.tpu(8))).isEmpty();
    }

    @Test
    void keepsUnavailableDevicesInTheListOfAll() {
        AcceleratorRegistry registry = of(CPU, unavailable(CUDA));
        assertThat(registry.available()).containsExactly(CPU);
        assertThat(registry.profiles()).hasSize(2);
    }

    @Test
    void findsADeviceByItsId() {
        AcceleratorRegistry registry = of(CPU, CUDA, cuda(1, 8));
        assertThat(registry.find(new DeviceId("cuda:1"))).contains(cuda(1, 8));
        assertThat(registry.find(new DeviceId("cpu:0"))).contains(CPU);
        assertThat(registry.find(new DeviceId("cuda:2"))).isEmpty();
    }

    @Test
    void whatIfDevicesWereAdded() {
        AcceleratorRegistry before = of(cpu(64));
        AcceleratorRegistry after = before.whatIfAdd(List.of(cuda(0, 80), cuda(0, 80)));
        assertThat(after.profiles()).containsExactly(cpu(64), cuda(0, 80), cuda(0, 80));
        assertThat(after.totalMemory()).isGreaterThan(before.totalMemory());
        assertThat(before.profiles()).hasSize(1);
    }

    @Test
    void whatIfDevicesWereRemoved() {
        AcceleratorRegistry after = of(cpu(64), cuda(0, 80), cuda(1, 80))
                .whatIfRemove(profile -> profile.id().text().equals("cuda:1"));
        assertThat(after.profiles()).containsExactly(cpu(64), cuda(0, 80));
    }

    @Test
    void aRemovedDeviceTakesItsPartitionsWithIt() {
        AcceleratorProfile slice = cuda(0, 10).toBuilder()
                .partition(new Partition(CUDA.id(), "MIG-1", "1g.10gb"))
                .build();
        assertThat(of(CPU, CUDA, slice).whatIfRemove(slice::equals).profiles()).containsExactly(CPU, CUDA);
        assertThat(of(CPU, CUDA, slice).whatIfRemove(CUDA::equals).profiles())
                .as("a slice has a parent")
                .containsExactly(CPU);
    }

    @Test
    void aHostAlwaysKeepsAProcessor() {
        AcceleratorRegistry bare = of(cpu(64), cuda(0, 80)).whatIfRemove(_ -> true);
        assertThat(bare.profiles()).containsExactly(cpu(64));

        AcceleratorRegistry unknown = of(cuda(0, 80)).whatIfRemove(_ -> true);
        assertThat(unknown.profiles()).hasSize(1);
        assertThat(unknown.profiles().getFirst().accelerator()).isEqualTo(AcceleratorType.cpu());
        assertThat(unknown.profiles().getFirst().memory().isKnown())
                .as("no memory is made up")
                .isFalse();
    }

    @Test
    void anUnavailableProcessorIsStillOne() {
        AcceleratorRegistry after = of(unavailable(CPU), CUDA).whatIfRemove(profile -> profile.equals(CUDA));
        assertThat(after.profiles()).containsExactly(unavailable(CPU));
    }

    @Test
    void whatIfDevicesWereReplaced() {
        assertThat(of(CPU, CUDA).whatIfReplace(List.of(cuda(5, 1))).profiles()).containsExactly(cuda(5, 1));
        assertThat(of(CPU).whatIfReplace(List.of()).profiles()).isEmpty();
    }

    @Test
    void aHypothesisKeepsTheSystemAndForgetsTheGaps() {
        SystemIo io = SystemIo.of(
                List.of(new Interconnect(
                        Interconnect.InterconnectKind.NVLINK,
                        "nvlink0",
                        Reading.known(new Bandwidth(50), Provenance.GIVEN),
                        Reading.notProbed())),
                List.of(),
                Reading.notProbed());
        AcceleratorRegistry observed = new AcceleratorRegistry(
                7,
                List.of(CPU),
                List.of(new Gap.ToolNotFound("nvidia-smi")),
                io,
                TopologyGraph.EMPTY,
                Reading.known(Instant.EPOCH, Provenance.GIVEN));
        AcceleratorRegistry hypothesis = observed.whatIfAdd(List.of(CUDA));
        assertThat(hypothesis.referenceSchema()).isEqualTo(7);
        assertThat(hypothesis.systemIo()).isEqualTo(io);
        assertThat(hypothesis.gaps()).isEmpty();
        assertThat(hypothesis.observedAt().isKnown())
                .as("a hypothesis was never observed")
                .isFalse();
    }

    @Test
    void theLinksOfARemovedDeviceGoWithIt() {
        AcceleratorProfile other = cuda(1, 24);
        TopologyNode first = TopologyNode.DeviceNode.of(CUDA.id());
        TopologyNode second = TopologyNode.DeviceNode.of(other.id());
        TopologyGraph joined =
                TopologyGraph.of(List.of(first, second), List.of(Link.of(first.id(), second.id(), LinkKind.NVLINK)));
        AcceleratorRegistry registry = new AcceleratorRegistry(
                3, List.of(CPU, CUDA, other), List.of(), SystemIo.EMPTY, joined, Reading.notProbed());

        AcceleratorRegistry after = registry.whatIfRemove(profile -> profile.equals(other));

        assertThat(after.topology().nodes()).containsExactly(first);
        assertThat(after.topology().links()).isEmpty();
    }
}
