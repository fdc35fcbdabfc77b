// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.NeuronChip;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.OperationRate;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceMatcherTest {
    private static final DeviceCatalogue BUILT_IN = DeviceCatalogue.builtIn();

    @ParameterizedTest
    @CsvSource({
        "CUDA_GPU, NVIDIA H100 80GB HBM3, h100-sxm",
        "CUDA_GPU, NVIDIA H100 PCIe, h100-pcie",
        "CUDA_GPU, NVIDIA H100 NVL, h100-nvl",
        "CUDA_GPU, NVIDIA H200, h200-sxm",
        "CUDA_GPU, NVIDIA H200 NVL, h200-nvl",
        "CUDA_GPU, NVIDIA GH200 480GB, gh200-96",
        "CUDA_GPU, NVIDIA B200, b200-sxm",
        "CUDA_GPU, NVIDIA B300 SXM6 AC, b300-sxm",
        "CUDA_GPU, NVIDIA GB200, gb200",
        "CUDA_GPU, NVIDIA GB10, gb10",
        "CUDA_GPU, NVIDIA A100-SXM4-80GB, a100-sxm4-80",
        "CUDA_GPU, NVIDIA A100-SXM4-40GB, a100-sxm4-40",
        "CUDA_GPU, A100-PCIE-40GB, a100-pcie-40",
        "CUDA_GPU, NVIDIA A100 80GB PCIe, a100-pcie-80",
        "CUDA_GPU, Tesla V100-SXM2-16GB, v100-sxm2-16",
        "CUDA_GPU, Tesla V100-PCIE-16GB, v100-pcie-16",
        "CUDA_GPU, Tesla V100-PCIE-32GB, v100-pcie",
        "CUDA_GPU, Tesla P100-SXM2-16GB, p100-sxm2",
        "CUDA_GPU, Tesla T4, t4",
        "CUDA_GPU, NVIDIA A10G, a10g",
        "CUDA_GPU, NVIDIA A10, a10",
        "CUDA_GPU, NVIDIA L4, l4",
        "CUDA_GPU, NVIDIA L40, l40",
        "CUDA_GPU, NVIDIA L40S, l40s",
        "CUDA_GPU, NVIDIA RTX A6000, rtx-a6000",
        "CUDA_GPU, NVIDIA RTX 6000 Ada Generation, rtx-6000-ada",
        "CUDA_GPU, NVIDIA RTX PRO 6000 Blackwell Server Edition, rtx-pro-6000-server",
        "CUDA_GPU, NVIDIA RTX PRO 6000 Blackwell Workstation Edition, rtx-pro-6000-ws",
        "CUDA_GPU, NVIDIA GeForce RTX 4090, rtx-4090",
        "CUDA_GPU, nvidia geforce rtx 4070 ti super, rtx-4070-ti-super",
        "CUDA_GPU, NVIDIA GeForce RTX 3090, rtx-3090",
        "CUDA_GPU, NVIDIA GeForce RTX 5090, rtx-5090",
        "CUDA_GPU, NVIDIA TITAN RTX, titan-rtx",
        "ROCM_GPU, AMD Instinct MI300X, mi300x",
        "ROCM_GPU, AMD Instinct MI300X OAM, mi300x",
        "ROCM_GPU, AMD Instinct MI210, mi210",
        "ROCM_GPU, AMD Radeon RX 7900 XTX, rx-7900-xtx",
        "ROCM_GPU, AMD Radeon 8060S Graphics, strix-halo",
        "VULKAN_GPU, AMD Radeon RX 7900 XTX (RADV NAVI31), rx-7900-xtx",
        "WINDOWS_GPU, NVIDIA GeForce RTX 4080, rtx-4080",
        "INTEL_ONE_API, Intel(R) Data Center GPU Max 1550, max-1550",
        "INTEL_ONE_API, Intel(R) Arc(TM) B580 Graphics, arc-b580",
        "METAL_GPU, Apple M5 Max, m5-max-40c",
        "CUDA_GPU, NVIDIA GeForce RTX 3060 Laptop GPU, rtx-3060-laptop",
        "CUDA_GPU, NVIDIA GeForce RTX 4090 D, rtx-4090-d",
        "CUDA_GPU, NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition, rtx-pro-6000-max-q",
        "CUDA_GPU, NVIDIA GeForce RTX 4070 SUPER, rtx-4070-super",
        "CUDA_GPU, NVIDIA A800-SXM4-80GB, a800-sxm4-80",
        "ROCM_GPU, AMD Radeon RX 7800 XT, rx-7800-xt",
        "INTEL_ONE_API, Intel(R) Arc(TM) Pro B70 Graphics, arc-pro-b70",
        "FURIOSA, RNGD, rngd",
        "CAMBRICON_MLU, MLU370-X8, mlu370-x8",
        "TENSTORRENT, n300 L, wormhole-n300"
    })
    void recognisesWhatDriversCallADevice(AcceleratorKind kind, String name, String id) {
        assertThat(match(named(kind, name))).hasValue(id);
    }

    @ParameterizedTest
    @CsvSource({
        "CUDA_GPU, NVIDIA GeForce RTX 6090 Laptop GPU",
        "CUDA_GPU, NVIDIA GeForce RTX 5090 D",
        "CUDA_GPU, NVIDIA GeForce RTX 4060 Ti",
        "CUDA_GPU, NVIDIA",
        "CUDA_GPU, AMD Instinct MI300X",
        "ROCM_GPU, AMD Radeon Graphics",
        "INTEL_ONE_API, Intel(R) Arc(TM) A770 Graphics",
        "METAL_GPU, Apple M1",
        "CPU, NVIDIA H200",
        "INTEL_NPU, Arc B580"
    })
    void doesNotGuess(AcceleratorKind kind, String name) {
        assertThat(match(named(kind, name))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10de:2330, 81559, h100-sxm",
        "10DE:2335, 143771, h200-sxm",
        "10de:20b2, 81920, a100-sxm4-80",
        "10de:1db4, 16160, v100-pcie-16",
        "10de:1eb8, 15360, t4",
        "10de:2d04, 16311, rtx-5060-ti-16",
        "10de:2d04, 8151, rtx-5060-ti-8",
        "10de:26b9, 46068, l40s"
    })
    void memoryDecidesBetweenDevicesOfOnePciId(String pciId, long mebibytes, String id) {
        assertThat(match(onBus(AcceleratorProfile.cuda(0, Bytes.ofMib(mebibytes)), pciId)))
                .hasValue(id);
    }

    @ParameterizedTest
    @CsvSource({"20464, rx-7900-xt", "24560, rx-7900-xtx"})
    void memoryDecidesBetweenRadeons(long mebibytes, String id) {
        assertThat(match(onBus(AcceleratorProfile.rocm(0, Bytes.ofMib(mebibytes)), "1002:744c")))
                .hasValue(id);
    }

    @Test
    void aPciIdOfTwoDevicesNeedsMemoryOrAName() {
        AcceleratorProfile seen = onBus(
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.ROCM_GPU, 0))
                        .build(),
                "1002:744c");
        assertThat(match(seen)).isEmpty();
        assertThat(match(seen.toBuilder()
                        .with(DeviceFact.DEVICE_NAME, given("Radeon RX 7900 XT"))
                        .build()))
                .hasValue("rx-7900-xt");
    }

    @Test
    void aShareOfADeviceIsNotTheDevice() {
        assertThat(match(onBus(AcceleratorProfile.cuda(0, Bytes.ofGib(10)), "10de:20b2")))
                .isEmpty();
        AcceleratorProfile slice = named(AcceleratorKind.CUDA_GPU, "NVIDIA H200").toBuilder()
                .partition(new Partition(
                        AcceleratorProfile.cuda(0, Bytes.ofGib(141)).id(), "1", "1g.18gb"))
                .build();
        assertThat(match(slice)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"7, m1-7c", "8, m1-8c"})
    void coresDecideWhereNamesDoNot(long cores, String id) {
        AcceleratorProfile profile = named(AcceleratorKind.METAL_GPU, "Apple M1").toBuilder()
                .with(DeviceFact.COMPUTE_UNITS, given(cores))
                .build();
        assertThat(match(profile)).hasValue(id);
    }

    @ParameterizedTest
    @CsvSource({
        "CUDA_GPU, NVIDIA GeForce RTX 5090 D, rtx-5090",
        "METAL_GPU, Apple M2 Max, m2-max-30c",
        "CUDA_GPU, NVIDIA Unheard Of 17, ''"
    })
    void anUnknownDeviceHasItsNearestRelative(AcceleratorKind kind, String name, String id) {
        assertThat(DeviceCatalogue.builtIn()
                        .findRelative(named(kind, name))
                        .map(DeviceEntry::id)
                        .orElse(""))
                .isEqualTo(id);
    }

    @Test
    void unifiedMemoryMayBeSmallerThanTheLargestSold() {
        AcceleratorProfile profile = named(AcceleratorKind.METAL_GPU, "Apple M2 Max").toBuilder()
                .with(DeviceFact.MEMORY, given(Bytes.ofGib(32)))
                .with(DeviceFact.COMPUTE_UNITS, given(38L))
                .build();
        assertThat(match(profile)).hasValue("m2-max-38c");
    }

    @Test
    void halfACardHasHalfOfItsFigures() {
        AcceleratorProfile die = onBus(AcceleratorProfile.rocm(0, Bytes.ofGib(64)), "1002:740c");
        DeviceEntry entry = BUILT_IN.match(die).orElseThrow();
        assertThat(entry.id()).isEqualTo("mi250");
        assertThat(entry.memory().bandwidth()).isEqualTo(new Bandwidth(1638.4));
        assertThat(BUILT_IN.find("mi250").orElseThrow().toProfile(0).memory().find())
                .hasValueSatisfying(memory -> assertThat(memory).isLessThanOrEqualTo(Bytes.ofGib(64)));
    }

    @ParameterizedTest
    @EnumSource(TpuVersion.class)
    void everyTpuIsKnown(TpuVersion version) {
        DeviceEntry one = BUILT_IN.match(AcceleratorProfile.tpu(0, 1, version)).orElseThrow();
        DeviceEntry four = BUILT_IN.match(AcceleratorProfile.tpu(0, 4, version)).orElseThrow();
        assertThat(one.id()).isEqualTo("tpu-" + version.display());
        assertThat(four.peak(Precision.BF16).find())
                .isEqualTo(one.peak(Precision.BF16).find().map(rate -> new OperationRate(4 * rate.teraPerSecond())));
        assertThat(four.memory().total()).isEqualTo(version.memoryPerChip().saturatingTimes(4));
    }

    @ParameterizedTest
    @EnumSource(GaudiGeneration.class)
    void everyGaudiIsKnown(GaudiGeneration generation) {
        assertThat(BUILT_IN.match(AcceleratorProfile.gaudi(0, generation)).map(DeviceEntry::memory))
                .hasValueSatisfying(memory -> assertThat(memory.total()).isEqualTo(generation.memory()));
    }

    @ParameterizedTest
    @EnumSource(NeuronChip.class)
    void everyNeuronChipIsKnown(NeuronChip chip) {
        assertThat(match(AcceleratorProfile.neuron(0, chip, 2))).isPresent();
    }

    private static Optional<String> match(AcceleratorProfile profile) {
        return BUILT_IN.match(profile).map(DeviceEntry::id);
    }

    private static AcceleratorProfile named(AcceleratorKind kind, String name) {
        return AcceleratorProfile.builder(AcceleratorType.of(kind, 0))
                .with(DeviceFact.DEVICE_NAME, given(name))
                .build();
    }

    private static AcceleratorProfile onBus(AcceleratorProfile profile, String pciId) {
        return profile.toBuilder().with(DeviceFact.PCI_ID, given(pciId)).build();
    }

    private static <T> Reading<T> given(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }
}
