// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.HostSketch;
import org.junit.jupiter.api.Test;

class DeviceMemoryNodesTest {
    private static final String MEMINFO = """
            MemTotal:       358192128 kB
            MemFree:        340000000 kB
            MemAvailable:   338000000 kB
            """;

    @Test
    void memoryOfGpusThatAreNumaNodesIsNotTheHosts() {
        AcceleratorProfile cpu = cpu(power9());

        assertThat(cpu.memory().find()).contains(Bytes.ofKib(358192128L - 6 * 15728640L));
        assertThat(cpu.memoryFree().find()).contains(Bytes.ofKib(338000000L - 6 * 15000000L));
        assertThat(cpu.memory().find().orElseThrow().toGib()).isBetween(251.5, 251.7);
    }

    @Test
    void memoryOfAGpuThatIsNotOnlineIsNotCountedAnyway() {
        HostSketch host = new HostSketch()
                .file("/proc/meminfo", MEMINFO)
                .file("/proc/driver/nvidia/gpus/0004:04:00.0/numa_status", "Node: 255\nStatus: offline\n")
                .file("/sys/devices/system/node/node255/meminfo", "Node 255 MemTotal:       15728640 kB\n");

        assertThat(cpu(host).memory().find()).contains(Bytes.ofKib(358192128L));
    }

    @Test
    void pitfall27_aGpuWhoseMemoryIsOnlineIsANumaNode() {
        assertThat(DeviceMemoryNodes.parse("Node:\t\t250\nStatus:\tonline\nSize:\t\t3f0000000\n"))
                .contains(250L);
        assertThat(DeviceMemoryNodes.parse("Node: 8\nStatus: offline\n")).isEmpty();
        assertThat(DeviceMemoryNodes.parse("Node: -1\nStatus: online\n")).isEmpty();
        assertThat(DeviceMemoryNodes.parse("")).isEmpty();
    }

    private static HostSketch power9() {
        HostSketch host = new HostSketch()
                .file("/proc/meminfo", MEMINFO)
                .file("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       131900000 kB\n")
                .file("/sys/devices/system/node/node8/meminfo", "Node 8 MemTotal:       131900288 kB\n");
        for (int i = 0; i < 6; i++) {
            int node = 250 + i;
            String gpu = "/proc/driver/nvidia/gpus/000" + (i < 3 ? "4" : "5") + ":0" + (i % 3 + 3) + ":00.0";
            host.file(gpu + "/numa_status", "Node:\t\t" + node + "\nStatus:\tonline\nSize:\t\t3f0000000\n")
                    .file(
                            "/sys/devices/system/node/node" + node + "/meminfo",
                            "Node " + node + " MemTotal:       15728640 kB\nNode " + node
                                    + " MemFree:        15000000 kB\n");
        }
        return host;
    }

    private static AcceleratorProfile cpu(HostSketch host) {
        return DetectBuilder.all().build(host.host(), System.getLogger("test")).detect().profiles().stream()
                .filter(device -> device.accelerator().family() == AcceleratorFamily.CPU)
                .findFirst()
                .orElseThrow();
    }
}
