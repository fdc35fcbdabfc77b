// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NeuronChip;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleDevicesTest {
    private static AcceleratorProfile device(AcceleratorKind kind, int index, String uuid) {
        return AcceleratorProfile.builder(AcceleratorType.of(kind, index))
                .with(DeviceFact.UUID, Reading.known(uuid, Provenance.GIVEN))
                .build();
    }

    private static AcceleratorProfile slice(AcceleratorProfile whole, String uuid) {
        return whole.toBuilder()
                .partition(new Partition(whole.id(), uuid, "1g.10gb"))
                .with(DeviceFact.UUID, Reading.known(uuid, Provenance.GIVEN))
                .build();
    }

    private static AcceleratorRegistry machine() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        profiles.add(AcceleratorProfile.builder(AcceleratorType.cpu()).build());
        AcceleratorProfile first = device(AcceleratorKind.CUDA_GPU, 0, "GPU-8932f937-aa");
        profiles.add(first);
        profiles.add(slice(first, "MIG-11111111-aa"));
        profiles.add(slice(first, "MIG-11112222-bb"));
        profiles.add(device(AcceleratorKind.CUDA_GPU, 1, "GPU-8932aaaa-bb"));
        profiles.add(device(AcceleratorKind.CUDA_GPU, 2, "GPU-00000000-cc"));
        return AcceleratorRegistry.of(profiles);
    }

    private static AcceleratorRegistry amd() {
        return AcceleratorRegistry.of(List.of(
                device(AcceleratorKind.ROCM_GPU, 0, "GPU-a"),
                device(AcceleratorKind.ROCM_GPU, 1, "GPU-b"),
                device(AcceleratorKind.ROCM_GPU, 2, "GPU-c")));
    }

    private static String visible(AcceleratorRegistry registry, Map<String, String> variables) {
        return String.join(
                " ",
                VisibleDevices.filter(registry, variables).profiles().stream()
                        .filter(profile -> profile.accelerator().kind() != AcceleratorKind.CPU)
                        .map(profile -> profile.id().text())
                        .toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | cuda:0 cuda:0/MIG-11111111-aa cuda:0/MIG-11112222-bb",
                "1,2 | cuda:1 cuda:2",
                "2, 1 | cuda:1 cuda:2",
                "-1 | ''",
                "'' | ''",
                "1,-1,2 | cuda:1",
                "1,9,2 | cuda:1",
                "GPU-0000 | cuda:2",
                "gpu-8932F937 | cuda:0 cuda:0/MIG-11111111-aa cuda:0/MIG-11112222-bb",
                "GPU-8932 | ''",
                "MIG-11112222-bb | cuda:0/MIG-11112222-bb",
                "MIG-1111 | ''",
                "NoDevFiles | ''"
            })
    void cudaSeesWhatItsVariableLists(String value, String devices) {
        assertThat(visible(machine(), Map.of("CUDA_VISIBLE_DEVICES", value))).isEqualTo(devices);
    }

    @Test
    void withoutVariablesEverythingIsVisible() {
        assertThat(VisibleDevices.filter(machine(), Map.of("PATH", "/bin"))).isEqualTo(machine());
    }

    @Test
    void whatAContainerWasMadeWithHidesNothingInIt() {
        assertThat(VisibleDevices.filter(machine(), Map.of("NVIDIA_VISIBLE_DEVICES", "4,5")))
                .isEqualTo(machine());
    }

    @Test
    void theProcessorIsAlwaysVisible() {
        assertThat(VisibleDevices.filter(machine(), Map.of("CUDA_VISIBLE_DEVICES", "-1"))
                        .profiles())
                .extracting(profile -> profile.id().text())
                .containsExactly("cpu:0");
    }

    @Test
    void hipCountsWhatRocrLeaves() {
        assertThat(visible(amd(), Map.of("ROCR_VISIBLE_DEVICES", "1,2"))).isEqualTo("rocm:1 rocm:2");
        assertThat(visible(amd(), Map.of("ROCR_VISIBLE_DEVICES", "1,2", "HIP_VISIBLE_DEVICES", "1")))
                .isEqualTo("rocm:2");
        assertThat(visible(amd(), Map.of("ROCR_VISIBLE_DEVICES", "GPU-b"))).isEqualTo("rocm:1");
        assertThat(visible(amd(), Map.of("GPU_DEVICE_ORDINAL", "0"))).isEqualTo("rocm:0");
        assertThat(visible(amd(), Map.of("HIP_VISIBLE_DEVICES", "2", "CUDA_VISIBLE_DEVICES", "0")))
                .isEqualTo("rocm:2");
    }

    @Test
    void levelZeroMayNameTiles() {
        AcceleratorRegistry intel = AcceleratorRegistry.of(
                List.of(device(AcceleratorKind.INTEL_ONE_API, 0, "a"), device(AcceleratorKind.INTEL_ONE_API, 1, "b")));

        assertThat(visible(intel, Map.of("ZE_AFFINITY_MASK", "1.0,1.1"))).isEqualTo("oneapi:1");
    }

    @Test
    void neuronCoresAreNumberedThroughAllDevices() {
        AcceleratorRegistry trainium = AcceleratorRegistry.of(List.of(
                AcceleratorProfile.neuron(0, NeuronChip.TRAINIUM, 2),
                AcceleratorProfile.neuron(1, NeuronChip.TRAINIUM, 2),
                AcceleratorProfile.neuron(2, NeuronChip.TRAINIUM, 2)));

        assertThat(visible(trainium, Map.of("NEURON_RT_VISIBLE_CORES", "1-2"))).isEqualTo("neuron:0 neuron:1");
        assertThat(visible(trainium, Map.of("NEURON_RT_VISIBLE_CORES", "4"))).isEqualTo("neuron:2");
        assertThat(visible(trainium, Map.of("NEURON_RT_VISIBLE_CORES", "x"))).isEmpty();
    }

    @Test
    void hiddenDevicesLeaveTheTopologyToo() {
        List<AcceleratorProfile> profiles = amd().profiles();
        TopologyNode a = TopologyNode.DeviceNode.of(profiles.get(0).id());
        TopologyNode b = TopologyNode.DeviceNode.of(profiles.get(1).id());
        AcceleratorRegistry joined = new AcceleratorRegistry(
                3,
                profiles,
                List.of(),
                amd().systemIo(),
                TopologyGraph.of(List.of(a, b), List.of(Link.of(a.id(), b.id(), LinkKind.XGMI))),
                Reading.notProbed());

        assertThat(VisibleDevices.filter(joined, Map.of("ROCR_VISIBLE_DEVICES", "0"))
                        .topology()
                        .nodes())
                .containsExactly(a);
    }

    @Test
    void ordinalsAreThoseThatProgramsGive() {
        assertThat(ordinal(machine(), "cuda:2", Map.of())).hasValue(2);
        assertThat(ordinal(machine(), "cuda:2", Map.of("CUDA_VISIBLE_DEVICES", "2,0")))
                .hasValue(0);
        assertThat(ordinal(machine(), "cuda:0", Map.of("CUDA_VISIBLE_DEVICES", "GPU-0000,GPU-8932f")))
                .hasValue(1);
        assertThat(ordinal(machine(), "cuda:1", Map.of("CUDA_VISIBLE_DEVICES", "2,0")))
                .isEmpty();
        assertThat(ordinal(machine(), "cuda:7", Map.of())).isEmpty();
        assertThat(ordinal(machine(), "cpu", Map.of())).isEmpty();
        assertThat(ordinal(amd(), "rocm:2", Map.of("ROCR_VISIBLE_DEVICES", "1,2", "HIP_VISIBLE_DEVICES", "1")))
                .hasValue(0);
    }

    private static OptionalInt ordinal(AcceleratorRegistry registry, String device, Map<String, String> variables) {
        return VisibleDevices.findOrdinal(registry, new DeviceId(device), variables);
    }
}
