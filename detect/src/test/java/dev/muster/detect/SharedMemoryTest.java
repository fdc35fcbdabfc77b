// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.host.HostSketch;
import org.junit.jupiter.api.Test;

/// GPUs that use the host's memory.
class SharedMemoryTest {
    private static final String GB10 = """
            <?xml version="1.0" ?>
            <nvidia_smi_log><driver_version>580.95.05</driver_version><attached_gpus>1</attached_gpus>
            <gpu id="0000000F:01:00.0"><product_name>NVIDIA GB10</product_name>
            <fb_memory_usage><total>N/A</total><used>N/A</used><free>N/A</free></fb_memory_usage></gpu>
            </nvidia_smi_log>
            """;

    private static HostSketch host(long totalGib, long availableGib) {
        return new HostSketch()
                .file(
                        "/proc/meminfo",
                        "MemTotal: " + (totalGib << 20) + " kB\nMemAvailable: " + (availableGib << 20) + " kB\n");
    }

    private static AcceleratorRegistry detect(HostSketch host) {
        return DetectBuilder.all().build(host.host(), System.getLogger("test")).detect();
    }

    private static AcceleratorProfile gpu(AcceleratorRegistry registry) {
        return DeviceChoice.defaults(registry).accelerators().getFirst();
    }

    @Test
    void aChipWithUnifiedMemoryHasWhatTheHostHasLeft() {
        AcceleratorRegistry registry = detect(host(120, 40).tool("nvidia-smi -q -x", GB10));

        assertThat(registry.usableMemory(gpu(registry)).find()).contains(Bytes.ofGib(120));
        assertThat(registry.usableMemoryFree(gpu(registry)).find()).contains(Bytes.ofGib(40));
    }

    @Test
    void aControlGroupLimitsUnifiedMemory() {
        AcceleratorRegistry registry = detect(host(120, 40)
                .tool("nvidia-smi -q -x", GB10)
                .file("/proc/self/cgroup", "0::/\n")
                .file("/sys/fs/cgroup/memory.max", "8589934592\n")
                .file("/sys/fs/cgroup/memory.current", "2147483648\n"));

        assertThat(registry.usableMemory(gpu(registry)).find()).contains(Bytes.ofGib(8));
        assertThat(registry.usableMemoryFree(gpu(registry)).find()).contains(Bytes.ofGib(6));
    }

    @Test
    void anApuWithASmallCarveOutHasWhatItsDriverMapsWithinWhatTheHostHasLeft() {
        String card = "/sys/class/drm/card0/device";
        AcceleratorRegistry registry = detect(host(124, 100)
                .pci("0000:c5:00.0", "1002:1586", "30000", "amdgpu")
                .file(card + "/uevent", "DRIVER=amdgpu\nPCI_ID=1002:1586\nPCI_SLOT_NAME=0000:c5:00.0\n")
                .file(card + "/mem_info_vram_total", "536870912\n")
                .file(card + "/mem_info_vram_used", "402653184\n")
                .file(card + "/mem_info_gtt_total", "128849018880\n")
                .file(card + "/mem_info_gtt_used", "10737418240\n"));

        AcceleratorProfile apu = gpu(registry);
        assertThat(registry.usableMemory(apu).find()).contains(Bytes.ofGib(120));
        assertThat(apu.reading(DeviceFact.MEMORY_SHARED_FREE).find()).contains(Bytes.ofGib(100));
    }
}
