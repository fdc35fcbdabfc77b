// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvidiaSmiXmlParserTest {
    @Test
    void readsAnH200() throws Exception {
        AcceleratorProfile gpu = only(Fixtures.own("nvidia/h200-microvm/nvidia-smi-q.xml"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA H200");
        assertThat(value(gpu, DeviceFact.UUID)).contains("GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c");
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0, 6, 0));
        assertThat(value(gpu, DeviceFact.PCI_ID)).contains("10de:2335");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(143_771));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ZERO);
        assertThat(value(gpu, DeviceFact.MEMORY_FREE)).contains(Bytes.ofMib(143_156));
        assertThat(value(gpu, DeviceFact.MEMORY_RESERVED)).contains(Bytes.ofMib(616));
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("580.159.04");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("13.0");
        assertThat(value(gpu, DeviceFact.ARCHITECTURE)).contains("Hopper");
        assertThat(value(gpu, DeviceFact.FIRMWARE_VERSION)).contains("96.00.A5.00.1A");
        assertThat(value(gpu, DeviceFact.PARTITIONING)).contains("none");
        assertThat(value(gpu, DeviceFact.VIRTUALIZATION)).contains("pass-through");
        assertThat(value(gpu, DeviceFact.HEALTH)).contains("ok");
        assertThat(gpu.available()).isTrue();
        assertThat(gpu.id().text()).isEqualTo("cuda:0");
        assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY))
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "nvidia-smi does not report it"));
        assertThat(gpu.reading(DeviceFact.FABRIC_STATE).isKnown()).isFalse();
        assertThat(value(gpu, DeviceFact.PROCESSES).orElseThrow().processes()).isEmpty();
    }

    @Test
    void readsTheLoadOfAnH200() throws Exception {
        AcceleratorProfile gpu = only(Fixtures.own("nvidia/h200-microvm/nvidia-smi-q.xml"));

        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(34));
        assertThat(value(gpu, DeviceFact.MEMORY_TEMPERATURE)).contains(new Celsius(35));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(107.05));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(700));
        assertThat(value(gpu, DeviceFact.UTILIZATION)).contains(new Ratio(0));
        assertThat(value(gpu, DeviceFact.CLOCK)).contains(Hertz.ofMegahertz(375));
        assertThat(value(gpu, DeviceFact.CLOCK_MAX)).contains(Hertz.ofMegahertz(1980));
        assertThat(value(gpu, DeviceFact.MEMORY_CLOCK)).contains(Hertz.ofMegahertz(3201));
        assertThat(value(gpu, DeviceFact.MEMORY_CLOCK_MAX)).contains(Hertz.ofMegahertz(3201));
        assertThat(value(gpu, DeviceFact.ECC)).contains(true);
        assertThat(value(gpu, DeviceFact.ECC_CORRECTED)).contains(0L);
        assertThat(value(gpu, DeviceFact.ECC_UNCORRECTED)).contains(0L);
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(5L);
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).contains(5L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH_MAX)).contains(16L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
    }

    @Test
    void pitfall02_memoryOfTheBoardIsNotThatOfItsFirstMigDevice() throws Exception {
        List<AcceleratorProfile> devices = Smi.devices(shared("a100-sxm4-v12.xml"));

        AcceleratorProfile board = devices.getFirst();
        assertThat(value(board, DeviceFact.DEVICE_NAME)).contains("NVIDIA A100-SXM4-80GB");
        assertThat(value(board, DeviceFact.UUID)).contains("GPU-513536b6-7d19-9063-b049-1e69664bb298");
        assertThat(value(board, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 1, 0, 0));
        assertThat(value(board, DeviceFact.MEMORY)).contains(Bytes.ofMib(81_920));
        assertThat(value(board, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(50));
        assertThat(value(board, DeviceFact.MEMORY_RESERVED)).contains(Bytes.ofMib(869));
        assertThat(value(board, DeviceFact.PARTITIONING)).contains("MIG");
        assertThat(value(board, DeviceFact.DRIVER_VERSION)).contains("535.54.03");
        assertThat(value(board, DeviceFact.RUNTIME_VERSION)).contains("12.2");
        assertThat(value(board, DeviceFact.TEMPERATURE)).contains(new Celsius(27));
        assertThat(value(board, DeviceFact.POWER)).contains(new Watts(67.03));
        assertThat(value(board, DeviceFact.POWER_LIMIT)).contains(new Watts(500));
        assertThat(value(board, DeviceFact.PCIE_GENERATION)).contains(4L);
        assertThat(value(board, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(value(board, DeviceFact.ECC_UNCORRECTED)).contains(0L);
        assertThat(board.reading(DeviceFact.UTILIZATION).isKnown()).isFalse();
    }

    @Test
    void listsMigDevicesBelowTheirGpu() throws Exception {
        List<AcceleratorProfile> devices = Smi.devices(shared("a100-sxm4-v12.xml"));

        assertThat(devices).hasSize(5);
        assertThat(devices.subList(1, 5))
                .extracting(device -> device.id().text())
                .containsExactly("cuda:0/gi3-ci0", "cuda:0/gi4-ci0", "cuda:0/gi5-ci0", "cuda:0/gi6-ci0");
        for (AcceleratorProfile slice : devices.subList(1, 5)) {
            assertThat(value(slice, DeviceFact.MEMORY)).contains(Bytes.ofMib(19_968));
            assertThat(value(slice, DeviceFact.MEMORY_FREE)).contains(Bytes.ofMib(19_955));
            assertThat(value(slice, DeviceFact.COMPUTE_UNITS)).contains(14L);
            assertThat(slice.partition().orElseThrow().shape()).isEmpty();
            assertThat(slice.reading(DeviceFact.UUID).isKnown()).isFalse();
        }
    }

    @Test
    void pitfall03_countsGpusAndNotWhatTheHeaderClaims() throws Exception {
        List<Gap> gaps = new ArrayList<>();

        List<AcceleratorProfile> devices =
                Smi.devices(NvidiaSmiXmlParser.parse(shared("a100-sxm4-v12.xml")), NvidiaListing.EMPTY, gaps);

        assertThat(devices).filteredOn(device -> device.partition().isEmpty()).hasSize(1);
        assertThat(gaps)
                .containsExactly(new Gap.Conflict("cuda", "nvidia-smi reports 4 attached GPUs but describes 1"));
    }

    @Test
    void readsAnA10g() throws Exception {
        AcceleratorProfile gpu = only(shared("a10g.xml"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA A10G");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("515.105.01");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("11.7");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(23_028));
        assertThat(value(gpu, DeviceFact.MEMORY_RESERVED)).contains(Bytes.ofMib(435));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(22));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(17));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(25.58));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(300));
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0, 0x1e, 0));
        assertThat(value(gpu, DeviceFact.VIRTUALIZATION)).contains("pass-through");
        assertThat(gpu.reading(DeviceFact.PARTITIONING).isKnown()).isFalse();
        assertThat(value(gpu, DeviceFact.PROCESSES).orElseThrow().processes())
                .containsExactly(new DeviceProcess(725, "/usr/lib/xorg/Xorg", Bytes.ofMib(22)));
        // The recording has an id that no NVIDIA device can have.
        assertThat(gpu.reading(DeviceFact.PCI_ID))
                .isEqualTo(Reading.unknown(UnknownReason.UNREADABLE, "nvidia-smi reports '000000DE'"));
    }

    @Test
    void pitfall11_generationNowIsNotTheMost() throws Exception {
        AcceleratorProfile gpu = only(shared("a10g.xml"));

        assertThat(value(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(4L);
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).contains(1L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH_MAX)).contains(16L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).contains(8L);
    }

    @Test
    void pitfall06_aDocumentWithoutVersionsIsReadAllTheSame() throws Exception {
        AcceleratorProfile gpu = only(shared("gtx-1070-ti.xml"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("GeForce GTX 1070 Ti");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(4096));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(42));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(39));
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).contains(1L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION))
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "nvidia-smi does not report it"));
        assertThat(gpu.reading(DeviceFact.RUNTIME_VERSION).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.POWER))
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "nvidia-smi reports 'N/A'"));
        assertThat(gpu.reading(DeviceFact.POWER_LIMIT).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.PCIE_GENERATION_MAX).isKnown()).isFalse();
    }

    @Test
    void pitfall06_aDocumentWithoutDoctypeIsReadAllTheSame() throws Exception {
        AcceleratorProfile gpu = only(shared("quadro-p400.xml"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("Quadro P400");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("418.43");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("10.1");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(1998));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(33));
        assertThat(gpu.reading(DeviceFact.POWER).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.POWER_LIMIT).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.PARTITIONING).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.ECC_CORRECTED).isKnown()).isFalse();
    }

    @Test
    void pitfall06_aNameThatOldDriversGiveToAnyNewGpuIsNone() throws Exception {
        AcceleratorProfile gpu = only(Smi.document("<product_name>Graphics Device</product_name>"));

        assertThat(gpu.deviceName().isKnown()).isFalse();
    }

    @Test
    void readsAnRtx3080OnWindows() throws Exception {
        AcceleratorProfile gpu = only(shared("rtx-3080-v12.xml"));

        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("536.40");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("12.2");
        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA GeForce RTX 3080");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(10_240));
        assertThat(value(gpu, DeviceFact.MEMORY_RESERVED)).contains(Bytes.ofMib(173));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(1128));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(31));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(22.78));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(336));
        assertThat(value(gpu, DeviceFact.VIRTUALIZATION)).contains("pass-through");
        assertThat(value(gpu, DeviceFact.PROCESSES).orElseThrow().processes())
                .hasSizeGreaterThan(2)
                .contains(new DeviceProcess(835, "/usr/lib/Xorg", Bytes.ofMib(550)));
    }

    @Test
    void pitfall05_powerIsTakenByNameWithinTheGpusOwnBlock() throws Exception {
        AcceleratorProfile gpu = only(shared("rtx-3080-v13.xml"));

        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(139.62));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(320));
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("595.58.03");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("13.2");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(10_240));
        assertThat(value(gpu, DeviceFact.MEMORY_RESERVED)).contains(Bytes.ofMib(397));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(9184));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(27));
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0x0c, 0, 0));
    }

    @Test
    void pitfall05_theModulesBlockIsNotTheGpus() throws Exception {
        AcceleratorProfile gpu = only(Smi.document("<module_power_readings><power_draw>900.00 W</power_draw>"
                + "</module_power_readings><gpu_power_readings><average_power_draw>N/A</average_power_draw>"
                + "<instant_power_draw>38.92 W</instant_power_draw></gpu_power_readings>"));

        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(38.92));
    }

    @Test
    void readsATeslaT4() throws Exception {
        AcceleratorProfile gpu = only(shared("tesla-t4.xml"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("Tesla T4");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("515.105.01");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(15_360));
        assertThat(value(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.ofMib(1032));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(40));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(26.78));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(70));
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).contains(3L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).contains(8L);
        assertThat(value(gpu, DeviceFact.VIRTUALIZATION)).contains("pass-through");
        assertThat(value(gpu, DeviceFact.PCI_ID)).contains("10de:1eb8");
    }

    @Test
    void pitfall01_theDeprecationNoticeIsNoPartOfAVersion() throws Exception {
        String xml = Smi.document("")
                .replace(
                        "<driver_version>580.1</driver_version>",
                        "<driver_version>610.57.04 [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]"
                                + "</driver_version><cuda_version>Deprecated, see \"CUDA UMD version\" instead</cuda_version>"
                                + "<cuda_umd_version>13.3</cuda_umd_version>");

        assertThat(value(only(xml), DeviceFact.DRIVER_VERSION)).contains("610.57.04");
        assertThat(value(only(xml), DeviceFact.RUNTIME_VERSION)).contains("13.3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "N/A",
                "[N/A]",
                " N/A ",
                "[Not Supported]",
                "[Unknown Error]",
                "[GPU requires reset]",
                "ERR!",
                "",
                "Requested functionality has been deprecated",
                "Insufficient Permissions",
                "[Insufficient Permissions]",
                "nan",
                "inf",
                "-5 MiB",
                "99999999999 MiB",
                "0x10 MiB",
                "1e3 MiB"
            })
    void pitfall04_noSpellingOfUnknownBecomesANumber(String spelling) throws Exception {
        AcceleratorProfile gpu = only(Smi.document("<fb_memory_usage><total>" + spelling + "</total></fb_memory_usage>"
                + "<utilization><gpu_util>" + spelling + "</gpu_util></utilization>"));

        assertThat(gpu.memory().isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.UTILIZATION).isKnown()).isFalse();
    }

    @Test
    void pitfall04_theReasonIsKept() throws Exception {
        AcceleratorProfile gpu = only(Smi.document(
                "<uuid>Insufficient Permissions</uuid>" + "<vbios_version>[Unknown Error]</vbios_version>"));

        assertThat(gpu.reading(DeviceFact.UUID))
                .isEqualTo(
                        Reading.unknown(UnknownReason.NOT_PERMITTED, "nvidia-smi reports 'Insufficient Permissions'"));
        assertThat(gpu.reading(DeviceFact.FIRMWARE_VERSION))
                .isEqualTo(Reading.unknown(UnknownReason.UNREADABLE, "nvidia-smi reports '[Unknown Error]'"));
    }

    @Test
    void aGpuThatNeedsAResetCannotBeUsed() throws Exception {
        AcceleratorProfile gpu =
                only(Smi.document("<fb_memory_usage><total>[GPU requires reset]</total></fb_memory_usage>"));

        assertThat(gpu.available()).isFalse();
        assertThat(value(gpu, DeviceFact.HEALTH)).contains("GPU requires reset");
    }

    @Test
    void aChipThatSharesTheProcessorsMemoryStaysADevice() throws Exception {
        AcceleratorProfile gpu = only(Fixtures.own("nvidia/smi-xml/gb10__580.95.05__synthetic.xml"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA GB10");
        assertThat(gpu.memory()).isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "nvidia-smi reports 'N/A'"));
        assertThat(gpu.available()).isTrue();
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0xf, 1, 0, 0));
    }

    @Test
    void aFabricAcrossHostsHasADomain() throws Exception {
        String fabric = "<fabric><state>Completed</state><status>Success</status><cliqueId>7</cliqueId>"
                + "<clusterUuid>4f3c2b1a-0000-4000-8000-000000000001</clusterUuid></fabric>";

        assertThat(value(only(Smi.document(fabric)), DeviceFact.FABRIC_STATE)).contains("completed");
        assertThat(value(only(Smi.document(fabric)), DeviceFact.FABRIC_DOMAIN))
                .contains("4f3c2b1a-0000-4000-8000-000000000001/7");
        assertThat(value(only(Smi.document(fabric.replace("Success", "Failure"))), DeviceFact.FABRIC_STATE))
                .contains("completed, failure");
    }

    @Test
    void pitfall07_theDoctypeIsNeitherFetchedNorRefused(@TempDir Path folder) throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "stolen");
        String xml = Smi.document("<uuid>&leak;</uuid><product_name>A</product_name>")
                .replace(
                        "SYSTEM \"nvsmi_device_v13.dtd\"",
                        "SYSTEM \"" + folder.resolve("absent.dtd").toUri() + "\" [<!ENTITY leak SYSTEM \""
                                + secret.toUri() + "\">]");

        try {
            AcceleratorProfile gpu = only(xml);
            assertThat(value(gpu, DeviceFact.UUID).orElse("")).doesNotContain("stolen");
        } catch (NvidiaFormatException refused) {
            assertThat(refused).hasMessageStartingWith("not XML");
        }
        assertThat(only(Smi.document("<product_name>A</product_name>"))
                        .deviceName()
                        .find())
                .contains("A");
    }

    @Test
    void pitfall10_everyWayToWriteAnAddressIsTheSameAddress() throws Exception {
        assertThat(value(only(at("00000000:0C:00.0")), DeviceFact.PCI_ADDRESS))
                .isEqualTo(PciAddress.find("0000:0c:00.0"));
        assertThat(value(only(at("0000000E:00:00.0")), DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0xe, 0, 0, 0));
        assertThat(value(only(at("00010001:01:00.0")), DeviceFact.PCI_ADDRESS))
                .contains(new PciAddress(0x10001, 1, 0, 0));
        assertThat(only(at("somewhere")).reading(DeviceFact.PCI_ADDRESS).isKnown())
                .isFalse();
    }

    private static String at(String address) {
        return Smi.document("").replace("00000000:01:00.0", address);
    }

    @Test
    void warningsAroundTheDocumentDoNoHarm() throws Exception {
        String xml = "WARNING: something is odd\n" + Smi.document("<product_name>A\u0001B</product_name>")
                + "WARNING: infoROM is corrupted at gpu 0000:01:00.0\n";

        assertThat(only(xml).deviceName().find()).contains("A B");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "No devices were found",
                "<nvidia_smi_log>",
                "<?xml version=\"1.0\"?><html></html>",
                "<nvidia_smi_log><gpu></nvidia_smi_log>",
                "<nvidia_smi_log>&#xFFFF;</nvidia_smi_log>",
                "</nvidia_smi_log><nvidia_smi_log>"
            })
    void junkIsRefusedInSoManyWords(String text) {
        assertThatThrownBy(() -> NvidiaSmiXmlParser.parse(text)).isInstanceOf(NvidiaFormatException.class);
    }

    @Test
    void aDocumentThatGrowsForEverIsRefused() {
        String deep = "<a>".repeat(100) + "</a>".repeat(100);
        assertThatThrownBy(() -> NvidiaSmiXmlParser.parse(Smi.document(deep)))
                .isInstanceOf(NvidiaFormatException.class)
                .hasMessage("more tags than any driver prints");
    }

    private static AcceleratorProfile only(String xml) throws NvidiaFormatException {
        List<AcceleratorProfile> devices = Smi.devices(xml);
        assertThat(devices).hasSize(1);
        return devices.getFirst();
    }

    private static String shared(String name) throws IOException {
        return Fixtures.shared("nvidia/smi-xml/" + name);
    }
}
