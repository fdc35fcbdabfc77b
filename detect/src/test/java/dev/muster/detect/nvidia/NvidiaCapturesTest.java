// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.core.ProcessList.DeviceProcess;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Whole hosts as they were recorded: what their tools say in one form agrees with the other.
class NvidiaCapturesTest {
    private static final String H100 = "linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01.txt";
    private static final String H200_MIG = "linux-x86_64__nvidia-h200-mig__590.48.01.txt";
    private static final String RTX2080 = "linux-x86_64__nvidia-geforce-rtx-2080-super__610.57.04.txt";
    private static final String RTX4080 = "linux-x86_64__nvidia-geforce-rtx-4080-super__595.71.05.txt";
    private static final String WINDOWS = "windows-x86_64__nvidia-geforce-rtx-2080-super__591.86.txt";

    @Test
    void readsAnH100() throws Exception {
        SmiCapture capture = SmiCapture.of(H100);
        AcceleratorProfile gpu = onlyGpu(capture.query("idle"));

        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA H100 80GB HBM3");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(81_559));
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("590.48.01");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("13.1");
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0, 9, 0));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(41));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(700));
        assertThat(value(gpu, DeviceFact.PARTITIONING)).contains("none");
        assertThat(value(gpu, DeviceFact.FABRIC_STATE)).contains("completed");
        assertThat(value(capture.row("idle").profile(Smi.SOURCE), DeviceFact.POWER))
                .contains(new Watts(69.85));
        bothFormsAgree(gpu, capture);

        NvidiaNvlinks links = NvidiaNvlinkParser.parse(capture.section("capabilities :: nvlink -s"))
                .getFirst();
        assertThat(links.active()).hasSize(18).allMatch(rate -> rate.equals(new Bandwidth(26.562)));
        assertThat(links.inactive()).isZero();
        NvidiaTopology.Row row = NvidiaTopoParser.parse(capture.section("capabilities :: topo -m"))
                .rows()
                .getFirst();
        assertThat(row.numa()).isEqualTo("0");
    }

    @Test
    void pitfall02_computeInstancesOfOneGpuInstanceShareMemory() throws Exception {
        SmiCapture capture = SmiCapture.of(H200_MIG);
        NvidiaListing listing = NvidiaListing.parse(capture.section("capabilities :: list (-L)"));

        List<AcceleratorProfile> devices = Smi.devices(capture.query("idle"), listing, new ArrayList<>());

        AcceleratorProfile board = devices.getFirst();
        assertThat(value(board, DeviceFact.MEMORY)).contains(Bytes.ofMib(143_771));
        assertThat(value(board, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0x83, 0, 0));
        assertThat(value(board, DeviceFact.PARTITIONING)).contains("MIG");
        assertThat(board.reading(DeviceFact.UTILIZATION).isKnown()).isFalse();
        List<AcceleratorProfile> slices = devices.subList(1, devices.size());
        assertThat(slices)
                .extracting(slice -> slice.partition().orElseThrow().shape())
                .containsExactly("1c.3g.71gb", "2c.3g.71gb", "2g.35gb", "1g.18gb", "1g.18gb");
        assertThat(slices)
                .extracting(slice -> value(slice, DeviceFact.MEMORY).orElseThrow())
                .containsExactly(
                        Bytes.ofMib(71_424),
                        Bytes.ofMib(71_424),
                        Bytes.ofMib(33_280),
                        Bytes.ofMib(16_384),
                        Bytes.ofMib(16_384));
        assertThat(slices)
                .extracting(slice -> value(slice, DeviceFact.UUID).orElseThrow())
                .containsExactly(
                        "MIG-00000000-0000-0000-0000-000000000000",
                        "MIG-00000001-0000-0000-0000-000000000001",
                        "MIG-00000002-0000-0000-0000-000000000002",
                        "MIG-00000003-0000-0000-0000-000000000003",
                        "MIG-00000004-0000-0000-0000-000000000004");
        assertThat(slices)
                .extracting(slice -> value(slice, DeviceFact.COMPUTE_UNITS).orElseThrow())
                .containsExactly(16L, 32L, 32L, 16L, 16L);
        assertThat(slices.getFirst().id().text()).isEqualTo("cuda:0/MIG-00000000-0000-0000-0000-000000000000");
        assertThat(slices.getFirst().deviceName().find()).contains("NVIDIA H200 MIG 1c.3g.71gb");
        bothFormsAgree(board, capture);
    }

    @Test
    void pitfall02_linksOfAGpuInMigModeAreNotTold() throws Exception {
        SmiCapture capture = SmiCapture.of(H200_MIG);

        assertThat(NvidiaNvlinkParser.parse(capture.section("capabilities :: nvlink -s")))
                .containsExactly(
                        new NvidiaNvlinks(0, List.of(), 0, "Nvlink queries are not supported for Devices in MIG mode"));
        assertThat(capture.row("idle").value("utilization.gpu")).isEqualTo("[N/A]");
    }

    @Test
    void pitfall01_branch610RenamesBothVersions() throws Exception {
        SmiCapture capture = SmiCapture.of(RTX2080);
        AcceleratorProfile gpu = onlyGpu(capture.query("idle"));

        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("610.57.04");
        assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("13.3");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(8192));
        assertThat(value(gpu, DeviceFact.POWER)).contains(new Watts(38.89));
        assertThat(value(gpu, DeviceFact.PROCESSES).orElseThrow().processes())
                .containsExactly(
                        new DeviceProcess(1720, "/usr/bin/gnome-shell", Bytes.ofMib(173)),
                        new DeviceProcess(4556, "/usr/bin/Xwayland", Bytes.ofMib(3)));
        bothFormsAgree(gpu, capture);
        NvidiaQuery.Row row = capture.row("idle");
        assertThat(row.value("kmd_version")).isEqualTo("610.57.04");
        assertThat(value(row.profile(Smi.SOURCE), DeviceFact.COMPUTE_CAPABILITY))
                .contains("7.5");
    }

    @Test
    void pitfall04_oneRowMixesBracketedAndBareForms() throws Exception {
        NvidiaQuery.Row row = SmiCapture.of(RTX2080).row("idle");

        assertThat(row.value("temperature.memory")).isEqualTo("N/A");
        assertThat(row.value("ecc.mode.current")).isEqualTo("[N/A]");
        AcceleratorProfile gpu = row.profile(Smi.SOURCE);
        assertThat(gpu.reading(DeviceFact.MEMORY_TEMPERATURE).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.ECC).isKnown()).isFalse();
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(8192));
    }

    @Test
    void pitfall11_theSlotMayDoMoreThanTheGpu() throws Exception {
        NvidiaQuery.Row row = SmiCapture.of(RTX2080).row("idle");

        assertThat(value(row.profile(Smi.SOURCE), DeviceFact.PCIE_GENERATION)).contains(1L);
        assertThat(value(row.profile(Smi.SOURCE), DeviceFact.PCIE_GENERATION_MAX))
                .contains(3L);
        assertThat(row.value("pcie.link.gen.gpumax")).isEqualTo("3");
        assertThat(row.value("pcie.link.gen.hostmax")).isEqualTo("4");
    }

    @Test
    void pitfall09_onlyTheTableCutsNamesShort() throws Exception {
        SmiCapture capture = SmiCapture.of(RTX4080);

        assertThat(capture.section("idle :: nvidia-smi (default table)")).contains("NVIDIA GeForce RTX 4080 ...");
        AcceleratorProfile gpu = onlyGpu(capture.query("idle"));
        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA GeForce RTX 4080 SUPER");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(16_376));
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 1, 0, 0));
        assertThat(value(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(43));
        assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(320));
        bothFormsAgree(gpu, capture);
        assertThat(NvidiaNvlinkParser.parse(capture.section("capabilities :: nvlink -s"))
                        .getFirst()
                        .remark())
                .isEqualTo("Device does not have or support Nvlink");
    }

    @Test
    void pitfall08_windowsHasNoMatrix() throws Exception {
        SmiCapture capture = SmiCapture.of(WINDOWS);
        AcceleratorProfile gpu = onlyGpu(capture.query("idle"));

        assertThatThrownBy(() -> NvidiaTopoParser.parse(capture.section("capabilities :: topo -m")))
                .isInstanceOf(NvidiaFormatException.class);
        assertThat(capture.section("capabilities :: topo -m")).contains("exit code: 255");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("591.86");
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(8192));
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0x0c, 0, 0));
        assertThat(value(gpu, DeviceFact.PROCESSES).orElseThrow().processes())
                .isNotEmpty()
                .allMatch(process -> process.findMemory().isEmpty());
        assertThat(capture.section("idle :: nvidia-smi (default table)"))
                .contains("Driver-Model")
                .contains("WDDM");
        bothFormsAgree(gpu, capture);
    }

    @Test
    void readsEightH100() throws Exception {
        List<AcceleratorProfile> gpus =
                Smi.devices(QueryText.parse(text("h100-sxm-x8.query.txt")), NvidiaListing.EMPTY, new ArrayList<>());

        assertThat(gpus)
                .extracting(
                        gpu -> value(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().bus())
                .containsExactly(0x18, 0x2a, 0x3a, 0x5d, 0x9a, 0xab, 0xba, 0xdb);
        String table = text("h100-sxm-x8.table.txt");
        for (AcceleratorProfile gpu : gpus) {
            assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA H100 80GB HBM3");
            assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(81_559));
            assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("565.57.01");
            assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("12.7");
            assertThat(value(gpu, DeviceFact.PARTITIONING)).contains("none");
            assertThat(value(gpu, DeviceFact.ECC)).contains(true);
            assertThat(value(gpu, DeviceFact.ARCHITECTURE)).contains("Hopper");
            assertThat(value(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(5L);
            assertThat(value(gpu, DeviceFact.FABRIC_STATE)).contains("completed");
            assertThat(gpu.reading(DeviceFact.FABRIC_DOMAIN).isKnown()).isFalse();
            assertThat(value(gpu, DeviceFact.TEMPERATURE).orElseThrow().degrees())
                    .isBetween(28.0, 31.0);
            assertThat(value(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(700));
            String bus =
                    value(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().toString().substring(5);
            assertThat(table).containsIgnoringCase("00000000:" + bus);
        }
        assertThat(value(gpus.getFirst(), DeviceFact.POWER)).contains(new Watts(100.89));
        assertThat(table).contains("565.57.01").contains("CUDA Version: 12.7").contains("81559MiB");
    }

    @Test
    void cudaSeesTheMemoryThatTheDriverDoesNotReserve() throws Exception {
        String query = text("h100-sxm-x8.deviceQuery.txt");

        assertThat(query).contains("Detected 8 CUDA Capable device(s)");
        assertThat(query.split("CUDA Capability Major/Minor version number:    9\\.0", -1))
                .hasSize(9);
        assertThat(query.split("\\(132\\) Multiprocessors", -1)).hasSize(9);
        assertThat(query.split("85045477376 bytes", -1)).hasSize(9);
        AcceleratorProfile gpu = Smi.devices(
                        QueryText.parse(text("h100-sxm-x8.query.txt")), NvidiaListing.EMPTY, new ArrayList<>())
                .getFirst();
        assertThat(value(gpu, DeviceFact.MEMORY_FREE).orElseThrow().minus(Bytes.of(85_045_477_376L)))
                .isLessThan(Bytes.ofMib(1));
    }

    @Test
    void readsTwoRtx3090() throws Exception {
        List<AcceleratorProfile> gpus =
                Smi.devices(QueryText.parse(text("rtx3090-x2.query.txt")), NvidiaListing.EMPTY, new ArrayList<>());

        assertThat(gpus)
                .extracting(
                        gpu -> value(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().bus())
                .containsExactly(0x41, 0x81);
        for (AcceleratorProfile gpu : gpus) {
            assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA GeForce RTX 3090");
            assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(24_576));
            assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("560.35.03");
            assertThat(value(gpu, DeviceFact.RUNTIME_VERSION)).contains("12.6");
            assertThat(gpu.reading(DeviceFact.PARTITIONING).isKnown()).isFalse();
            assertThat(gpu.reading(DeviceFact.ECC).isKnown()).isFalse();
        }
        assertThat(text("rtx3090-x2.table.txt")).contains("560.35.03").contains("24576MiB");
    }

    /// Facts that stay the same between two questions.
    private static void bothFormsAgree(AcceleratorProfile gpu, SmiCapture capture) {
        AcceleratorProfile row = capture.row("idle").profile(Smi.SOURCE);
        for (DeviceFact<?> fact : List.of(
                DeviceFact.DEVICE_NAME,
                DeviceFact.UUID,
                DeviceFact.PCI_ADDRESS,
                DeviceFact.PCI_ID,
                DeviceFact.MEMORY,
                DeviceFact.DRIVER_VERSION,
                DeviceFact.FIRMWARE_VERSION,
                DeviceFact.POWER_LIMIT,
                DeviceFact.CLOCK_MAX,
                DeviceFact.MEMORY_CLOCK_MAX,
                DeviceFact.PCIE_GENERATION_MAX,
                DeviceFact.PCIE_WIDTH_MAX)) {
            assertThat(gpu.reading(fact).find())
                    .as("%s", fact)
                    .isPresent()
                    .isEqualTo(row.reading(fact).find());
        }
        assertThat(value(gpu, DeviceFact.CLOCK_MAX).orElseThrow()).isGreaterThan(Hertz.ofMegahertz(1000));
    }

    private static AcceleratorProfile onlyGpu(NvidiaElement root) {
        List<AcceleratorProfile> devices = Smi.devices(root, NvidiaListing.EMPTY, new ArrayList<>());
        assertThat(devices).hasSize(1);
        return devices.getFirst();
    }

    private static String text(String file) throws IOException {
        return Fixtures.shared("nvidia/smi-text/" + file);
    }
}
