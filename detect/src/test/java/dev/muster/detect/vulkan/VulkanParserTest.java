// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VulkanParserTest {
    static final String FULL = "vulkan/vulkaninfo/rx580-llvmpipe__24.2.8__synthetic.txt";

    @Test
    void pitfall20_theRecordedProcessorThatPlaysAGpuIsNone() throws IOException {
        List<VulkanDevice> listed = VulkanTextParser.parse(Fixtures.shared("vulkan/rtx4080-llvmpipe.summary.txt"));

        assertThat(listed).hasSize(2);
        assertThat(listed.getLast().isSoftware()).isTrue();
        List<VulkanDevice> gpus = VulkanDevices.merge(listed, List.of());
        assertThat(gpus).hasSize(1);
        VulkanDevice gpu = gpus.getFirst();
        assertThat(gpu.findName()).contains("NVIDIA GeForce RTX 4080");
        assertThat(gpu.findPciId()).contains("10de:2704");
        assertThat(gpu.find("deviceType")).contains("PHYSICAL_DEVICE_TYPE_DISCRETE_GPU");
        assertThat(gpu.find("driverInfo")).contains("565.77");
        assertThat(gpu.find("driverVersion")).contains("565.77.0.0");
        assertThat(gpu.find("deviceUUID")).contains("3d28c8d2-dcc3-dcb6-1da6-5a521f0bcd6d");
        assertThat(gpu.findMemory()).isEmpty();
    }

    @Test
    void pitfall20_theRecordedProfileOfASoftwareRendererIsNoGpu() throws IOException {
        VulkanDevice device = VulkanJsonParser.parse(Fixtures.shared("vulkan/llvmpipe.devsim.json"))
                .orElseThrow();

        assertThat(device.find("deviceType")).contains("PHYSICAL_DEVICE_TYPE_CPU");
        assertThat(device.find("apiVersion")).contains("1.3.255");
        assertThat(device.localHeap()).isEqualTo(Bytes.of(33_544_609_792L));
        assertThat(device.isSoftware()).isTrue();
        assertThat(VulkanDevices.merge(List.of(device), List.of())).isEmpty();
    }

    @Test
    void readsTheLargestHeapOnTheDeviceAndWhereItSits() throws IOException {
        List<VulkanDevice> devices = VulkanTextParser.parse(Fixtures.own(FULL));

        assertThat(devices).hasSize(2);
        VulkanDevice gpu = devices.getFirst();
        assertThat(gpu.findMemory()).contains(Bytes.of(8_321_499_136L));
        assertThat(gpu.findAddress()).isEqualTo(PciAddress.find("0000:01:00.0"));
        assertThat(gpu.find("apiVersion")).contains("1.3.289");
        assertThat(gpu.find("driverVersion")).contains("24.2.8");
    }

    @Test
    void readsHeapsOfJsonInBothForms() {
        String newer = """
                {"capabilities":{"device":{"properties":{"VkPhysicalDeviceProperties":
                {"deviceName":"X","vendorID":4098,"deviceID":26591,
                "deviceType":"VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU"}}}},
                "VkPhysicalDeviceMemoryProperties":{"memoryHeaps":[
                {"flags":["VK_MEMORY_HEAP_DEVICE_LOCAL_BIT"],"size":7},
                {"flags":[],"size":99},{"flags":1,"size":9},5]}}
                """;

        VulkanDevice device = VulkanJsonParser.parse(newer).orElseThrow();

        assertThat(device.findPciId()).contains("1002:67df");
        assertThat(device.findMemory()).contains(Bytes.of(9));
    }

    @Test
    void pitfall20_aGpuOfTwoDriversIsOne() {
        String twice = """
                GPU0:
                    vendorID = 0x1002
                    deviceID = 0x744c
                    deviceName = AMD Radeon RX 7900 XTX (RADV NAVI31)
                    driverID = DRIVER_ID_MESA_RADV
                    deviceUUID = 00000000-0300-0000-0000-000000000000
                GPU1:
                    vendorID = 0x1002
                    deviceID = 0x744c
                    deviceName = AMD Radeon RX 7900 XTX
                    driverID = DRIVER_ID_AMD_OPEN_SOURCE
                    deviceUUID = 00000000-0300-0000-0000-000000000001
                """;

        assertThat(VulkanDevices.merge(VulkanTextParser.parse(twice), List.of()))
                .hasSize(1);
    }

    @Test
    void twoGpusOfOneKindAreTwo() {
        String two = """
                GPU0:
                    vendorID = 0x1002
                    deviceID = 0x744c
                    deviceName = A
                    driverID = X
                    deviceUUID = 1
                GPU1:
                    vendorID = 0x1002
                    deviceID = 0x744c
                    deviceName = A
                    driverID = X
                    deviceUUID = 2
                """;

        assertThat(VulkanDevices.merge(VulkanTextParser.parse(two), List.of())).hasSize(2);
    }

    @Test
    void heapsOfAnotherDeviceAreNotTaken() {
        VulkanDevice summary = VulkanTextParser.parse("GPU0:\n deviceName = A\n vendorID = 0x1002\n")
                .getFirst();
        List<VulkanDevice> other = VulkanTextParser.parse("""
                GPU0:
                    deviceName = B
                    vendorID = 0x1002
                memoryHeaps[0]:
                    size = 77
                    MEMORY_HEAP_DEVICE_LOCAL_BIT
                """);

        assertThat(other.getFirst().findMemory()).contains(Bytes.of(77));
        assertThat(VulkanDevices.merge(List.of(summary), other).getFirst().findMemory())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "junk",
                "GPU0:",
                "GPU0:\n deviceName = \n apiVersion = 1.1\n",
                "deviceName = A\n",
                "GPU id = 0 (A)\n deviceName = A\n",
                "Cannot create Vulkan instance.",
                "{}",
                "[1]",
                "{\"VkPhysicalDeviceProperties\":3}",
                "\u0000=\ufffd",
            })
    void makesNothingOfJunk(String text) {
        assertThat(VulkanTextParser.parse(text)).isEmpty();
        assertThat(VulkanJsonParser.parse(text)).isEmpty();
    }

    @Test
    void impossibleSizesAndPlacesStayUnknown() {
        VulkanDevice device = VulkanTextParser.parse("""
                GPU0:
                    deviceName = A
                    vendorID = 0x10005555
                    pciBus = 999
                    pciDevice = 0
                    pciFunction = 0
                memoryHeaps[0]:
                    size = 99999999999999999999
                    MEMORY_HEAP_DEVICE_LOCAL_BIT
                """).getFirst();

        assertThat(device.findMemory()).isEmpty();
        assertThat(device.findAddress()).isEmpty();
        assertThat(device.findPciId()).isEmpty();
    }
}
