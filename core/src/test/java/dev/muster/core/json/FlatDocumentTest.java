// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorRequirement;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Interconnect;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.TpuVersion;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlatDocumentTest {
    private static <T> Reading<T> known(T value) {
        return Reading.known(value, FlatReader.SOURCE);
    }

    private static AcceleratorRegistry read(String text) {
        return RegistryDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Reads one profile; `family` makes its form plain.
    private static AcceleratorProfile profile(String keys) {
        return read("{\"schema_version\":5,\"profiles\":[{\"family\":\"\"" + keys + "}]}")
                .profiles()
                .getFirst();
    }

    private static AcceleratorRegistry fixture() {
        return RegistryDocument.read(Fixture.bytes(Fixture.FLAT));
    }

    @Test
    void readsEveryTypeByItsNumber() {
        assertThat(fixture().profiles())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(
                        AcceleratorType.cpu(),
                        AcceleratorType.of(AcceleratorKind.CUDA_GPU, 3),
                        AcceleratorType.of(AcceleratorKind.ROCM_GPU, 0),
                        AcceleratorType.of(AcceleratorKind.METAL_GPU, 0),
                        AcceleratorType.of(AcceleratorKind.VULKAN_GPU, 1),
                        AcceleratorType.of(AcceleratorKind.INTEL_NPU, 0),
                        AcceleratorType.of(AcceleratorKind.AMD_XDNA_NPU, 0),
                        AcceleratorType.of(AcceleratorKind.APPLE_NPU, 0),
                        new AcceleratorType.Tpu(0, 8, TpuVersion.V5P),
                        new AcceleratorType.Gaudi(2, GaudiGeneration.GAUDI2),
                        new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM, 2),
                        AcceleratorType.of(AcceleratorKind.QUALCOMM_AI100, 0),
                        AcceleratorType.of(AcceleratorKind.INTEL_ONE_API, 0),
                        AcceleratorType.of(AcceleratorKind.CEREBRAS_WSE, 0),
                        AcceleratorType.of(AcceleratorKind.GRAPHCORE_IPU, 0),
                        AcceleratorType.of(AcceleratorKind.GROQ_LPU, 0),
                        AcceleratorType.of(AcceleratorKind.SAMSUNG_NPU, 0),
                        AcceleratorType.of(AcceleratorKind.MEDIATEK_APU, 0),
                        AcceleratorType.of(AcceleratorKind.WINDOWS_GPU, 1),
                        AcceleratorType.of(AcceleratorKind.AGNOS_GPU, 0));
        assertThat(fixture().profiles())
                .filteredOn(profile -> !profile.available())
                .extracting(profile -> profile.id().text())
                .containsExactly("rocm:0");
    }

    @Test
    void readsEveryFactInItsUnit() {
        assertThat(fixture().profiles().get(1))
                .isEqualTo(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 3))
                        .with(DeviceFact.MEMORY, known(Bytes.ofGib(80)))
                        .with(DeviceFact.COMPUTE_CAPABILITY, known("9.0"))
                        .with(DeviceFact.DRIVER_VERSION, known("550.54.15"))
                        .with(DeviceFact.DEVICE_NAME, known("NVIDIA H100 80GB HBM3"))
                        .with(DeviceFact.MEMORY_USED, known(Bytes.ofMib(1)))
                        .with(DeviceFact.MEMORY_FREE, known(Bytes.of(85_898_297_344L)))
                        .with(DeviceFact.NUMA_NODE, known(1L))
                        .with(DeviceFact.TEMPERATURE, known(new Celsius(65)))
                        .with(DeviceFact.UTILIZATION, known(new Ratio(0.8)))
                        .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(3352.3)))
                        .with(DeviceFact.PCIE_BANDWIDTH, known(new Bandwidth(63.015)))
                        .with(DeviceFact.POWER, known(new Watts(300.5)))
                        .build());
    }

    @Test
    void aTpuSatisfiesWhatItSatisfiedBefore() {
        AcceleratorProfile tpu = fixture().profiles().get(8);
        assertThat(AcceleratorRequirement.tpu(4).isSatisfiedBy(tpu)).isTrue();
        assertThat(AcceleratorRequirement.tpu(8).isSatisfiedBy(tpu)).isTrue();
        assertThat(AcceleratorRequirement.tpu(16).isSatisfiedBy(tpu)).isFalse();
    }

    @Test
    void takesMemoryFromTheDocument() {
        assertThat(profile(",\"accel_type_id\":8,\"tpu_version\":2,\"tpu_chips\":4,\"memory_bytes\":7")
                        .memory()
                        .find())
                .contains(Bytes.of(7));
    }

    @Test
    void readsTheSystemAround() {
        AcceleratorRegistry registry = fixture();
        assertThat(registry.systemIo().interconnects())
                .containsExactly(
                        new Interconnect(
                                Interconnect.InterconnectKind.ROCE_V2,
                                "mlx5_0",
                                known(new Bandwidth(12.5)),
                                known("4: ACTIVE")),
                        new Interconnect(
                                Interconnect.InterconnectKind.NVLINK,
                                "nvlink-gpu0",
                                known(new Bandwidth(53.124)),
                                Reading.unknown(UnknownReason.UNREADABLE, "the document holds no text for the state")),
                        new Interconnect(
                                Interconnect.InterconnectKind.XGMI, "xgmi", known(new Bandwidth(400)), known("")),
                        new Interconnect(
                                Interconnect.InterconnectKind.PCIE,
                                "pcie0",
                                known(new Bandwidth(0)),
                                Reading.notProbed()));
        assertThat(registry.systemIo().storage())
                .containsExactly(
                        StorageDevice.of("nvme0n1", StorageDevice.StorageKind.NVME, known(new Bandwidth(3.5))),
                        StorageDevice.of("sda", StorageDevice.StorageKind.SATA_SSD, known(new Bandwidth(0.55))),
                        StorageDevice.of("sdb", StorageDevice.StorageKind.HDD, known(new Bandwidth(0.15))),
                        StorageDevice.of("vda", StorageDevice.StorageKind.UNKNOWN, known(new Bandwidth(0))));
        assertThat(registry.systemIo().environment())
                .isEqualTo(known(RuntimeEnvironment.of(
                        true,
                        true,
                        known("ml"),
                        known(new CloudInstance(
                                "aws",
                                known("p5.48xlarge"),
                                Reading.notProbed(),
                                known("us-east-1"),
                                Reading.notProbed())),
                        known(new GpuGrant(List.of(), 8, "NVIDIA_VISIBLE_DEVICES")))));
        assertThat(registry.gaps())
                .containsExactly(new Gap.Unexplained("nvidia-smi"), new Gap.Unexplained("vulkaninfo"));
        assertThat(registry.referenceSchema())
                .as("the flat numbers mean another form")
                .isEqualTo(3);
    }

    @Test
    void whatWasReadSaysThatItIsRemembered() {
        assertThat(FlatReader.SOURCE.method()).isEqualTo(Provenance.Method.DOCUMENT);
        assertThat(FlatReader.SOURCE).isNotEqualTo(ReferenceReader.SOURCE);
    }

    @Test
    void readsTheNameWhereAnOlderDocumentHasNoNumber() {
        AcceleratorRegistry registry = RegistryDocument.read(Fixture.bytes(Fixture.FLAT_WITHOUT_NUMBERS));
        assertThat(registry.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(
                        AcceleratorType.cpu(),
                        AcceleratorType.of(AcceleratorKind.CUDA_GPU, 1),
                        AcceleratorType.of(AcceleratorKind.APPLE_NPU, 0));
        assertThat(registry.systemIo().environment().isKnown()).isFalse();
    }

    @Test
    void missingKeysTakeTheDefaultsOfTheForm() {
        assertThat(profile(""))
                .isEqualTo(AcceleratorProfile.builder(AcceleratorType.cpu()).build());
    }

    @Test
    void theNumberOutranksTheName() {
        assertThat(profile(",\"accelerator\":\"CPU\",\"accel_type_id\":1").accelerator())
                .isEqualTo(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memory_bytes",
                "memory_used_bytes",
                "memory_free_bytes",
                "numa_node",
                "temperature_c",
                "gpu_utilization_percent",
                "mem_bandwidth_x1000",
                "pcie_bandwidth_x1000",
                "power_x1000"
            })
    void minusOneAndNullAreUnknown(String key) {
        AcceleratorProfile nothing =
                AcceleratorProfile.builder(AcceleratorType.cpu()).build();
        assertThat(profile(",\"" + key + "\":-1")).isEqualTo(nothing);
        assertThat(profile(",\"" + key + "\":null")).isEqualTo(nothing);
        assertThat(profile(",\"" + key + "\":0")).as("zero is a value").isNotEqualTo(nothing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"compute_capability", "driver_version", "device_name"})
    void aTextThatIsNullIsUnknown(String key) {
        assertThat(profile(",\"" + key + "\":null"))
                .isEqualTo(AcceleratorProfile.builder(AcceleratorType.cpu()).build());
        assertThat(profile(",\"" + key + "\":\"\""))
                .isNotEqualTo(AcceleratorProfile.builder(AcceleratorType.cpu()).build());
    }

    @Test
    void ignoresUnknownKeysEverywhere() {
        assertThat(read("{\"later\":{},\"profiles\":[{\"later\":[1],\"family\":\"CPU\",\"memory_bytes\":1}],"
                                + "\"system_io\":{\"later\":1,\"interconnects\":[{\"later\":1,\"kind\":\"ICI\",\"name\":\"a\","
                                + "\"bandwidth_bytes_per_sec\":1}],\"environment\":{\"later\":1,\"is_docker\":true}}}")
                        .systemIo()
                        .interconnects())
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"accel_type_id\":20 | WRONG_VALUE",
                ",\"accel_type_id\":4294967297 | WRONG_VALUE",
                ",\"accel_type_id\":-2 | WRONG_VALUE",
                ",\"accel_type_id\":\"1\" | WRONG_TYPE",
                ",\"accel_type_id\":1.0 | WRONG_TYPE",
                ",\"accel_type_id\":1,\"device_id\":4294967296 | WRONG_VALUE",
                ",\"accel_type_id\":8,\"tpu_version\":3 | WRONG_VALUE",
                ",\"accel_type_id\":8,\"tpu_version\":0,\"tpu_chips\":4294967296 | WRONG_VALUE",
                ",\"accel_type_id\":9,\"gaudi_gen\":2 | WRONG_VALUE",
                ",\"accel_type_id\":10,\"neuron_chip\":2 | WRONG_VALUE",
                ",\"memory_bytes\":9223372036854775808 | WRONG_VALUE",
                ",\"memory_bytes\":-2 | WRONG_VALUE",
                ",\"memory_bytes\":1.5 | WRONG_TYPE",
                ",\"temperature_c\":\"hot\" | WRONG_TYPE",
                ",\"available\":1 | WRONG_TYPE",
                ",\"device_name\":7 | WRONG_TYPE",
                ",\"memory_bytes\":1,\"memory_bytes\":1 | DUPLICATE_KEY",
                ",\"memory_bytes\":- 1 | MALFORMED"
            })
    void namesWhatIsWrongWithAProfile(String keys, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> profile(keys));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"schema_version\":-1 | WRONG_TYPE",
                "\"schema_version\":\"5\" | WRONG_TYPE",
                "\"warnings\":[{}] | WRONG_TYPE",
                "\"warnings\":\"x\" | WRONG_TYPE",
                "\"system_io\":null | WRONG_TYPE",
                "\"system_io\":{\"interconnects\":[{\"kind\":\"NVLink\",\"name\":\"a\"}]} | MISSING_KEY",
                "\"system_io\":{\"interconnects\":[{\"kind\":\"Rope\",\"name\":\"a\",\"bandwidth_bytes_per_sec\":1}]} "
                        + "| WRONG_VALUE",
                "\"system_io\":{\"storage\":[{\"kind\":\"Tape\",\"name\":\"a\",\"bandwidth_bytes_per_sec\":1}]} "
                        + "| WRONG_VALUE",
                "\"system_io\":{\"environment\":{\"is_docker\":1}} | WRONG_TYPE",
                "\"system_io\":{\"environment\":[] | MALFORMED"
            })
    void namesWhatIsWrongAroundTheProfiles(String keys, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> read("{\"profiles\":[{\"family\":\"CPU\"}]," + keys + "}"));
    }
}
