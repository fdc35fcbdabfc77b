// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.MemoryDevice;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.hwloc.HwlocDocument;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Machines that have a device of which no tool and no bus speaks.
class SilentMachinesTest {
    private static final String MEMINFO = "MemTotal:       64349568 kB\n";

    @Test
    void aJetsonWithoutNvidiaSmiHasAGpuThatSharesTheHostsMemory() {
        HostSketch host = new HostSketch()
                .file("/proc/meminfo", MEMINFO)
                .file("/proc/device-tree/compatible", "nvidia,p3737-0000+p3701-0000\0nvidia,tegra234\0")
                .file("/proc/device-tree/model", "NVIDIA Jetson AGX Orin Developer Kit\0")
                .folder("/sys/devices/platform/17000000.gpu");

        assertThat(accelerators(host)).singleElement().satisfies(gpu -> {
            assertThat(gpu.id().text()).isEqualTo("cuda:0");
            assertThat(gpu.deviceName().find()).contains("NVIDIA Orin (NVIDIA Jetson AGX Orin Developer Kit)");
            assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("8.7");
            assertThat(gpu.memory().isKnown()).isFalse();
            assertThat(gpu.reading(DeviceFact.MEMORY_SHARED).find()).contains(Bytes.ofKib(64349568L));
            assertThat(gpu.available()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource({"33, Tegra X1, 5.3", "24, Tegra X2, 6.2", "25, Xavier, 7.2", "35, Orin, 8.7"})
    void theFusesNameTheChipOfAJetson(String number, String chip, String capability) {
        HostSketch host = new HostSketch()
                .file("/sys/module/tegra_fuse/parameters/tegra_chip_id", number + "\n")
                .folder("/sys/devices/gpu.0");

        assertThat(accelerators(host)).singleElement().satisfies(gpu -> {
            assertThat(gpu.deviceName().find()).contains("NVIDIA " + chip);
            assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains(capability);
        });
    }

    @Test
    void nodesOfNvidiaAloneAreDevices() {
        HostSketch host = new HostSketch()
                .file("/dev/nvidia0", "")
                .file("/dev/nvidia1", "")
                .file("/dev/nvidiactl", "")
                .file("/dev/nvidia-uvm", "");

        assertThat(accelerators(host)).extracting(gpu -> gpu.id().text()).containsExactly("cuda:0", "cuda:1");
    }

    @Test
    void aGpuThatWindowsPassesThroughIsADevice() {
        assertThat(accelerators(new HostSketch().file("/dev/dxg", "")))
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.memory().isKnown()).isFalse());
        assertThat(accelerators(new HostSketch().file("/dev/dxg", "").file("/usr/lib/wsl/lib/libcuda.so.1", "")))
                .isEmpty();
    }

    @Test
    void vectorEnginesAreFoundOnTheBusAndByTheirNodes() {
        HostSketch bus = new HostSketch().pci("0000:3b:00.0", "1BCF:001C", "0b4000", "ve_drv");
        HostSketch nodes = new HostSketch()
                .file("/dev/veslot0", "")
                .file("/dev/veslot1", "")
                .file("/dev/ve0", "")
                .file("/dev/ve1", "");

        assertThat(accelerators(bus)).extracting(engine -> engine.id().text()).containsExactly("ve:0");
        assertThat(accelerators(nodes)).hasSize(2);
    }

    @Test
    void hwlocShowsVectorEnginesAndCxlMemory() {
        String xml = """
                <?xml version="1.0" encoding="UTF-8"?>
                <topology version="2.0">
                <object type="Machine" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1">
                <object type="NUMANode" os_index="0" cpuset="0x1" nodeset="0x1" local_memory="1073741824"/>
                <object type="PU" os_index="0" cpuset="0x1" nodeset="0x1"/>
                <object type="Bridge" bridge_type="0-1" depth="0" bridge_pci="0000:[00-ff]">
                <object type="PCIDev" pci_busid="0000:3b:00.0" pci_type="0b40 [1bcf:001c] [1bcf:0000] 00">
                <object type="OSDev" name="ve0" osdev_type="5" subtype="VectorEngine">
                <info name="VectorEngineCores" value="8"/>
                <info name="VectorEngineMemorySize" value="50331648"/>
                </object></object>
                <object type="PCIDev" pci_busid="0000:35:00.0" pci_type="0502 [8086:0d93] [8086:0000] 00">
                <object type="OSDev" name="mem0" osdev_type="0" subtype="CXLMem">
                <info name="CXLRAMSize" value="268435456"/>
                </object></object>
                </object></object></topology>
                """;
        var registry = HwlocDocument.read(xml.getBytes(StandardCharsets.UTF_8));

        assertThat(registry.profiles())
                .filteredOn(device -> device.accelerator().family() != AcceleratorFamily.CPU)
                .singleElement()
                .satisfies(engine -> {
                    assertThat(engine.id().text()).isEqualTo("ve:0");
                    assertThat(engine.memory().find()).contains(Bytes.ofGib(48));
                    assertThat(engine.reading(DeviceFact.COMPUTE_UNITS).find()).contains(8L);
                });
        assertThat(registry.systemIo().memoryDevices()).singleElement().satisfies(memory -> {
            assertThat(memory.kind()).isEqualTo(MemoryDevice.MemoryKind.CXL);
            assertThat(memory.size().find()).contains(Bytes.ofGib(256));
        });
    }

    @Test
    void aCardWithoutADriverCannotBeUsed() {
        HostSketch host = new HostSketch()
                .pci("0000:17:00.0", "1E36:0001", "120000", "")
                .pci("0000:18:00.0", "1DA3:1020", "120000", "")
                .pci("0000:19:00.0", "8086:E20B", "030000", "");

        assertThat(accelerators(host)).hasSize(3).allSatisfy(card -> {
            assertThat(card.available()).isFalse();
            assertThat(card.reading(DeviceFact.HEALTH).find()).contains("no driver is bound");
        });
    }

    @Test
    void aGpuThatNoDriverNamesIsNamedByItsPciId() {
        assertThat(accelerators(new HostSketch().pci("0000:18:00.0", "10DE:2330", "030200", "nvidia")))
                .singleElement()
                .satisfies(gpu -> assertThat(gpu.deviceName().find()).contains("NVIDIA H100 80GB HBM3"));
    }

    @Test
    void anArcCardIsNamedAndItsInnerLinkIsNotTakenForTheSlots() {
        String folder = "/sys/bus/pci/devices/0000:09:00.0";
        HostSketch host = new HostSketch()
                .link(folder, "../../../devices/pci0000:00/0000:00:01.0/0000:09:00.0")
                .file(
                        "/sys/devices/pci0000:00/0000:00:01.0/0000:09:00.0/uevent",
                        "DRIVER=xe\nPCI_CLASS=30000\nPCI_ID=8086:E20B\nPCI_SLOT_NAME=0000:09:00.0\n")
                .file("/sys/devices/pci0000:00/0000:00:01.0/0000:09:00.0/current_link_speed", "2.5 GT/s PCIe\n")
                .file("/sys/devices/pci0000:00/0000:00:01.0/0000:09:00.0/current_link_width", "1\n")
                .file("/sys/devices/pci0000:00/0000:00:01.0/0000:09:00.0/max_link_speed", "2.5 GT/s PCIe\n")
                .file("/sys/devices/pci0000:00/0000:00:01.0/0000:09:00.0/max_link_width", "1\n")
                .link("/sys/class/drm/card0/device", "../../../devices/pci0000:00/0000:00:01.0/0000:09:00.0");

        assertThat(accelerators(host)).singleElement().satisfies(card -> {
            assertThat(card.deviceName().find()).contains("Intel Arc B580");
            assertThat(card.memory().find()).contains(Bytes.ofGib(12));
            assertThat(card.reading(DeviceFact.PCIE_BANDWIDTH).isKnown()).isFalse();
            assertThat(card.reading(DeviceFact.PCIE_GENERATION_MAX).isKnown()).isFalse();
        });
    }

    @ParameterizedTest
    @CsvSource({"0x10, Strix", "0x11, Strix Halo", "0x20, Krackan"})
    void theRevisionNamesTheProcessorOfAnNpu(String revision, String processor) {
        HostSketch host = new HostSketch()
                .pci("0000:c5:00.1", "1022:17F0", "118000", "amdxdna")
                .file("/sys/bus/pci/devices/0000:c5:00.1/revision", revision + "\n");

        assertThat(accelerators(host))
                .singleElement()
                .satisfies(npu -> assertThat(npu.deviceName().find()).contains("AMD Ryzen AI NPU (" + processor + ")"));
    }

    @Test
    void gb10SharesTheHostsMemory() {
        HostSketch host = new HostSketch()
                .file("/proc/meminfo", MEMINFO)
                .tool("nvidia-smi --query-gpu=index,memory.total *", "")
                .tool(
                        "nvidia-smi --query-gpu=index,memory.total,memory.used,memory.free,compute_cap,driver_version,"
                                + "name,temperature.gpu,power.draw,utilization.gpu,clocks.max.memory"
                                + " --format=csv,noheader,nounits",
                        "0, [N/A], [N/A], [N/A], 12.1, 580.95.05, NVIDIA GB10, 40, 4.50, 0, [N/A]\n");

        assertThat(accelerators(host))
                .singleElement()
                .satisfies(gpu ->
                        assertThat(gpu.reading(DeviceFact.MEMORY_SHARED).find()).contains(Bytes.ofKib(64349568L)));
    }

    @Test
    void trainiumIsKnownByItsNeighboursWhereNothingNamesIt() {
        String devices = "[{\"neuron_device\": 0, \"bdf\": \"10:1c.0\", \"connected_to\": [12, 3, 4, 1],"
                + " \"nc_count\": 2, \"memory_size\": 34359738368, \"neuron_processes\": []}]";
        HostSketch host = new HostSketch().tool("neuron-ls *", devices);

        assertThat(accelerators(host))
                .singleElement()
                .satisfies(chip -> assertThat(
                                chip.reading(DeviceFact.COMPUTE_CAPABILITY).find())
                        .contains("Neuron Trainium"));
    }

    private static List<AcceleratorProfile> accelerators(HostSketch host) {
        return DetectBuilder.all().build(host.host(), System.getLogger("test")).detect().profiles().stream()
                .filter(device -> device.accelerator().family() != AcceleratorFamily.CPU)
                .toList();
    }
}
