// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
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
import java.time.Duration;
import org.junit.jupiter.api.Test;

class IntelGpuProbeTest {
    private static final String ONE = "0000:03:00.0";
    private static final String LISTED = """
            {"device_list":[{"device_id":0,"device_name":"Intel(R) Arc(TM) A770 Graphics","pci_bdf_address":"%s",
            "pci_device_id":"0x56a0","uuid":"00000000-0000-0003-0000-000856a08086",
            "vendor_name":"Intel(R) Corporation"}]}
            """.formatted(ONE);
    private static final String DUMPED = """
            Device ID,Device Name,Driver Version,PCI BDF Address,Memory Physical Size
            0,"Intel(R) Arc(TM) A770 Graphics","1.3.27642","%s","16384.00 MiB"
            """.formatted(ONE);

    @Test
    void statisticsOfXpuSmiTellWhatTheKernelDoesNot() {
        HostSketch host = new HostSketch()
                .pci(ONE, "8086:56A0", "30000", "xe")
                .tool("xpu-smi discovery -j", LISTED)
                .tool("xpu-smi discovery --dump 1,2,8,11,16", DUMPED)
                .tool("xpu-smi discovery -d 0", """
                        | Device ID | Device Information |
                        | 0 | Device Name: Intel(R) Arc(TM) A770 Graphics |
                        """)
                .tool("xpu-smi stats -d 0 -j", """
                        {"device_id": 0, "device_level": [
                        {"metrics_type": "XPUM_STATS_POWER", "value": 121.5, "avg": 118.0},
                        {"metrics_type": "XPUM_STATS_GPU_CORE_TEMPERATURE", "value": 61}],
                        "tile_level": [
                        {"tile_id": 0, "data_list": [{"metrics_type": "XPUM_STATS_MEMORY_USED", "value": 1024.0},
                        {"metrics_type": "XPUM_STATS_GPU_UTILIZATION", "value": 12.5}]},
                        {"tile_id": 1, "data_list": [{"metrics_type": "XPUM_STATS_MEMORY_USED", "value": 2048.0},
                        {"metrics_type": "XPUM_STATS_GPU_UTILIZATION", "value": 75}]}]}
                        """);

        AcceleratorProfile gpu = onlyDevice(probe(host));

        assertThat(gpu.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofGib(3));
        assertThat(gpu.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0.75));
        assertThat(gpu.reading(DeviceFact.POWER).find()).contains(new Watts(121.5));
        assertThat(gpu.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(61));
    }

    @Test
    void aTableOfDevicesIsReadWhereTheToolPrintsNothingElse() throws IOException {
        HostSketch host =
                new HostSketch().tool("xpu-smi discovery", Fixtures.shared("intel/xpu-smi/ats-0x020a.discovery.txt"));

        AcceleratorProfile gpu = onlyDevice(probe(host));

        assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:4d:00.0"));
    }

    @Test
    void readsTheRecordedArcBehindI915() throws IOException {
        AcceleratorProfile gpu = onlyDevice(recorded("a380-i915"));

        assertThat(gpu.reading(DeviceFact.KERNEL_DRIVER).find()).contains("i915");
        assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("8086:56a5");
        assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:0b:00.0"));
        assertThat(gpu.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(55));
        assertThat(gpu.reading(DeviceFact.CLOCK_MAX).find()).contains(Hertz.ofMegahertz(2450));
        assertThat(gpu.reading(DeviceFact.CLOCK).find()).contains(Hertz.ofMegahertz(600));
        assertThat(gpu.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(55));
        assertThat(gpu.memory().find()).contains(Bytes.ofGib(6));
        assertThat(gpu.deviceName().find()).contains("Intel Arc A380");
    }

    @Test
    void readsTheRecordedBattlemageBehindXe() throws IOException {
        AcceleratorProfile gpu = onlyDevice(recorded("b580"));

        assertThat(gpu.reading(DeviceFact.KERNEL_DRIVER).find()).contains("xe");
        assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("8086:e20b");
        assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:09:00.0"));
        assertThat(gpu.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(190));
        assertThat(gpu.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(54));
        assertThat(gpu.reading(DeviceFact.MEMORY_TEMPERATURE).find()).contains(new Celsius(56));
        assertThat(gpu.reading(DeviceFact.CLOCK_MAX).find()).contains(Hertz.ofMegahertz(2850));
        assertThat(gpu.reading(DeviceFact.NUMA_NODE).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.PARTITIONING).isKnown()).isFalse();
        assertThat(gpu.memory().find()).contains(Bytes.ofGib(12));
        assertThat(gpu.deviceName().find()).contains("Intel Arc B580");
    }

    @Test
    void readsTheRecordedIntegratedGpu() throws IOException {
        AcceleratorProfile gpu = onlyDevice(recorded("cometlake"));

        assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("8086:9b41");
        assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:00:02.0"));
        assertThat(gpu.reading(DeviceFact.CLOCK_MAX).find()).contains(Hertz.ofMegahertz(1150));
        assertThat(gpu.reading(DeviceFact.PCIE_GENERATION).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.PCIE_WIDTH).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.TEMPERATURE).isKnown()).isFalse();
        assertThat(gpu.memory()).isEqualTo(unsupported("shares the host's memory"));
    }

    @Test
    void pitfall11_theLinkInsideACardIsNotTheSlots() throws IOException {
        for (String name : new String[] {"a380-i915", "b580"}) {
            AcceleratorProfile gpu = onlyDevice(recorded(name));

            assertThat(gpu.reading(DeviceFact.PCIE_GENERATION).isKnown()).isFalse();
            assertThat(gpu.reading(DeviceFact.PCIE_WIDTH_MAX))
                    .isEqualTo(unsupported("the driver reports only the link inside the card, not the slot's"));
            assertThat(gpu.reading(DeviceFact.PCIE_BANDWIDTH).isKnown()).isFalse();
        }
    }

    @Test
    void pitfall11_theSlotsLinkIsReadAtTheUpperSideOfTheCardsBridge() {
        AcceleratorProfile gpu = onlyDevice(probe(arc()));

        assertThat(gpu.reading(DeviceFact.PCIE_GENERATION).find()).contains(3L);
        assertThat(gpu.reading(DeviceFact.PCIE_GENERATION_MAX).find()).contains(4L);
        assertThat(gpu.reading(DeviceFact.PCIE_WIDTH).find()).contains(8L);
        assertThat(gpu.reading(DeviceFact.PCIE_WIDTH_MAX).find()).contains(16L);
        assertThat(gpu.reading(DeviceFact.NUMA_NODE).find()).contains(1L);
    }

    @Test
    void theToolAddsNameMemoryDriverAndUuid() {
        HostSketch host =
                arc().tool("xpu-smi discovery -j", LISTED).tool("xpu-smi discovery --dump 1,2,8,11,16", DUMPED);

        ProbeReport report = probe(host);

        AcceleratorProfile gpu = onlyDevice(report);
        assertThat(gpu.deviceName().find()).contains("Intel(R) Arc(TM) A770 Graphics");
        assertThat(gpu.memory().find()).contains(Bytes.ofGib(16));
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION).find()).contains("1.3.27642");
        assertThat(gpu.reading(DeviceFact.UUID).find()).contains("00000000-0000-0003-0000-000856a08086");
        assertThat(gpu.reading(DeviceFact.KERNEL_DRIVER).find()).contains("i915");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void oneDeviceOfTwoSourcesThatDisagreeIsOneDeviceWithAConflict() {
        HostSketch host = arc().tool("xpu-smi discovery -j", LISTED.replace("0x56a0", "0x56a1"))
                .tool("xpu-smi discovery --dump 1,2,8,11,16", DUMPED);

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.Conflict);
    }

    @Test
    void findsDevicesThatOnlyTheToolKnows() {
        HostSketch host = new HostSketch()
                .tool(
                        "xpu-smi discovery --dump 1,2,18,19",
                        "DeviceId,Name,Mem,Drv\n0,Intel Data Center GPU Max 1550,131072,1.3\n")
                .tool("xpu-smi *", 3, "", "");

        ProbeReport report = probe(host);

        assertThat(new IntelGpuProbe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(onlyDevice(report).memory().find()).contains(Bytes.ofGib(128));
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void joinsGpusByXeLinkWithItsRate() throws IOException {
        String two = """
                {"device_list":[{"device_id":0,"device_name":"Intel(R) Data Center GPU Max 1550"},
                {"device_id":1,"device_name":"Intel(R) Data Center GPU Max 1550"}]}
                """;
        HostSketch host = new HostSketch()
                .tool("xpu-smi discovery -j", two)
                .tool("xpu-smi discovery -d 0", Fixtures.own("intel/xpu-smi/max-1550__1.3__synthetic.txt"))
                .tool("xpu-smi topology -m", Fixtures.own("intel/xpu-smi/max-1550-x2-matrix__1.3__synthetic.txt"));

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.profiles().getFirst().memory().find()).contains(Bytes.ofMib(131_072));
        assertThat(report.profiles().getFirst().reading(DeviceFact.PARTITIONING).find())
                .contains("2 tiles");
        assertThat(report.profiles().getFirst().reading(DeviceFact.ECC).find()).contains(true);
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.COMPUTE_UNITS)
                        .find())
                .contains(1024L);
        assertThat(report.profiles().getLast().memory().isKnown()).isFalse();
        assertThat(report.links()).hasSize(1);
        Link link = report.links().getFirst();
        assertThat(link.kind()).isEqualTo(LinkKind.XE_LINK);
        assertThat(link.from().text()).isEqualTo("device:oneapi:0");
        assertThat(link.to().text()).isEqualTo("device:oneapi:1");
        assertThat(link.lanes()).isEqualTo(16);
        // 1000 MiB/s for four lanes.
        assertThat(link.bandwidth().find().orElseThrow().gigabytesPerSecond()).isEqualTo(4.194304);
    }

    @Test
    void pitfall19_baidusToolOfTheSameNameIsNotClaimed() {
        HostSketch host = new HostSketch().tool("xpu-smi *", "+----+\n| XPU-SMI    Driver Version: 4.31 |\n+----+\n");
        HostSketch listing = new HostSketch()
                .tool("xpu-smi discovery -j", "{\"device_list\":[{\"device_id\":0,\"vendor_name\":\"Kunlunxin\"}]}");

        assertThat(probe(host).profiles()).isEmpty();
        assertThat(probe(host).gaps())
                .allMatch(gap -> gap instanceof Gap.Unparsable)
                .isNotEmpty();
        assertThat(probe(listing).profiles()).isEmpty();
    }

    @Test
    void aToolThatHangsIsAskedOnceAndTheCardStaysKnown() {
        HostSketch host = arc().tool("xpu-smi *", 0, LISTED, "", Duration.ofSeconds(60));

        ProbeReport report = probe(host);

        assertThat(onlyDevice(report).memory().isKnown()).isFalse();
        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.Timeout);
    }

    @Test
    void aToolThatFailsIsAGap() {
        ProbeReport report = probe(arc().tool("xpu-smi *", 1, "", "no device\n"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.ToolFailed);
    }

    @Test
    void anIntegratedGpuAloneIsNoReasonToRunATool() {
        HostSketch host = card(new HostSketch(), "card0", "0000:00:02.0", "8086:46A6", "i915")
                .tool("xpu-smi *", 1, "", "must not run");

        assertThat(probe(host).gaps()).isEmpty();
    }

    @Test
    void findsAGpuThatIsOnTheBusWithoutACard() {
        HostSketch host = new HostSketch().pci(ONE, "8086:56CF", "38000", "i915");

        AcceleratorProfile gpu = onlyDevice(probe(host));

        assertThat(gpu.accelerator()).isEqualTo(AcceleratorType.of(AcceleratorKind.INTEL_ONE_API, 0));
        assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("8086:56cf");
        assertThat(gpu.memory().isKnown()).isFalse();
    }

    @Test
    void readsTheSizeThatIntelsOwnDriverTells() {
        HostSketch host = card(new HostSketch(), "card0", ONE, "8086:56A0", "i915")
                .file("/sys/class/drm/card0/lmem_total_bytes", "17179869184\n");

        assertThat(onlyDevice(probe(host)).memory().find()).contains(Bytes.ofGib(16));
    }

    @Test
    void seesNoSignsOnAHostOfOthers() {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .pci("0000:00:1f.0", "8086:7A04", "60100", "");

        assertThat(new IntelGpuProbe().hasSigns(Contexts.of(host))).isFalse();
        assertThat(probe(host).profiles()).isEmpty();
    }

    /// A card with a bridge of its own: root port, upper and lower side of the bridge, GPU.
    private static HostSketch arc() {
        String upper = "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0";
        String gpu = upper + "/0000:02:01.0/" + ONE;
        return new HostSketch()
                .link("/sys/class/drm/card0/device", gpu)
                .file(gpu + "/uevent", "DRIVER=i915\nPCI_CLASS=30000\nPCI_ID=8086:56A0\nPCI_SLOT_NAME=" + ONE + "\n")
                .file(gpu + "/current_link_speed", "2.5 GT/s PCIe\n")
                .file(gpu + "/current_link_width", "1\n")
                .file(gpu + "/max_link_speed", "2.5 GT/s PCIe\n")
                .file(gpu + "/max_link_width", "1\n")
                .file(gpu + "/numa_node", "1\n")
                .file(upper + "/0000:02:01.0/vendor", "0x8086\n")
                .file(upper + "/vendor", "0x8086\n")
                .file(upper + "/current_link_speed", "8.0 GT/s PCIe\n")
                .file(upper + "/current_link_width", "8\n")
                .file(upper + "/max_link_speed", "16.0 GT/s PCIe\n")
                .file(upper + "/max_link_width", "16\n");
    }

    private static HostSketch card(HostSketch host, String name, String address, String id, String driver) {
        return host.file(
                "/sys/class/drm/" + name + "/device/uevent",
                "DRIVER=" + driver + "\nPCI_CLASS=30000\nPCI_ID=" + id + "\nPCI_SLOT_NAME=" + address + "\n");
    }

    private static ProbeReport recorded(String name) throws IOException {
        HostSketch host =
                new HostSketch().tar(Fixtures.sharedTar("intel/sysfs-drm/" + name + ".tar.gz"), name, "/sys/class/drm");
        assertThat(new IntelGpuProbe().hasSigns(Contexts.of(host))).isTrue();
        return probe(host);
    }

    private static ProbeReport probe(HostSketch host) {
        return new IntelGpuProbe().probe(Contexts.of(host));
    }

    private static AcceleratorProfile onlyDevice(ProbeReport report) {
        assertThat(report.profiles()).hasSize(1);
        return report.profiles().getFirst();
    }

    private static <T> Reading<T> unsupported(String detail) {
        return Reading.unknown(UnknownReason.NOT_SUPPORTED, detail);
    }
}
