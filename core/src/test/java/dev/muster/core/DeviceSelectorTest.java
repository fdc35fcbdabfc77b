// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.DeviceSelector.BusAddress;
import dev.muster.core.DeviceSelector.KindNumber;
import dev.muster.core.DeviceSelector.NamePart;
import dev.muster.core.DeviceSelector.PartitionId;
import dev.muster.core.unit.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSelectorTest {
    private static final AcceleratorProfile H100 = AcceleratorProfile.cuda(1, Bytes.ofGib(80)).toBuilder()
            .with(DeviceFact.DEVICE_NAME, Reading.known("NVIDIA H100 80GB HBM3", Provenance.GIVEN))
            .with(DeviceFact.UUID, Reading.known("GPU-Ab12", Provenance.GIVEN))
            .with(DeviceFact.PCI_ADDRESS, Reading.known(new PciAddress(0, 0x3b, 0, 0), Provenance.GIVEN))
            .build();
    private static final AcceleratorProfile SLICE = AcceleratorProfile.cuda(1, Bytes.ofGib(10)).toBuilder()
            .partition(new Partition(H100.id(), "MIG-Cd34", "1g.10gb"))
            .build();
    private static final AcceleratorProfile BARE = AcceleratorProfile.rocm(1, Bytes.ofGib(16));

    private static DeviceSelector selector(String text) {
        return DeviceSelector.find(text).orElseThrow();
    }

    private static List<AcceleratorProfile> meant(String text) {
        return List.of(H100, SLICE, BARE).stream()
                .filter(selector(text)::matches)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "mig:GPU-abc123/0/0, GPU-abc123/0/0",
        "partition:GPU-xyz/1/0, GPU-xyz/1/0",
        "MIG:Abc, Abc",
        "Partition:Abc, Abc",
        "'mig: Abc ', Abc",
        "mig:0, 0",
        "mig:0000:3b:00.0, 0000:3b:00.0"
    })
    void aPartitionPrefixIsTriedFirst(String text, String id) {
        assertThat(selector(text)).isEqualTo(new PartitionId(id));
    }

    @ParameterizedTest
    @CsvSource({
        "cuda:2, cuda, 2",
        "CUDA:2, cuda, 2",
        "' cuda : 2 ', cuda, 2",
        "intel-npu:0, intel-npu, 0",
        "my.backend:7, my.backend, 7",
        "3b:00, 3b, 0",
        "cuda:4294967295, cuda, 4294967295"
    })
    void aBackendAndANumberAreTriedNext(String text, String backend, long number) {
        assertThat(selector(text)).isEqualTo(new KindNumber(backend, number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000:01:00.0", "01:00.0", "00000000:3B:00.0", "cuda:1.5", "a.b:c", "cuda:-1.0"})
    void aTextWithColonAndDotIsABusAddress(String text) {
        assertThat(selector(text)).isEqualTo(new BusAddress(text));
    }

    @ParameterizedTest
    @CsvSource({
        "A100, a100",
        "' Tesla V100 ', tesla v100",
        "mig:, mig:",
        "'MIG: ', mig:",
        "partition:, partition:",
        "cuda:, cuda:",
        "cuda:x, cuda:x",
        "cuda:-1, cuda:-1",
        ":1, :1",
        "1.5, 1.5",
        "GPU-Ab12, gpu-ab12",
        "cuda:99999999999, cuda:99999999999"
    })
    void anythingElseIsAPartOfAName(String text, String fragment) {
        assertThat(selector(text)).isEqualTo(new NamePart(fragment));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
    void aBlankTextNamesNothing(String text) {
        assertThat(DeviceSelector.find(text)).isEmpty();
    }

    @Test
    void backendAndNumberMustBothAgree() {
        assertThat(meant("cuda:1")).containsExactly(H100);
        assertThat(meant("Cuda:1")).containsExactly(H100);
        assertThat(meant("rocm:1")).containsExactly(BARE);
        assertThat(meant("cuda:0")).isEmpty();
        assertThat(meant("vulkan:1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000:3b:00.0", "0000:3B:00.0", "3b:00.0", "3B:00.0", "00000000:3B:00.0", " 3b:00.0 "})
    void everySpellingOfABusAddressMeansTheDevice(String text) {
        assertThat(meant(text)).containsExactly(H100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000:3c:00.0", "0001:3b:00.0", "3b:00.1", "3b:20.0", "cuda:1.0", "0:3b:00.0"})
    void anotherBusAddressMeansNothing(String text) {
        assertThat(meant(text)).isEmpty();
    }

    @Test
    void aPartOfTheNameIsEnough() {
        assertThat(meant("h100")).containsExactly(H100);
        assertThat(meant("80gb hbm3")).containsExactly(H100);
        assertThat(meant("A100")).isEmpty();
        assertThat(meant("GPU-Ab12")).as("a bare UUID is not a name").isEmpty();
    }

    @Test
    void aPartitionIsMeantByItsIdInAnyCase() {
        assertThat(meant("mig:MIG-Cd34")).containsExactly(SLICE);
        assertThat(meant("MIG:mig-cd34")).containsExactly(SLICE);
        assertThat(meant("partition:MIG-CD34")).containsExactly(SLICE);
        assertThat(meant("mig:MIG-Cd3")).isEmpty();
    }

    @Test
    void aWholeDeviceIsMeantByItsUuid() {
        assertThat(meant("partition:gpu-ab12")).containsExactly(H100);
    }
}
