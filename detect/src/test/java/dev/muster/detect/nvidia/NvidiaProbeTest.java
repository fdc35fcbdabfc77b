// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NvidiaProbeTest {
    private static final String QUERY = "nvidia-smi " + String.join(" ", NvidiaSmiQuerySource.QUESTION);
    private static final String TWO_ROWS = """
            0, 24576, 1, 24000, 8.6, 560.35.03, RTX 3090, 40, 20, 0, 9751
            1, 24576, 1, 24000, 8.6, 560.35.03, RTX 3090, 40, 20, 0, 9751
            """;
    private static final String IDENTITY = "nvidia-smi --query-gpu=index,uuid,pci.bus_id --format=csv,noheader,nounits";

    @Test
    void joinsAllThatIsKnownOfARecordedHost() throws IOException {
        ProbeReport report = probe(H200Machine.kernel()
                .tool("nvidia-smi -q -x", Fixtures.own("nvidia/h200-microvm/nvidia-smi-q.xml"))
                .tool(QUERY, "0, 143771, 0, 143156, 9.0, 580.159.04, NVIDIA H200, 34, 100.56, 0, 3201\n")
                .tool("nvidia-smi nvlink -s", "")
                .tool("nvidia-smi topo -m", Fixtures.own("nvidia/h200-microvm/nvidia-smi-topo.txt")));

        AcceleratorProfile gpu = only(report);
        assertThat(report.gaps()).isEmpty();
        assertThat(gpu.available()).isTrue();
        assertThat(value(gpu, DeviceFact.MEMORY)).contains(Bytes.ofMib(143_771));
        assertThat(value(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("9.0");
        assertThat(value(gpu, DeviceFact.KERNEL_DRIVER)).contains("nvidia");
        assertThat(value(gpu, DeviceFact.PCI_ID)).contains("10de:2335");
        assertThat(value(gpu, DeviceFact.UUID)).contains("GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c");
        assertThat(value(gpu, DeviceFact.FIRMWARE_VERSION)).contains("96.00.A5.00.1A");
        assertThat(gpu.reading(DeviceFact.NUMA_NODE))
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "the kernel does not report the NUMA node"));
        assertThat(report.links()).isEmpty();
        assertThat(report.interconnects()).isEmpty();
    }

    @Test
    void eachFactSaysWhereItCameFrom() throws IOException {
        AcceleratorProfile gpu = only(probe(
                H200Machine.kernel().tool("nvidia-smi -q -x", Fixtures.own("nvidia/h200-microvm/nvidia-smi-q.xml"))));

        assertThat(gpu.memory())
                .isEqualTo(Reading.known(
                        Bytes.ofMib(143_771),
                        Provenance.of("nvidia-smi", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED)
                                .withObservedAt(HostSketch.NOW)));
        assertThat(gpu.reading(DeviceFact.KERNEL_DRIVER))
                .isEqualTo(Reading.known(
                        "nvidia",
                        Provenance.of(
                                        "/sys/bus/pci/devices/0000:00:06.0/uevent",
                                        Provenance.Method.FILE,
                                        Provenance.Confidence.MEASURED)
                                .withObservedAt(HostSketch.NOW)));
    }

    @Test
    void findsTheDriversGpuWithoutAnyTool() throws IOException {
        AcceleratorProfile gpu = only(probe(H200Machine.kernel()));

        assertThat(gpu.available()).isTrue();
        assertThat(value(gpu, DeviceFact.DEVICE_NAME)).contains("NVIDIA H200");
        assertThat(value(gpu, DeviceFact.DRIVER_VERSION)).contains("580.159.04");
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).contains(5L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(gpu.memory().isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.HEALTH).isKnown()).isFalse();
    }

    @Test
    void pitfall12_theBusAloneTellsAGpuAndNotItsMemory() throws IOException {
        HostSketch host = new HostSketch()
                .tar(
                        Fixtures.sharedTar("nvidia/sysfs-drm/rtx4080.tar.gz"),
                        "rtx4080/card1/device",
                        "/sys/bus/pci/devices/0000:09:00.0");

        assertThat(new NvidiaProbe().hasSigns(Contexts.of(host))).isTrue();
        AcceleratorProfile gpu = only(probe(host));
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 9, 0, 0));
        assertThat(value(gpu, DeviceFact.PCI_ID)).contains("10de:2704");
        assertThat(value(gpu, DeviceFact.KERNEL_DRIVER)).contains("nvidia");
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).contains(2L);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).contains(16L);
        assertThat(gpu.memory())
                .isEqualTo(Reading.unknown(
                        UnknownReason.NOT_SUPPORTED, "the kernel does not report the memory of this GPU"));
    }

    @Test
    void aGraphicsCardWithoutTheBusIsAGpu() throws IOException {
        HostSketch host = new HostSketch()
                .tar(Fixtures.sharedTar("nvidia/sysfs-drm/rtx4080.tar.gz"), "rtx4080", "/sys/class/drm");

        assertThat(new NvidiaProbe().hasSigns(Contexts.of(host))).isTrue();
        AcceleratorProfile gpu = only(probe(host));
        assertThat(value(gpu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 9, 0, 0));
        assertThat(value(gpu, DeviceFact.PCI_ID)).contains("10de:2704");
        assertThat(gpu.memory().isKnown()).isFalse();
    }

    @Test
    void soundSwitchesAndBridgesAreNoGpus() {
        HostSketch host = new HostSketch()
                .pci("0000:01:00.1", "10DE:10F0", "40300", "snd_hda_intel")
                .pci("0000:02:00.0", "10DE:22A3", "68000", "nvidia-nvswitch")
                .pci("0000:03:00.0", "10DE:1AD8", "C0330", "xhci_hcd")
                .pci("0000:04:00.0", "1002:744C", "30000", "amdgpu");

        assertThat(new NvidiaProbe().hasSigns(Contexts.of(host))).isFalse();
        assertThat(probe(host).profiles()).isEmpty();
    }

    @Test
    void hasSignsOfTheDriverOrTheToolAlone() {
        assertThat(new NvidiaProbe().hasSigns(Contexts.of(new HostSketch()))).isFalse();
        assertThat(new NvidiaProbe().hasSigns(Contexts.of(new HostSketch().folder("/proc/driver/nvidia/gpus"))))
                .isTrue();
        assertThat(new NvidiaProbe().hasSigns(Contexts.of(new HostSketch().tool("nvidia-smi -L", ""))))
                .isTrue();
    }

    @Test
    void aGpuThatTheDriverDoesNotReportIsStillADevice() {
        ProbeReport report = probe(new HostSketch()
                .pci("0000:01:00.0", "10DE:2684", "30000", "nvidia")
                .pci("0000:02:00.0", "10DE:2684", "30000", "nvidia")
                .pci("0000:03:00.0", "10DE:2684", "30000", "vfio-pci")
                .pci("0000:04:00.0", "10DE:2684", "30000", "nouveau")
                .pci("0000:05:00.0", "10DE:2684", "30200", "")
                .tool("nvidia-smi -q -x", Smi.document("<product_name>NVIDIA GeForce RTX 4090</product_name>")));

        assertThat(report.profiles())
                .extracting(gpu -> gpu.id().text(), AcceleratorProfile::available)
                .containsExactly(
                        tuple("cuda:0", true),
                        tuple("cuda:1", false),
                        tuple("cuda:2", false),
                        tuple("cuda:3", false),
                        tuple("cuda:4", false));
        assertThat(report.profiles().subList(1, 5))
                .extracting(gpu -> value(gpu, DeviceFact.HEALTH).orElseThrow())
                .containsExactly(
                        "the driver does not report this GPU",
                        "bound to vfio-pci",
                        "bound to nouveau",
                        "no driver is bound");
        assertThat(value(report.profiles().getFirst(), DeviceFact.KERNEL_DRIVER))
                .contains("nvidia");
    }

    @Test
    void noDevicesWereFoundIsNoDeviceAndAGap() {
        ProbeReport quiet = probe(new HostSketch().tool("nvidia-smi -q -x", "No devices were found\n"));
        assertThat(quiet.profiles()).isEmpty();
        assertThat(quiet.gaps()).containsExactly(new Gap.Unparsable("cuda", "nvidia-smi says: No devices were found"));

        ProbeReport loud = probe(new HostSketch().tool("nvidia-smi -q -x", 6, "No devices were found\n", ""));
        assertThat(loud.profiles()).isEmpty();
        assertThat(loud.gaps())
                .containsExactly(
                        new Gap.ToolFailed("nvidia-smi", Reading.known(6, Provenance.GIVEN), "No devices were found"));
    }

    @Test
    void aDriverThatDoesNotAnswerLeavesItsGpusUnavailable() {
        String complaint = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.";
        ProbeReport report = probe(new HostSketch()
                .pci("0000:01:00.0", "10DE:2684", "30000", "nvidia")
                .tool("nvidia-smi *", 9, complaint + "\n", ""));

        assertThat(only(report).available()).isFalse();
        assertThat(value(only(report), DeviceFact.HEALTH))
                .hasValueSatisfying(health -> assertThat(health).startsWith("the driver does not answer: NVIDIA-SMI"));
        assertThat(report.gaps())
                .containsExactly(new Gap.ToolFailed("nvidia-smi", Reading.known(9, Provenance.GIVEN), complaint));
    }

    @Test
    void aToolThatHangsIsAskedOnce() {
        ProbeReport report = probe(new HostSketch()
                .pci("0000:01:00.0", "10DE:2684", "30000", "nvidia")
                .tool("nvidia-smi -q -x", 0, "", "", Duration.ofHours(1))
                .tool(QUERY, "0, 1, 1, 1, 9.0, 550\n"));

        assertThat(report.gaps()).hasSize(1).first().isInstanceOf(Gap.Timeout.class);
        assertThat(value(only(report), DeviceFact.HEALTH))
                .contains("the driver does not answer: nvidia-smi did not answer in time");
        assertThat(only(report).available()).isFalse();
    }

    @Test
    void asksForATableWhereTheDocumentCannotBeRead() {
        ProbeReport report = probe(new HostSketch()
                .pci("0000:41:00.0", "10DE:2204", "30000", "nvidia")
                .pci("0000:81:00.0", "10DE:2204", "30000", "nvidia")
                .tool("nvidia-smi -q -x", "<nvidia_smi_log><gpu></nvidia_smi_log>")
                .tool(QUERY, TWO_ROWS)
                .tool(IDENTITY, "0, GPU-a, 00000000:41:00.0\n1, GPU-b, 00000000:81:00.0\n"));

        assertThat(report.profiles())
                .extracting(
                        gpu -> value(gpu, DeviceFact.PCI_ADDRESS).orElseThrow().bus())
                .containsExactly(0x41, 0x81);
        assertThat(report.profiles()).allMatch(AcceleratorProfile::available);
        assertThat(report.profiles())
                .allMatch(gpu -> value(gpu, DeviceFact.KERNEL_DRIVER).isPresent());
        assertThat(report.gaps())
                .hasSize(1)
                .first()
                .satisfies(
                        gap -> assertThat(gap.display()).startsWith("cuda: parse error — nvidia-smi -q -x: not XML"));
    }

    @Test
    void gpusThatCannotBeToldApartAreNotCountedTwice() {
        ProbeReport report = probe(new HostSketch()
                .pci("0000:41:00.0", "10DE:2204", "30000", "nvidia")
                .pci("0000:81:00.0", "10DE:2204", "30000", "nvidia")
                .tool("nvidia-smi -q -x", "junk")
                .tool(QUERY, TWO_ROWS));

        assertThat(report.profiles()).hasSize(2);
    }

    @Test
    void aDocumentIsBelievedThoughTheToolComplains() {
        ProbeReport report = probe(new HostSketch()
                .tool(
                        "nvidia-smi -q -x",
                        14,
                        Smi.document("<uuid>GPU-a</uuid>") + "WARNING: infoROM is corrupted\n",
                        ""));

        assertThat(value(only(report), DeviceFact.UUID)).contains("GPU-a");
        assertThat(report.gaps())
                .containsExactly(new Gap.ToolFailed("nvidia-smi", Reading.known(14, Provenance.GIVEN), ""));
    }

    @Test
    void sourcesThatDisagreeAboutOneGpuAreAConflict() {
        ProbeReport report = probe(new HostSketch()
                .pci("0000:01:00.0", "10DE:2684", "30000", "nvidia")
                .file("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t Other\nGPU UUID: \t GPU-a\n")
                .tool("nvidia-smi -q -x", Smi.document("<product_name>One</product_name><uuid>GPU-a</uuid>")));

        assertThat(only(report).deviceName().find()).contains("One");
        assertThat(report.gaps())
                .containsExactly(new Gap.Conflict(
                        "cuda:0",
                        "name is One according to nvidia-smi, but Other according to"
                                + " /proc/driver/nvidia/gpus/0000:01:00.0/information"));
    }

    @Test
    void migDevicesGetTheirNamesAndCapability() throws IOException {
        SmiCapture capture = SmiCapture.of("linux-x86_64__nvidia-h200-mig__590.48.01.txt");
        ProbeReport report = probe(new HostSketch()
                .tool("nvidia-smi -q -x", QueryText.toXml(capture.query("idle")))
                .tool("nvidia-smi -L", capture.section("capabilities :: list (-L)"))
                .tool("nvidia-smi nvlink -s", capture.section("capabilities :: nvlink -s"))
                .tool(QUERY, "0, 143771, 55, 143103, 9.0, 590.48.01, NVIDIA H200, 28, 78.28, [N/A], 3201\n"));

        assertThat(report.profiles()).hasSize(6);
        assertThat(report.profiles())
                .allMatch(device -> value(device, DeviceFact.COMPUTE_CAPABILITY)
                        .filter("9.0"::equals)
                        .isPresent());
        assertThat(report.profiles().get(3).id().text()).isEqualTo("cuda:0/MIG-00000002-0000-0000-0000-000000000002");
        assertThat(report.profiles().getFirst().reading(DeviceFact.FABRIC_LINKS))
                .isEqualTo(Reading.unknown(
                        UnknownReason.NOT_SUPPORTED, "Nvlink queries are not supported for Devices in MIG mode"));
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void coherentHostMemoryIsWhatTheHostHasAndNoConstant() {
        HostSketch host = new HostSketch()
                .pci("0009:01:00.0", "10DE:2342", "30200", "nvidia")
                .file("/sys/bus/pci/devices/0009:01:00.0/numa_node", "0\n")
                .file(
                        "/proc/driver/nvidia/gpus/0009:01:00.0/numa_status",
                        "Node: 1\nStatus: online\nSize: 17e0000000\n")
                .file("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       502973568 kB\n");

        AcceleratorProfile gpu = only(probe(host));
        assertThat(value(gpu, DeviceFact.MEMORY_SHARED)).contains(Bytes.ofKib(502_973_568L));
        assertThat(value(gpu, DeviceFact.NUMA_NODE)).contains(0L);
        assertThat(gpu.memory().isKnown()).isFalse();
    }

    @Test
    void withoutACoherentLinkNoHostMemoryIsShared() {
        AcceleratorProfile gpu = only(probe(new HostSketch()
                .pci("0009:01:00.0", "10DE:2342", "30200", "nvidia")
                .file("/sys/bus/pci/devices/0009:01:00.0/numa_node", "0\n")
                .file("/proc/driver/nvidia/gpus/0009:01:00.0/numa_status", "Node: 1\nStatus: offline\n")
                .file("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       502973568 kB\n")));

        assertThat(gpu.reading(DeviceFact.MEMORY_SHARED).isKnown()).isFalse();
    }

    @Test
    void aGpuThatTheDriverIsToldToLeaveOutSaysSo() {
        AcceleratorProfile gpu = only(probe(new HostSketch()
                .file("/proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t A\nGPU Excluded:\t Yes\n")));

        assertThat(gpu.available()).isFalse();
        assertThat(value(gpu, DeviceFact.HEALTH)).contains("the driver is configured to ignore it");
    }

    private static ProbeReport probe(HostSketch host) {
        return new NvidiaProbe().probe(Contexts.of(host));
    }

    private static AcceleratorProfile only(ProbeReport report) {
        assertThat(report.profiles()).hasSize(1);
        return report.profiles().getFirst();
    }
}
