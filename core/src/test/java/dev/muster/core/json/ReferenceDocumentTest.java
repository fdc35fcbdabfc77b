// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.NOT_REPRESENTABLE;
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
import dev.muster.core.MemoryDevice;
import dev.muster.core.NeuronChip;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.RandomRegistry;
import dev.muster.core.Reading;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TpuVersion;
import dev.muster.core.Trials;
import dev.muster.core.TypeSamples;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceDocumentTest {
    private static final AcceleratorProfile CUDA = AcceleratorProfile.cuda(0, Bytes.ofGib(24));

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, ReferenceReader.SOURCE);
    }

    @Test
    void readsBackWhatItWrites() {
        Trials.run(1_000, random -> {
            AcceleratorRegistry registry = RandomRegistry.tagged(random, ReferenceReader.SOURCE);
            String text = ReferenceDocument.write(registry);
            assertThat(ReferenceDocument.read(text)).isEqualTo(registry);
            assertThat(ReferenceDocument.read(ReferenceDocument.writeIndented(registry)))
                    .isEqualTo(registry);
            assertThat(ReferenceDocument.write(ReferenceDocument.read(text.getBytes(StandardCharsets.UTF_8))))
                    .isEqualTo(text);
        });
    }

    @Test
    void writesADocumentOfTheReferenceToTheLetter() {
        String text = Fixture.text(Fixture.TAGGED);
        AcceleratorRegistry registry = ReferenceDocument.read(text);
        assertThat(ReferenceDocument.write(registry)).isEqualTo(text);
        assertThat(registry.profiles().get(1).accelerator()).isEqualTo(new AcceleratorType.Tpu(0, 16, TpuVersion.V5E));
        assertThat(registry.gaps())
                .extracting(Gap::display)
                .containsExactly(
                        "nvidia-smi: exited with code 9 — NVIDIA-SMI has failed", "vulkaninfo: timed out after 3.0s");
        assertThat(registry.systemIo()
                        .environment()
                        .find()
                        .orElseThrow()
                        .kubernetesNamespace()
                        .find())
                .contains("ml");
    }

    @Test
    void whatWasReadSaysThatItIsRemembered() {
        assertThat(ReferenceDocument.read(Fixture.text(Fixture.TAGGED))
                        .profiles()
                        .getFirst()
                        .memory())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance().method()).isEqualTo(Provenance.Method.DOCUMENT));
    }

    @Test
    void writesTheTwoOldestKeysAlwaysAndTheOthersWhenKnown() {
        assertThat(ReferenceDocument.write(CUDA))
                .isEqualTo("{\"accelerator\":{\"CudaGpu\":{\"device_id\":0}},\"available\":true,"
                        + "\"memory_bytes\":25769803776,\"compute_capability\":null,\"driver_version\":null}");
        AcceleratorProfile full = CUDA.toBuilder()
                .available(false)
                .with(DeviceFact.COMPUTE_CAPABILITY, known("8.9"))
                .with(DeviceFact.DRIVER_VERSION, known("545.29.06"))
                .with(DeviceFact.DEVICE_NAME, known("NVIDIA \"L4\""))
                .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(300)))
                .with(DeviceFact.MEMORY_USED, known(Bytes.of(1)))
                .with(DeviceFact.MEMORY_FREE, known(new Bytes(-2)))
                .with(DeviceFact.PCIE_BANDWIDTH, known(new Bandwidth(31.5)))
                .with(DeviceFact.NUMA_NODE, known(1L))
                .with(DeviceFact.TEMPERATURE, known(new Celsius(72)))
                .with(DeviceFact.POWER, known(new Watts(300.5)))
                .with(DeviceFact.UTILIZATION, known(new Ratio(0.95)))
                .build();
        assertThat(ReferenceDocument.write(full))
                .isEqualTo("{\"accelerator\":{\"CudaGpu\":{\"device_id\":0}},\"available\":false,"
                        + "\"memory_bytes\":25769803776,\"compute_capability\":\"8.9\","
                        + "\"driver_version\":\"545.29.06\",\"device_name\":\"NVIDIA \\\"L4\\\"\","
                        + "\"memory_bandwidth_gbps\":300.0,\"memory_used_bytes\":1,"
                        + "\"memory_free_bytes\":18446744073709551614,\"pcie_bandwidth_gbps\":31.5,"
                        + "\"numa_node\":1,\"temperature_c\":72,\"power_watts\":300.5,"
                        + "\"gpu_utilization_percent\":95}");
        AcceleratorProfile read = ReferenceDocument.readProfile(ReferenceDocument.write(full));
        assertThat(DeviceFact.all())
                .allSatisfy(fact -> assertThat(read.reading(fact).find())
                        .isEqualTo(full.reading(fact).find()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1}",
                "{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1,\"compute_capability\":null,"
                        + "\"driver_version\":null}",
                "{\"memory_bytes\":1,\"available\":true,\"accelerator\":\"Cpu\",\"gpu_utilization_percent\":null,"
                        + "\"device_name\":null,\"memory_used_bytes\":null,\"numa_node\":null,\"power_watts\":null}",
                "{\"accelerator\":{\"Cpu\":null},\"available\":true,\"memory_bytes\":1}",
                "[\"Cpu\",true,1,null,null]",
                "[{\"Cpu\":null},true,1,null,null,null,null,null,null,null,null,null,null,null]"
            })
    void readsEverySpellingOfAProfile(String text) {
        assertThat(ReferenceDocument.readProfile(text))
                .isEqualTo(AcceleratorProfile.builder(AcceleratorType.cpu())
                        .with(DeviceFact.MEMORY, known(Bytes.of(1)))
                        .build());
    }

    static Stream<AcceleratorType> typesOfTheReference() {
        return TypeSamples.ofReference().stream();
    }

    @ParameterizedTest
    @MethodSource("typesOfTheReference")
    void everyTypeReadsBack(AcceleratorType type) {
        assertThat(ReferenceDocument.readType(ReferenceDocument.write(type))).isEqualTo(type);
    }

    @Test
    void writesTypesAsTheReferenceDoes() {
        assertThat(ReferenceDocument.write(AcceleratorType.cpu())).isEqualTo("\"Cpu\"");
        assertThat(ReferenceDocument.write(AcceleratorType.of(AcceleratorKind.METAL_GPU, 0)))
                .isEqualTo("\"MetalGpu\"");
        assertThat(ReferenceDocument.write(AcceleratorType.of(AcceleratorKind.GROQ_LPU, 2)))
                .isEqualTo("{\"GroqLpu\":{\"device_id\":2}}");
        assertThat(ReferenceDocument.write(new AcceleratorType.Tpu(0, 4, TpuVersion.V5P)))
                .isEqualTo("{\"Tpu\":{\"device_id\":0,\"chip_count\":4,\"version\":\"V5p\"}}");
        assertThat(ReferenceDocument.write(new AcceleratorType.Gaudi(0, GaudiGeneration.GAUDI3)))
                .isEqualTo("{\"Gaudi\":{\"device_id\":0,\"generation\":\"Gaudi3\"}}");
        assertThat(ReferenceDocument.write(new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM, 2)))
                .isEqualTo("{\"AwsNeuron\":{\"device_id\":0,\"chip_type\":\"Trainium\",\"core_count\":2}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Tpu\":{\"version\":\"V5p\",\"chip_count\":4,\"device_id\":1}}",
                "{\"Tpu\":[1,4,\"V5p\"]}",
                "{\"Tpu\":[1,4,{\"V5p\":null}]}",
                "{\"Tpu\":{\"device_id\":1,\"chip_count\":4,\"version\":{\"V5p\":null},\"later\":[{}]}}",
                "{\"\\u0054pu\":{\"device_id\":1,\"chip_count\":4,\"version\":\"V5\\u0070\"}}"
            })
    void readsEverySpellingOfAType(String text) {
        assertThat(ReferenceDocument.readType(text)).isEqualTo(new AcceleratorType.Tpu(1, 4, TpuVersion.V5P));
    }

    @Test
    void readsTheNameThatVulkanOnceHadAndForgetsIt() {
        assertThat(ReferenceDocument.readType("{\"VulkanGpu\":{\"device_id\":1,\"device_name\":\"llvmpipe\"}}"))
                .isEqualTo(AcceleratorType.of(AcceleratorKind.VULKAN_GPU, 1));
    }

    @Test
    void keepsTheSchemaNumberOfADocument() {
        assertThat(ReferenceDocument.read("{\"profiles\":[]}").referenceSchema())
                .as("a missing number is the current one")
                .isEqualTo(3);
        for (long schema : new long[] {0, 1, 2, 3, 999, AcceleratorType.MAX_COUNT}) {
            String text = "{\"schema_version\":" + schema + ",\"profiles\":[],\"system_io\":{}}";
            assertThat(ReferenceDocument.read(text).referenceSchema()).isEqualTo(schema);
            assertThat(ReferenceDocument.write(ReferenceDocument.read(text))).isEqualTo(text);
        }
    }

    @Test
    void readsARegistryAsAnArray() {
        assertThat(ReferenceDocument.read("[2,[[\"Cpu\",true,1,null,null]],[],{}]"))
                .isEqualTo(ReferenceDocument.read("{\"schema_version\":2,\"profiles\":"
                        + "[{\"accelerator\":\"Cpu\",\"available\":true,\"memory_bytes\":1}]}"));
    }

    @Test
    void writesNoWarningsWhereThereAreNone() {
        assertThat(ReferenceDocument.write(AcceleratorRegistry.of(List.of())))
                .isEqualTo("{\"schema_version\":3,\"profiles\":[],\"system_io\":{}}");
        assertThat(ReferenceDocument.writeIndented(AcceleratorRegistry.of(List.of())))
                .isEqualTo("""
                {
                  "schema_version": 3,
                  "profiles": [],
                  "system_io": {}
                }""");
    }

    @Test
    void ignoresUnknownKeysAroundTheProfiles() {
        SystemIo io = ReferenceDocument.readSystemIo("{\"later\":{},\"interconnects\":[{\"kind\":\"NVLink\","
                + "\"name\":\"a\",\"bandwidth_gbps\":1,\"state\":null,\"later\":1}],\"storage\":[{\"kind\":\"Hdd\","
                + "\"later\":1,\"name\":\"b\",\"bandwidth_gbps\":0.15}],\"environment\":{\"later\":[],"
                + "\"is_docker\":true,\"is_kubernetes\":false,\"cloud_instance\":{\"provider\":\"gcp\",\"later\":1}}}");
        assertThat(ReferenceDocument.write(io))
                .isEqualTo("{\"interconnects\":[{\"kind\":\"NVLink\",\"name\":\"a\",\"bandwidth_gbps\":1.0}],"
                        + "\"storage\":[{\"name\":\"b\",\"kind\":\"Hdd\",\"bandwidth_gbps\":0.15}],"
                        + "\"environment\":{\"is_docker\":true,\"is_kubernetes\":false,"
                        + "\"cloud_instance\":{\"provider\":\"gcp\"}}}");
    }

    @Test
    void readsOverNumbersOfAnySize() {
        assertThat(ReferenceDocument.read("{\"profiles\":[],\"system_io\":{\"later\":[1e400,-0,1E-400]}}")
                        .systemIo())
                .isEqualTo(SystemIo.EMPTY);
    }

    @Test
    void readsTheSystemAsArrays() {
        assertThat(ReferenceDocument.readSystemIo("[[[\"NVLink\",\"a\",1.0]],[[\"b\",\"NVMe\",3.5]],"
                        + "[true,false,\"ml\",[\"aws\",\"p5\"],[[\"0\"],1,\"X\"]]]"))
                .isEqualTo(ReferenceDocument.readSystemIo(
                        "{\"interconnects\":[{\"kind\":\"NVLink\",\"name\":\"a\",\"bandwidth_gbps\":1.0}],"
                                + "\"storage\":[{\"name\":\"b\",\"kind\":\"NVMe\",\"bandwidth_gbps\":3.5}],"
                                + "\"environment\":{\"is_docker\":true,\"is_kubernetes\":false,"
                                + "\"kubernetes_namespace\":\"ml\",\"cloud_instance\":{\"provider\":\"aws\","
                                + "\"instance_type\":\"p5\"},\"kubernetes_gpu\":{\"device_ids\":[\"0\"],"
                                + "\"gpu_count\":1,\"source\":\"X\"}}}"));
        assertThat(ReferenceDocument.readSystemIo("{}")).isEqualTo(SystemIo.EMPTY);
        assertThat(ReferenceDocument.readSystemIo("[]")).isEqualTo(SystemIo.EMPTY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"ToolNotFound\":{\"tool\":\"hl-smi\"}} | hl-smi: tool not found on $PATH",
                "{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":1,\"stderr\":\"b\"}} | a: exited with code 1 — b",
                "{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":-9,\"stderr\":\"b\"}} | a: exited with code -9 — b",
                "{\"ToolFailed\":{\"tool\":\"a\",\"exit_code\":null,\"stderr\":\"\"}} "
                        + "| a: exited with signal — (no output)",
                "{\"Timeout\":{\"tool\":\"a\",\"timeout_secs\":5.0}} | a: timed out after 5.0s",
                "{\"ParseError\":{\"backend\":\"cuda\",\"message\":\"b\"}} | cuda: parse error — b",
                "{\"SysfsReadError\":{\"path\":\"/sys/a\",\"message\":\"b\"}} | sysfs /sys/a: b"
            })
    void everyWarningReadsBackToTheLetter(String text, String display) {
        Gap gap = ReferenceDocument.readGap(text);
        assertThat(gap.display()).isEqualTo(display);
        assertThat(ReferenceDocument.write(gap)).isEqualTo(text);
    }

    @Test
    void anExitCodeMayBeMissing() {
        Gap gap = new Gap.ToolFailed("a", Reading.unknown(UnknownReason.NOT_SUPPORTED, "ended by a signal"), "b");
        assertThat(ReferenceDocument.readGap("{\"ToolFailed\":{\"tool\":\"a\",\"stderr\":\"b\"}}"))
                .isEqualTo(gap);
        assertThat(ReferenceDocument.readGap("{\"ToolFailed\":[\"a\",null,\"b\"]}"))
                .isEqualTo(gap);
    }

    @Test
    void aGapWithoutAWordInTheFormIsWrittenAsTheLeastItCanMean() {
        assertThat(ReferenceDocument.write(new Gap.Unexplained("nvidia-smi")))
                .isEqualTo("{\"ParseError\":{\"backend\":\"nvidia-smi\",\"message\":\"reported without detail\"}}");
        assertThat(ReferenceDocument.write(new Gap.ProbeFailed("cuda", "x")))
                .isEqualTo("{\"ParseError\":{\"backend\":\"cuda\",\"message\":\"the probe failed: x\"}}");
    }

    @Test
    void everyRequirementReadsBack() {
        Stream.concat(AcceleratorRequirement.named().stream(), Stream.of(AcceleratorRequirement.tpu(4)))
                .forEach(requirement -> assertThat(
                                ReferenceDocument.readRequirement(ReferenceDocument.write(requirement)))
                        .isEqualTo(requirement));
        assertThat(ReferenceDocument.write(AcceleratorRequirement.ANY_ACCELERATOR))
                .isEqualTo("\"AnyAccelerator\"");
        assertThat(ReferenceDocument.write(AcceleratorRequirement.tpu(4))).isEqualTo("{\"Tpu\":{\"min_chips\":4}}");
        assertThat(ReferenceDocument.readRequirement("{\"Tpu\":[4]}")).isEqualTo(AcceleratorRequirement.tpu(4));
    }

    @Test
    void aRequirementWithoutANumberMayBeATag() {
        assertThat(ReferenceDocument.readRequirement("{\"GpuOrTpu\":null}"))
                .isEqualTo(AcceleratorRequirement.GPU_OR_TPU);
    }

    @Test
    void leavesPartitionsOut() {
        AcceleratorProfile slice = CUDA.toBuilder()
                .partition(new Partition(CUDA.id(), "MIG-1", "1g"))
                .build();
        assertThat(ReferenceDocument.write(AcceleratorRegistry.of(List.of(CUDA, slice))))
                .isEqualTo(ReferenceDocument.write(AcceleratorRegistry.of(List.of(CUDA))));
    }

    static Stream<AcceleratorType> otherTypes() {
        return TypeSamples.all().stream()
                .filter(type -> !TypeSamples.ofReference().contains(type));
    }

    @ParameterizedTest
    @MethodSource("otherTypes")
    void refusesTypesWithoutAWordInTheForm(AcceleratorType type) {
        assertThat(assertRefused(NOT_REPRESENTABLE, () -> ReferenceDocument.write(type)))
                .hasMessageContaining(type.display());
    }

    @Test
    void refusesToMakeUpMemory() {
        AcceleratorProfile silent =
                AcceleratorProfile.builder(CUDA.accelerator()).build();
        assertThat(assertRefused(
                        NOT_REPRESENTABLE, () -> ReferenceDocument.write(AcceleratorRegistry.of(List.of(silent)))))
                .hasMessageContaining("cuda:0");
    }

    @Test
    void refusesAnInterconnectWithoutAWordInTheForm() {
        SystemIo io = SystemIo.of(
                List.of(new Interconnect(
                        Interconnect.InterconnectKind.PCIE, "pcie0", known(new Bandwidth(1)), Reading.notProbed())),
                List.of(),
                Reading.notProbed());
        assertRefused(NOT_REPRESENTABLE, () -> ReferenceDocument.write(io));
    }

    @Test
    void arraysOfDrivesAreLeftOutAsTheirOwnDetectionDoes() {
        SystemIo io = SystemIo.of(
                List.of(),
                List.of(StorageDevice.of("md0", StorageDevice.StorageKind.RAID, Reading.notProbed())),
                Reading.notProbed());

        assertThat(ReferenceDocument.write(io)).isEqualTo(ReferenceDocument.write(SystemIo.EMPTY));
    }

    @Test
    void furtherMemoryIsLeftOut() {
        MemoryDevice device = new MemoryDevice(
                MemoryDevice.MemoryKind.CXL, "mem0", known(Bytes.ofGib(256)), known(2L), Reading.notProbed());
        SystemIo io = new SystemIo(List.of(), List.of(), List.of(device), Reading.notProbed());

        assertThat(ReferenceDocument.write(io)).isEqualTo(ReferenceDocument.write(SystemIo.EMPTY));
    }

    static Stream<AcceleratorProfile> profilesBeyondTheForm() {
        return Stream.of(
                CUDA.toBuilder().with(DeviceFact.NUMA_NODE, known(1L << 32)).build(),
                CUDA.toBuilder()
                        .with(DeviceFact.TEMPERATURE, known(new Celsius(1e10)))
                        .build(),
                CUDA.toBuilder()
                        .with(DeviceFact.UTILIZATION, known(new Ratio(1e10)))
                        .build());
    }

    @ParameterizedTest
    @MethodSource("profilesBeyondTheForm")
    void aFactOutsideItsNumbersIsLeftOut(AcceleratorProfile profile) {
        AcceleratorProfile again = ReferenceDocument.readProfile(ReferenceDocument.write(profile));

        assertThat(again).isEqualTo(ReferenceDocument.readProfile(ReferenceDocument.write(CUDA)));
    }

    @Test
    void aTemperatureBelowZeroIsNotZero() {
        AcceleratorProfile cold = CUDA.toBuilder()
                .with(DeviceFact.TEMPERATURE, known(new Celsius(-5)))
                .build();

        assertThat(ReferenceDocument.write(cold)).doesNotContain("temperature_c");
    }
}
