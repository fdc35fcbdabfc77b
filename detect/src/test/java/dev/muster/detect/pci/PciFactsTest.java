// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.pci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.probe.PciInventory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PciFactsTest {
    private final List<Gap> gaps = new ArrayList<>();

    /// A port or device in its real place, with a link to it where the kernel lists all.
    private static HostSketch port(HostSketch host, String path, String id, String max, String width) {
        String real = "/sys/devices" + path;
        String address = path.substring(path.lastIndexOf('/') + 1);
        return host.file(real + "/uevent", "PCI_CLASS=30200\nPCI_ID=" + id + "\nDRIVER=drv\n")
                .file(real + "/max_link_speed", max + "\n")
                .file(real + "/max_link_width", width + "\n")
                .link("/sys/bus/pci/devices/" + address, real);
    }

    private AcceleratorProfile complete(HostSketch host, String address) {
        HostFiles files = host.host().files();
        AcceleratorProfile profile = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(
                        DeviceFact.PCI_ADDRESS,
                        Reading.known(PciAddress.find(address).orElseThrow(), Provenance.GIVEN))
                .build();
        return new PciFacts(files, PciInventory.scan(files), HostSketch.NOW, gaps::add).complete(profile);
    }

    private static <T> T value(AcceleratorProfile profile, DeviceFact<T> fact) {
        return profile.reading(fact).find().orElseThrow();
    }

    @Test
    void fillsWhatTheVendorLeftUnknown() {
        HostSketch host = new HostSketch();
        port(host, "/pci0000:3a/0000:3a:00.0", "8086:2030", "32.0 GT/s PCIe", "16");
        port(host, "/pci0000:3a/0000:3a:00.0/0000:3b:00.0", "10DE:2330", "32.0 GT/s PCIe", "16");
        host.file("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/current_link_speed", "2.5 GT/s PCIe\n")
                .file("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/current_link_width", "8\n")
                .file("/sys/devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0/numa_node", "1\n");

        AcceleratorProfile gpu = complete(host, "0000:3b:00.0");

        assertThat(value(gpu, DeviceFact.PCI_ID)).isEqualTo("10de:2330");
        assertThat(value(gpu, DeviceFact.KERNEL_DRIVER)).isEqualTo("drv");
        assertThat(value(gpu, DeviceFact.NUMA_NODE)).isEqualTo(1);
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION_MAX)).isEqualTo(5);
        assertThat(value(gpu, DeviceFact.PCIE_GENERATION)).isEqualTo(1);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH_MAX)).isEqualTo(16);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH)).isEqualTo(8);
        assertThat(gpu.reading(DeviceFact.PCIE_BANDWIDTH))
                .isEqualTo(Reading.known(
                        new Bandwidth(63.02),
                        Provenance.of(
                                        "/sys/bus/pci/devices/0000:3b:00.0/max_link_speed",
                                        Provenance.Method.DERIVED,
                                        Provenance.Confidence.MEASURED)
                                .withObservedAt(HostSketch.NOW)));
        assertThat(gaps).isEmpty();
    }

    @Test
    void theSlotCanBeWeakerThanTheCard() {
        HostSketch host = new HostSketch();
        port(host, "/pci0000:00/0000:00:01.0", "8086:1901", "8.0 GT/s PCIe", "8");
        port(host, "/pci0000:00/0000:00:01.0/0000:01:00.0", "10DE:2684", "16.0 GT/s PCIe", "16");

        AcceleratorProfile gpu = complete(host, "0000:01:00.0");

        assertThat(value(gpu, DeviceFact.PCIE_GENERATION_MAX)).isEqualTo(3);
        assertThat(value(gpu, DeviceFact.PCIE_WIDTH_MAX)).isEqualTo(8);
        assertThat(value(gpu, DeviceFact.PCIE_BANDWIDTH)).isEqualTo(new Bandwidth(7.88));
    }

    @Test
    void pitfall11_aCardWithItsOwnSwitchIsMeasuredAtTheSlot() {
        HostSketch host = new HostSketch();
        port(host, "/pci0000:00/0000:00:01.0", "8086:A70D", "32.0 GT/s PCIe", "16");
        port(host, "/pci0000:00/0000:00:01.0/0000:01:00.0", "8086:4FA0", "16.0 GT/s PCIe", "16");
        port(host, "/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0", "8086:4FA4", "2.5 GT/s PCIe", "1");
        port(
                host,
                "/pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:03:00.0",
                "8086:56A0",
                "2.5 GT/s PCIe",
                "1");

        AcceleratorProfile arc = complete(host, "0000:03:00.0");

        assertThat(value(arc, DeviceFact.PCIE_GENERATION_MAX)).isEqualTo(4);
        assertThat(value(arc, DeviceFact.PCIE_BANDWIDTH)).isEqualTo(new Bandwidth(31.51));
    }

    @Test
    void keepsWhatTheVendorSaidAndDoesNotInvent() {
        HostSketch host = new HostSketch().pci("0000:01:00.0", "10DE:2684", "30000", "");
        host.file("/sys/bus/pci/devices/0000:01:00.0/max_link_speed", "Unknown\n")
                .file("/sys/bus/pci/devices/0000:01:00.0/max_link_width", "255\n")
                .file("/sys/bus/pci/devices/0000:01:00.0/numa_node", "-1\n");

        AcceleratorProfile gpu = complete(host, "0000:01:00.0");

        assertThat(gpu.reading(DeviceFact.PCIE_GENERATION_MAX))
                .isEqualTo(Reading.unknown(
                        UnknownReason.UNREADABLE,
                        "/sys/bus/pci/devices/0000:01:00.0/max_link_speed reports 'Unknown'"));
        assertThat(gpu.reading(DeviceFact.PCIE_BANDWIDTH).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.PCIE_WIDTH_MAX).isKnown()).isFalse();
        assertThat(gpu.reading(DeviceFact.NUMA_NODE).isKnown())
                .as("pitfall 27: -1 is not a node")
                .isFalse();
        assertThat(gpu.reading(DeviceFact.KERNEL_DRIVER).isKnown()).isFalse();
        assertThat(gaps).isEmpty();
    }

    @Test
    void aDeviceThatTheKernelDoesNotListStaysAsItIs() {
        assertThat(complete(new HostSketch(), "0000:99:00.0")
                        .reading(DeviceFact.PCI_ID)
                        .isKnown())
                .isFalse();
    }

    @Test
    void aVirtualMachineHasOneAcceleratorOfAnUnknownVendor() throws IOException {
        HostFiles files = new HostSketch()
                .tar(Fixtures.sharedTar("pci/linux-amd64-accel.tar.gz"), "", "")
                .host()
                .files();
        PciInventory pci = PciInventory.scan(files);

        assertThat(pci.devices().stream().filter(PciDevice::isAccelerator).map(PciDevice::id))
                .containsExactly("1b36:0005");
        assertThat(pci.ofVendor(0x1af4).stream().filter(PciDevice::isDisplay).map(PciDevice::id))
                .containsExactly("1af4:1050");
        PciFacts facts = new PciFacts(files, pci, HostSketch.NOW, gaps::add);
        assertThat(facts.findPath(new PciAddress(0, 0, 4, 0)).orElseThrow().hostBridge())
                .isEqualTo("0000:00");
        assertThat(facts.findPath(new PciAddress(0, 1, 0, 0)).orElseThrow().hops())
                .containsExactly(new PciAddress(0, 0, 2, 0));
    }

    @Test
    void aLaptopsSignalProcessorsAreNoAccelerators() throws IOException {
        PciInventory pci = PciInventory.scan(new HostSketch()
                .tar(Fixtures.sharedTar("pci/linux-amd64-intel-i7-1270P.tar.gz"), "", "")
                .host()
                .files());

        assertThat(pci.devices().stream().filter(PciDevice::isAccelerator)).isEmpty();
        assertThat(pci.devices().stream().filter(PciDevice::isDisplay).map(PciDevice::id))
                .containsExactly("8086:46a6");
        assertThat(pci.devices().stream()
                        .filter(device -> device.hasClass(0x1180))
                        .map(PciDevice::id))
                .containsExactlyInAnyOrder("8086:461d", "8086:467d");
        assertThat(pci.devices().stream()
                        .filter(device -> device.hasClass(0x0108))
                        .map(PciDevice::id))
                .containsExactly("144d:a80a");
    }
}
