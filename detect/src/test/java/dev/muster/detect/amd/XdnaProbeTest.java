// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.amd.AmdHosts.fact;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.PciAddress;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import org.junit.jupiter.api.Test;

class XdnaProbeTest {
    @Test
    void findsAnNpuByItsDriver() {
        String device = "/sys/devices/pci0000:00/0000:c5:00.1";
        AcceleratorProfile npu = only(new HostSketch()
                .link("/sys/class/accel/accel0/device", "../../../devices/pci0000:00/0000:c5:00.1")
                .link(device + "/driver", "../../../bus/pci/drivers/amdxdna")
                .file(device + "/vendor", "0x1022\n")
                .file(device + "/device", "0x17f0\n")
                .file(device + "/fw_version", "1.5.2.380\n")
                .pci("0000:c5:00.1", "1022:17F0", "118000", "amdxdna"));

        assertThat(npu.id().text()).isEqualTo("xdna:0");
        assertThat(npu.memory().isKnown()).isFalse();
        assertThat(npu.available()).isTrue();
        assertThat(npu.deviceName().find()).contains("AMD Ryzen AI NPU (Strix or Krackan)");
        assertThat(fact(npu, DeviceFact.FIRMWARE_VERSION)).contains("1.5.2.380");
        assertThat(fact(npu, DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 0xc5, 0, 1));
        assertThat(fact(npu, DeviceFact.PCI_ID)).contains("1022:17f0");
    }

    @Test
    void reportsAnNpuWithoutDriverAsUnusable() {
        AcceleratorProfile npu = only(new HostSketch().pci("0000:65:00.1", "1022:1502", "118000", ""));

        assertThat(npu.available()).isFalse();
        assertThat(npu.deviceName().find()).contains("AMD Ryzen AI NPU (Phoenix)");
        assertThat(fact(npu, DeviceFact.HEALTH)).contains("the driver amdxdna does not serve it");
    }

    @Test
    void leavesAcceleratorsOfOtherDriversAlone() {
        HostSketch host = new HostSketch()
                .folder("/sys/class/accel/accel0/device")
                .link("/sys/class/accel/accel0/device/driver", "../../bus/pci/drivers/intel_vpu");

        assertThat(new XdnaProbe().hasSigns(Contexts.of(host))).isFalse();
        assertThat(new XdnaProbe().probe(Contexts.of(host)).profiles()).isEmpty();
    }

    private static AcceleratorProfile only(HostSketch host) {
        assertThat(new XdnaProbe().hasSigns(Contexts.of(host))).isTrue();
        ProbeReport report = new XdnaProbe().probe(Contexts.of(host));
        assertThat(report.profiles()).hasSize(1);
        return report.profiles().getFirst();
    }
}
