// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.amd.AmdHosts.fact;
import static dev.muster.detect.amd.AmdHosts.only;
import static dev.muster.detect.amd.AmdHosts.probe;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.LinkKind;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class RocmSysfsTest {
    @Test
    void pitfall17_apuMemoryIsACarveOutAndTheRestIsShared() throws IOException {
        HostSketch host = new HostSketch()
                .tar(Fixtures.sharedTar("amd/sysfs-drm/phoenix.tar.gz"), "phoenix/card1", "/sys/class/drm/card1")
                .tar(Fixtures.sharedTar("amd/sysfs-drm/phoenix.tar.gz"), "phoenix/kfd", "/sys/class/kfd/kfd");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:15bf");
        assertThat(fact(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0x64, 0, 0));
        assertThat(gpu.memory().find()).contains(Bytes.of(4_294_967_296L));
        assertThat(fact(gpu, DeviceFact.MEMORY_SHARED)).contains(Bytes.of(31_433_977_856L));
        assertThat(gpu.reading(DeviceFact.NUMA_NODE).isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(25));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(3.103));
        assertThat(fact(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("gfx1103");
        assertThat(fact(gpu, DeviceFact.ARCHITECTURE)).contains("RDNA 3");
        assertThat(fact(gpu, DeviceFact.COMPUTE_UNITS)).contains(12L);
        assertThat(gpu.reading(DeviceFact.UUID).isKnown()).isFalse();
        assertThat(gpu.available()).isTrue();
    }

    @Test
    void readsVega56() throws IOException {
        AcceleratorProfile gpu = only(probe(AmdHosts.drm("vega56")));

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:687f");
        assertThat(gpu.memory().find()).contains(Bytes.of(8_573_157_376L));
        assertThat(fact(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.of(16_613_376L));
        assertThat(fact(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(3L);
        assertThat(fact(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(38));
        assertThat(fact(gpu, DeviceFact.HOTSPOT_TEMPERATURE)).contains(new Celsius(38));
        assertThat(fact(gpu, DeviceFact.MEMORY_TEMPERATURE)).contains(new Celsius(39));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(8));
        assertThat(fact(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(260));
        assertThat(fact(gpu, DeviceFact.FIRMWARE_VERSION)).contains("115-D050PIL-100");
        assertThat(gpu.reading(DeviceFact.MEMORY_SHARED).isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.MEMORY_TYPE)).contains("HBM2");
    }

    @Test
    void leavesMemoryOfRx7900XtxUnknown() throws IOException {
        AcceleratorProfile gpu = only(probe(AmdHosts.drm("rx7900xtx")));

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:744c");
        assertThat(gpu.memory().isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(53));
        assertThat(fact(gpu, DeviceFact.HOTSPOT_TEMPERATURE)).contains(new Celsius(61));
        assertThat(fact(gpu, DeviceFact.MEMORY_TEMPERATURE)).contains(new Celsius(68));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(68));
        assertThat(fact(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(290));
        assertThat(fact(gpu, DeviceFact.PCIE_GENERATION)).contains(4L);
        assertThat(fact(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(fact(gpu, DeviceFact.CLOCK)).contains(Hertz.ofMegahertz(31));
        assertThat(fact(gpu, DeviceFact.CLOCK_MAX)).contains(Hertz.ofMegahertz(2219));
        // Its id is shared by cards with other names and other memory buses.
        assertThat(gpu.deviceName().find()).contains("AMD Navi 31");
        assertThat(gpu.memoryBandwidth().isKnown()).isFalse();
    }

    @Test
    void readsRx9070Xt() throws IOException {
        AcceleratorProfile gpu = only(probe(AmdHosts.drm("rx9070xt")));

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:7550");
        assertThat(fact(gpu, DeviceFact.PCIE_GENERATION)).contains(5L);
        assertThat(fact(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(42));
        assertThat(fact(gpu, DeviceFact.HOTSPOT_TEMPERATURE)).contains(new Celsius(45));
        assertThat(fact(gpu, DeviceFact.MEMORY_TEMPERATURE)).contains(new Celsius(68));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(55));
        assertThat(fact(gpu, DeviceFact.POWER_LIMIT)).contains(new Watts(120));
        assertThat(fact(gpu, DeviceFact.CLOCK)).contains(Hertz.ofMegahertz(19));
    }

    @Test
    void readsRx580WithoutCurrentLink() throws IOException {
        AcceleratorProfile gpu = only(probe(AmdHosts.drm("rx580")));

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:67df");
        assertThat(gpu.memory().find()).contains(Bytes.of(4_294_967_296L));
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(44));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(41.045));
        assertThat(gpu.reading(DeviceFact.PCIE_GENERATION).isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.PCIE_GENERATION_MAX)).contains(3L);
        // 1750 MHz of GDDR5 on 256 bits: four transfers a cycle, as the data sheet of the 4 GB card says.
        assertThat(gpu.memoryBandwidth().find()).contains(new Bandwidth(224));
    }

    @Test
    void pitfall17_radeonCardsAreLeftToOtherBackends() throws IOException {
        HostSketch host = AmdHosts.drm("hd7870");

        assertThat(new RocmProbe().probe(Contexts.of(host)).profiles()).isEmpty();
        host.pci("0000:01:00.0", "1002:6818", "30000", "radeon");
        assertThat(new RocmProbe().probe(Contexts.of(host)).profiles()).isEmpty();
    }

    @Test
    void readsProcfsCardAndTakesNoConnectorForAGpu() throws IOException {
        HostSketch host = new HostSketch()
                .tar(Fixtures.sharedTar("amd/sysfs-drm/procfs-vega10-card0-card1.tar.gz"), "sys", "/sys")
                .folder("/sys/class/drm/card1-DP-1")
                .folder("/sys/class/drm/card1-DP-5");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:687f");
        assertThat(gpu.memory().find()).contains(Bytes.of(8_573_157_376L));
        assertThat(fact(gpu, DeviceFact.MEMORY_USED)).contains(Bytes.of(1_490_378_752L));
        assertThat(fact(gpu, DeviceFact.UTILIZATION)).contains(new Ratio(0.04));
        assertThat(fact(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 9, 0, 0));
        assertThat(fact(gpu, DeviceFact.PCIE_GENERATION)).contains(3L);
        assertThat(fact(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(fact(gpu, DeviceFact.UUID)).contains("GPU-0123456789abcdef");
        assertThat(fact(gpu, DeviceFact.MEMORY_VENDOR)).contains("samsung");
    }

    @Test
    void readsACardWithoutPciBusAndComputeDriver() {
        ProbeReport report = probe(AmdHosts.bareCard(new HostSketch(), 0));

        AcceleratorProfile gpu = only(report);
        assertThat(gpu.id().text()).isEqualTo("rocm:0");
        assertThat(gpu.available()).isTrue();
        assertThat(gpu.memory().find()).contains(Bytes.ofGib(64));
        assertThat(gpu.memoryFree().find()).contains(Bytes.ofGib(63));
        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(47));
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(93));
        assertThat(fact(gpu, DeviceFact.UTILIZATION)).contains(new Ratio(0.33));
        assertThat(gpu.deviceName().find()).contains("AMD Instinct MI210");
        assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:740f");
        // HBM2e on 4096 bits: two transfers a cycle.
        assertThat(gpu.memoryBandwidth().find()).contains(new Bandwidth(1638.4));
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void doesNotCallThePciRevisionACapabilityOrTheVbiosADriver() {
        AcceleratorProfile gpu = only(probe(AmdHosts.bareCard(new HostSketch(), 0)));

        assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION).isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.FIRMWARE_VERSION)).contains("113-D67301-063");
    }

    @Test
    void addsNoVisibleMemoryToTheCardsOwn() {
        HostSketch host = AmdHosts.bareCard(new HostSketch(), 0)
                .file("/sys/devices/amd0/mem_info_vis_vram_total", "85899345920\n");

        assertThat(only(probe(host)).memory().find()).contains(Bytes.ofGib(64));
    }

    @Test
    void asksRocmSmiForXgmiWhereNoFileTells() {
        HostSketch host = AmdHosts.bareCard(AmdHosts.bareCard(new HostSketch(), 0), 1)
                .file("/sys/devices/amd0/xgmi_hive_info", "0\n")
                .file("/sys/devices/amd1/xgmi_hive_info", "0\n")
                .tool(
                        "rocm-smi --showtopo",
                        "=== Link Type between two GPUs ===\n       GPU0 GPU1\nGPU0   0 XGMI\nGPU1   XGMI 0\n");

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.links()).singleElement().satisfies(link -> {
            assertThat(link.kind()).isEqualTo(LinkKind.XGMI);
            assertThat(link.from().text()).isEqualTo("device:rocm:0");
            assertThat(link.to().text()).isEqualTo("device:rocm:1");
            assertThat(link.bandwidth().isKnown()).isFalse();
        });
        assertThat(report.interconnects()).singleElement().satisfies(hive -> {
            assertThat(hive.kind()).isEqualTo(Interconnect.InterconnectKind.XGMI);
            assertThat(hive.name()).isEqualTo("XGMI (2 GPUs)");
            assertThat(hive.state().find()).contains("2 GPUs");
            // The data sheet's 300 GB/s are both directions.
            assertThat(hive.bandwidth().find()).contains(new Bandwidth(150));
        });
    }

    @Test
    void amdSmiNamesTheLinksByAddressWhereRocmSmiIsMissing() {
        HostSketch host = new HostSketch();
        AmdHosts.card(host, 0, "0000:0a:00.0", "1002:740F");
        AmdHosts.card(host, 1, "0000:0b:00.0", "1002:740F");
        AmdHosts.card(host, 2, "0000:0c:00.0", "1002:740F");
        host.tool("amd-smi topology -t", """
                LINK TYPE TABLE:
                             0000:0c:00.0 0000:0a:00.0 0000:0b:00.0
                0000:0c:00.0 SELF         XGMI         PCIE
                0000:0a:00.0 XGMI         SELF         PCIE
                0000:0b:00.0 PCIE         PCIE         SELF
                """);

        assertThat(probe(host).links()).singleElement().satisfies(link -> {
            assertThat(link.from().text()).isEqualTo("device:rocm:0");
            assertThat(link.to().text()).isEqualTo("device:rocm:2");
        });
    }

    @Test
    void countsCardsAsPeopleDo() {
        HostSketch host = new HostSketch();
        AmdHosts.card(host, 10, "0000:0a:00.0", "1002:740F");
        AmdHosts.card(host, 2, "0000:02:00.0", "1002:740F");

        assertThat(probe(host).profiles())
                .extracting(
                        gpu -> fact(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().bus())
                .containsExactly(2, 10);
    }

    @Test
    void callsACardThatTheComputeDriverDoesNotListUnusable() {
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:740F")
                .file("/sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 8\nsimd_count 0\n");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(gpu.available()).isFalse();
        assertThat(fact(gpu, DeviceFact.HEALTH)).contains("the compute driver does not list it");
        assertThat(gpu.memory().isKnown()).isTrue();
    }

    @Test
    void callsAGpuWithoutItsDeviceNodeUnusable() {
        HostSketch host = AmdHosts.node(new HostSketch(), 1, 0x300, "7", "0").file("/dev/null", "");
        assertThat(only(probe(host)).available()).isFalse();

        host.file("/dev/kfd", "");
        assertThat(only(probe(host)).available()).isTrue();
    }

    @Test
    void reportsAGpuThatOnlyTheBusShows() {
        HostSketch host = new HostSketch()
                .pci("0000:05:00.0", "1002:74A1", "120000", "amdgpu")
                .pci("0000:06:00.0", "1002:74A1", "120000", "vfio-pci")
                .pci("0000:07:00.0", "1002:74A1", "120000", "")
                .pci("0000:08:00.0", "1002:AB28", "40300", "snd_hda_intel")
                .file("/sys/bus/pci/devices/0000:05:00.0/mem_info_vram_total", "206141652992\n")
                .file("/sys/bus/pci/devices/0000:05:00.0/numa_node", "1\n");

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(3);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.memory().find()).contains(Bytes.of(206_141_652_992L));
        assertThat(first.deviceName().find()).contains("AMD Instinct MI300X");
        assertThat(fact(first, DeviceFact.NUMA_NODE)).contains(1L);
        assertThat(report.profiles()).extracting(AcceleratorProfile::available).containsExactly(true, false, false);
        assertThat(fact(report.profiles().get(1), DeviceFact.HEALTH)).contains("held by the driver vfio-pci");
        assertThat(fact(report.profiles().get(2), DeviceFact.HEALTH)).contains("no driver is bound");
        assertThat(report.profiles().get(2).memory().isKnown()).isFalse();
    }

    @Test
    void tellsCardsOfOneIdApartByRevision() {
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:744C")
                .file("/sys/class/drm/card0/device/revision", "0xc8\n")
                .file("/sys/class/drm/card0/device/pp_dpm_mclk", "0: 96Mhz *\n1: 1249Mhz\n");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(gpu.deviceName().find()).contains("AMD Radeon RX 7900 XTX");
        // D-26: GDDR6 moves 16 bits per pin and cycle of the clock that the driver tells.
        assertThat(gpu.memoryBandwidth().find().orElseThrow().gigabytesPerSecond())
                .isBetween(955.0, 965.0);
        assertThat(gpu.memoryBandwidth())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance().method()).isEqualTo(Provenance.Method.DERIVED));
    }

    @Test
    void namesACardByTheListOnTheHost() {
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:7480")
                .file("/sys/class/drm/card0/device/revision", "0xcf\n")
                .file("/usr/share/libdrm/amdgpu.ids", "# names\n1.0.0\n7480,\tCF,\tAMD Radeon RX 7600\n");

        assertThat(only(probe(host)).deviceName().find()).contains("AMD Radeon RX 7600");
    }

    @Test
    void inventsNoName() {
        AcceleratorProfile gpu = only(probe(AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:ffff")));

        assertThat(gpu.deviceName().isKnown()).isFalse();
        assertThat(gpu.memoryBandwidth().isKnown()).isFalse();
    }

    @Test
    void pitfall17_toleratesNulBytesAndSensorsThatSayZero() {
        String device = "/sys/class/drm/card0/device/";
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:740F")
                .file(device + "product_name", "Some board\0\0\n")
                .file(device + "hwmon/hwmon3/temp1_label", "edge\0\n")
                .file(device + "hwmon/hwmon3/temp1_input", "40000\n\0\0")
                .file(device + "hwmon/hwmon3/temp3_label", "mem\n")
                .file(device + "hwmon/hwmon3/temp3_input", "0\n")
                .file(device + "hwmon/hwmon3/power1_input", "5000000\n");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(fact(gpu, DeviceFact.TEMPERATURE)).contains(new Celsius(40));
        assertThat(gpu.reading(DeviceFact.MEMORY_TEMPERATURE).isKnown()).isFalse();
        assertThat(fact(gpu, DeviceFact.POWER)).contains(new Watts(5));
    }

    @Test
    void readsPartitioningHiveAndErrors() {
        String device = "/sys/class/drm/card0/device/";
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:74A1")
                .file(device + "current_compute_partition", "CPX\n")
                .file(device + "current_memory_partition", "NPS4\n")
                .file(device + "xgmi_hive_info/xgmi_hive_id", "15188982192727901047\n")
                .file(device + "ras/umc_err_count", "ue: 1\nce: 7\n");

        AcceleratorProfile gpu = only(probe(host));

        assertThat(fact(gpu, DeviceFact.PARTITIONING)).contains("CPX/NPS4");
        assertThat(fact(gpu, DeviceFact.FABRIC_DOMAIN)).contains("15188982192727901047");
        assertThat(fact(gpu, DeviceFact.ECC_CORRECTED)).contains(7L);
        assertThat(fact(gpu, DeviceFact.ECC_UNCORRECTED)).contains(1L);
    }

    @Test
    void seesNoSignsElsewhere() {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .tool("rocm-smi *", "");

        assertThat(new RocmProbe().hasSigns(Contexts.of(host))).isFalse();
    }
}
