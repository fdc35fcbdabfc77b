// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.PciAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PciPathTest {
    private static PciAddress at(String address) {
        return PciAddress.find(address).orElseThrow();
    }

    @Test
    void readsRootPortAndSwitch() {
        PciPath path = PciPath.parse("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/0000:3c:04.0/0000:3d:00.0")
                .orElseThrow();

        assertThat(path.hostBridge()).isEqualTo("0000:3a");
        assertThat(path.address()).isEqualTo(at("0000:3d:00.0"));
        assertThat(path.bridges()).containsExactly(at("3a:00.0"), at("3b:00.0"), at("3c:04.0"));
        assertThat(path.hops()).containsExactly(at("3a:00.0"), at("3b:00.0"));
    }

    @Test
    void aDeviceOfTheRootHasNoBridges() {
        PciPath path = PciPath.parse("/sys/devices/pci0000:00/0000:00:02.0").orElseThrow();

        assertThat(path.bridges()).isEmpty();
        assertThat(path.hops()).isEmpty();
    }

    @Test
    void leavesOutWhatStandsBehindTheDevice() {
        PciPath path = PciPath.parse("/sys/devices/pci0000:00/0000:00:1d.0/0000:02:00.0/nvme/nvme0")
                .orElseThrow();

        assertThat(path.address()).isEqualTo(at("02:00.0"));
    }

    @Test
    void readsABusBehindAVolumeController() {
        PciPath path = PciPath.parse("/sys/devices/pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0")
                .orElseThrow();

        assertThat(path.hostBridge()).isEqualTo("0000:00");
        assertThat(path.address()).isEqualTo(at("10000:e1:00.0"));
    }

    @Test
    void pitfall10_domainsOfAnyLengthAreKept() {
        PciPath hyperV = PciPath.parse("/sys/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/"
                        + "47505500-0001-0000-3130-444531334532/pci000e:00/000e:00:00.0")
                .orElseThrow();

        assertThat(hyperV.hostBridge()).isEqualTo("000e:00");
        assertThat(hyperV.address()).isEqualTo(new PciAddress(0xe, 0, 0, 0));
        assertThat(PciPath.parse("/sys/devices/pci10002:00/10002:00:00.0")
                        .orElseThrow()
                        .address())
                .isEqualTo(new PciAddress(0x10002, 0, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/sys/devices/virtual/net/lo", "/sys/devices/pci0000:00"})
    void otherPathsLeadToNoDevice(String path) {
        assertThat(PciPath.parse(path)).isEmpty();
    }
}
