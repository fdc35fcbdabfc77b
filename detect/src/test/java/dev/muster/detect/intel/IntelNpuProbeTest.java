// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.intel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntelNpuProbeTest {
    private static final String PLACE = "/sys/bus/pci/devices/0000:00:0b.0";

    @ParameterizedTest
    @CsvSource({"7D1D, Meteor Lake", "AD1D, Arrow Lake", "643E, Lunar Lake", "B03E, Panther Lake"})
    void findsEveryGeneration(String device, String architecture) {
        AcceleratorProfile npu =
                onlyDevice(new HostSketch().pci("0000:00:0b.0", "8086:" + device, "120000", "intel_vpu"));

        assertThat(npu.accelerator()).isEqualTo(AcceleratorType.of(AcceleratorKind.INTEL_NPU, 0));
        assertThat(npu.reading(DeviceFact.ARCHITECTURE).find()).contains(architecture);
        assertThat(npu.reading(DeviceFact.KERNEL_DRIVER).find()).contains("intel_vpu");
        assertThat(npu.available()).isTrue();
        assertThat(npu.memory().isKnown()).isFalse();
    }

    @Test
    void readsWhatTheDriverTells() {
        AcceleratorProfile npu = onlyDevice(new HostSketch()
                .pci("0000:00:0b.0", "8086:643E", "120000", "intel_vpu")
                .file(PLACE + "/npu_memory_utilization", "16777216\n")
                .file(PLACE + "/npu_current_frequency_mhz", "0\n")
                .file(PLACE + "/npu_max_frequency_mhz", "1950\n")
                .file(PLACE + "/numa_node", "-1\n"));

        assertThat(npu.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(16));
        assertThat(npu.reading(DeviceFact.CLOCK_MAX).find()).contains(Hertz.ofMegahertz(1950));
        assertThat(npu.reading(DeviceFact.CLOCK).find()).contains(new Hertz(0));
        assertThat(npu.reading(DeviceFact.NUMA_NODE).isKnown()).isFalse();
    }

    @Test
    void anNpuWithoutADriverCannotBeUsed() {
        assertThat(onlyDevice(new HostSketch().pci("0000:00:0b.0", "8086:643E", "120000", ""))
                        .available())
                .isFalse();
    }

    @Test
    void findsTheDriversDeviceWhereTheBusIsNotShown() {
        HostSketch host = new HostSketch()
                .link("/sys/class/accel/accel0/device/driver", "../../../bus/pci/drivers/intel_vpu")
                .link("/sys/class/accel/accel1/device/driver", "../../../bus/pci/drivers/amdxdna");

        assertThat(onlyDevice(host).reading(DeviceFact.KERNEL_DRIVER).find()).contains("intel_vpu");
    }

    @Test
    void findsTheFolderThatOtherToolsLookFor() {
        AcceleratorProfile npu = onlyDevice(new HostSketch().folder("/sys/class/misc/intel_npu"));

        assertThat(npu.memory().isKnown()).isFalse();
    }

    @Test
    void signalProcessorsOfALaptopAreNoNpus() throws IOException {
        HostSketch host = new HostSketch()
                .pci("0000:00:04.0", "8086:461D", "118000", "proc_thermal_pci")
                .pci("0000:00:0a.0", "8086:467D", "118000", "intel_vsec");

        assertThat(new IntelNpuProbe().hasSigns(Contexts.of(host))).isFalse();
        assertThat(probe(host).profiles()).isEmpty();
    }

    @Test
    void theRecordedLaptopHasNoNpu() throws IOException {
        HostSketch host = new HostSketch().tar(Fixtures.sharedTar("pci/linux-amd64-intel-i7-1270P.tar.gz"), "", "");

        assertThat(Contexts.of(host).pci().devices())
                .anyMatch(device -> device.id().equals("8086:461d"));
        assertThat(new IntelNpuProbe().hasSigns(Contexts.of(host))).isFalse();
    }

    private static AcceleratorProfile onlyDevice(HostSketch host) {
        assertThat(new IntelNpuProbe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(probe(host).profiles()).hasSize(1);
        return probe(host).profiles().getFirst();
    }

    private static ProbeReport probe(HostSketch host) {
        return new IntelNpuProbe().probe(Contexts.of(host));
    }
}
