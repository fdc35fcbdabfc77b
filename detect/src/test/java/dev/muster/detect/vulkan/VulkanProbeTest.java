// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class VulkanProbeTest {
    private static final String SUMMARY = """
            Devices:
            ========
            GPU0:
            	apiVersion = 1.3.274
            	driverVersion = 24.0.9
            	deviceName = AMD Radeon Graphics (RADV RENOIR)
            GPU1:
            	apiVersion = 1.3.274
            	deviceName = llvmpipe (LLVM 17.0.6, 256 bits)
            """;

    @Test
    void readsTheRecordedSummary() throws IOException {
        HostSketch host =
                new HostSketch().tool("vulkaninfo --summary", Fixtures.shared("vulkan/rtx4080-llvmpipe.summary.txt"));

        AcceleratorProfile gpu = onlyDevice(probe(host));

        assertThat(gpu.accelerator()).isEqualTo(AcceleratorType.of(AcceleratorKind.VULKAN_GPU, 0));
        assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("10de:2704");
        assertThat(gpu.reading(DeviceFact.UUID).find()).contains("3d28c8d2-dcc3-dcb6-1da6-5a521f0bcd6d");
        assertThat(gpu.reading(DeviceFact.DRIVER_VERSION).find()).contains("565.77");
        assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("Vulkan 1.3.289");
        assertThat(gpu.memory().isKnown()).isFalse();
    }

    @Test
    void takesMemoryFromTheHeaps() throws IOException {
        String full = Fixtures.own(VulkanParserTest.FULL);
        HostSketch host = new HostSketch().tool("vulkaninfo --summary", full).tool("vulkaninfo", full);

        AcceleratorProfile gpu = onlyDevice(probe(host));

        assertThat(gpu.memory().find()).contains(Bytes.of(8_321_499_136L));
        assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:01:00.0"));
    }

    @Test
    void takesMemoryFromJsonWhereTheFullTextFails() {
        HostSketch host = new HostSketch()
                .tool("vulkaninfo --summary", SUMMARY)
                .tool("vulkaninfo", 1, "", "")
                .tool("vulkaninfo -j", """
                        {"VkPhysicalDeviceProperties":{"deviceName":"AMD Radeon Graphics (RADV RENOIR)"},
                        "VkPhysicalDeviceMemoryProperties":{"memoryHeaps":[{"flags":1,"size":536870912}]}}
                        """);

        assertThat(onlyDevice(probe(host)).memory().find()).contains(Bytes.ofMib(512));
    }

    @Test
    void memoryStaysUnknownWhereOnlyTheSummaryAnswers() {
        HostSketch host = new HostSketch().tool("vulkaninfo --summary", SUMMARY).tool("vulkaninfo *", 1, "", "");

        ProbeReport report = probe(host);

        assertThat(onlyDevice(report).deviceName().find()).contains("AMD Radeon Graphics (RADV RENOIR)");
        assertThat(onlyDevice(report).memory().isKnown()).isFalse();
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void anEmptyListIsNoDevice() {
        ProbeReport report = probe(new HostSketch().tool("vulkaninfo *", ""));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void pitfall20_withoutAnInstanceThereIsAGap() {
        assertThat(probe(new HostSketch().tool("vulkaninfo *", 1, "", "Cannot create Vulkan instance.\n"))
                        .gaps())
                .hasSize(1)
                .allMatch(gap -> gap instanceof Gap.ToolFailed);
        assertThat(probe(new HostSketch().tool("vulkaninfo *", "Cannot create Vulkan instance.\n"))
                        .gaps())
                .hasSize(1)
                .allMatch(gap -> gap instanceof Gap.Unparsable);
    }

    @Test
    void pitfall20_aGuestsGpuIsNotTakenForApples() {
        AcceleratorProfile gpu = onlyDevice(probe(new HostSketch().tool("vulkaninfo *", """
                GPU0:
                	vendorID   = 0x106b
                	deviceID   = 0xf0a1
                	deviceType = PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU
                	deviceName = Virtio-GPU Venus (Apple M1 Pro)
                	driverID   = DRIVER_ID_MESA_VENUS
                """)));

        assertThat(gpu.reading(DeviceFact.VIRTUALIZATION).isKnown()).isTrue();
        assertThat(gpu.reading(DeviceFact.PCI_ID).isKnown()).isFalse();
    }

    @Test
    void reportsACardThatNoDriverServesWithoutInventingMemory() {
        HostSketch host = new HostSketch()
                .file("/sys/class/drm/card0/device/vendor", "0x8086\n")
                .file("/sys/class/drm/card0/device/device", "0x46a6\n");

        assertThat(new VulkanProbe().hasSigns(Contexts.of(host))).isTrue();
        AcceleratorProfile gpu = onlyDevice(probe(host));
        assertThat(gpu.reading(DeviceFact.PCI_ID).find()).contains("8086:46a6");
        assertThat(gpu.memory().isKnown()).isFalse();
        assertThat(gpu.deviceName().isKnown()).isFalse();
    }

    @Test
    void aCardThatVulkanListsIsOneDevice() throws IOException {
        String full = Fixtures.own(VulkanParserTest.FULL);
        HostSketch host = new HostSketch()
                .tool("vulkaninfo *", full)
                .file(
                        "/sys/class/drm/card0/device/uevent",
                        "DRIVER=radeon\nPCI_ID=1002:67DF\nPCI_SLOT_NAME=0000:01:00.0\n")
                .file(
                        "/sys/class/drm/card1/device/uevent",
                        "DRIVER=radeon\nPCI_ID=1002:67DF\nPCI_SLOT_NAME=0000:02:00.0\n");

        assertThat(probe(host).profiles())
                .extracting(gpu ->
                        gpu.reading(DeviceFact.PCI_ADDRESS).find().orElseThrow().toString())
                .isEqualTo(List.of("0000:01:00.0", "0000:02:00.0"));
    }

    @Test
    void cardsOfOtherBackendsAndOfVirtualMachinesAreLeftOut() {
        HostSketch host = new HostSketch()
                .file("/sys/class/drm/card0/device/uevent", "DRIVER=i915\nPCI_ID=8086:46A6\n")
                .file("/sys/class/drm/card1/device/uevent", "DRIVER=ast\nPCI_ID=1A03:2000\n")
                .file("/sys/class/drm/card2/device/uevent", "DRIVER=virtio-pci\nPCI_ID=1AF4:1050\n")
                .file("/sys/class/drm/card3/device/uevent", "PCI_ID=1234:1111\n");

        assertThat(new VulkanProbe().hasSigns(Contexts.of(host))).isFalse();
        assertThat(probe(host).profiles()).isEmpty();
    }

    @Test
    void isNotNeededWhereEveryCardIsServed() {
        HostSketch host = new HostSketch()
                .tool("vulkaninfo *", "")
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .pci("0000:02:00.0", "1A03:2000", "30000", "ast");

        assertThat(new VulkanProbe().hasSigns(Contexts.of(host))).isFalse();
        assertThat(new VulkanProbe().hasSigns(Contexts.of(host.pci("0000:03:00.0", "1002:67DF", "30000", "radeon"))))
                .isTrue();
    }

    @Test
    void aToolThatHangsIsAskedOnce() {
        ProbeReport report = probe(new HostSketch().tool("vulkaninfo *", 0, SUMMARY, "", Duration.ofMinutes(1)));

        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.Timeout);
    }

    private static ProbeReport probe(HostSketch host) {
        return new VulkanProbe().probe(Contexts.of(host));
    }

    private static AcceleratorProfile onlyDevice(ProbeReport report) {
        assertThat(report.profiles()).hasSize(1);
        return report.profiles().getFirst();
    }
}
