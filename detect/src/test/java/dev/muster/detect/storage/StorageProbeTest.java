// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.StorageDevice;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageProbeTest {
    private final List<Gap> gaps = new ArrayList<>();

    private List<StorageDevice> probe(HostSketch host) {
        return new StorageProbe().probe(Contexts.of(host), gaps::add);
    }

    private static HostSketch drive(HostSketch host, String name, String rotational) {
        return host.file("/sys/block/" + name + "/queue/rotational", rotational + "\n")
                .file("/sys/block/" + name + "/size", "1000215216\n");
    }

    @Test
    void tellsKindsApartAndSkipsWhatIsNoDrive() {
        HostSketch host = new HostSketch();
        drive(host, "sda", "1");
        drive(host, "sdb", "0");
        drive(host, "sdc", "?");
        drive(host, "vda", "1");
        drive(host, "nvme0n1", "0");
        for (String name : List.of("loop0", "dm-0", "ram0", "zram0", "sr0", "fd0", "md127")) {
            drive(host, name, "0");
        }
        host.folder("/sys/block/nvme0c0n1");

        List<StorageDevice> drives = probe(host);

        assertThat(drives)
                .extracting(StorageDevice::name)
                .containsExactlyInAnyOrder("nvme0n1", "sda", "sdb", "sdc", "vda");
        assertThat(drives)
                .extracting(StorageDevice::kind)
                .containsExactlyInAnyOrder(
                        StorageDevice.StorageKind.NVME,
                        StorageDevice.StorageKind.HDD,
                        StorageDevice.StorageKind.SATA_SSD,
                        StorageDevice.StorageKind.UNKNOWN,
                        StorageDevice.StorageKind.UNKNOWN);
        assertThat(drives).allMatch(drive -> drive.size().find().orElseThrow().equals(Bytes.of(512_110_190_592L)));
        assertThat(gaps).isEmpty();
    }

    @Test
    void defect45_noRateIsInvented() {
        HostSketch host = new HostSketch();
        drive(host, "sda", "1");
        drive(host, "nvme0n1", "0");

        assertThat(probe(host)).noneMatch(drive -> drive.bandwidth().isKnown());
        assertThat(probe(drive(new HostSketch(), "sda", "1")).getFirst().bandwidth())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "the speed of the drive is unknown"));
    }

    @Test
    void whatNoHardwareStandsBehindIsNoDrive() {
        HostSketch host = new HostSketch()
                .folder("/sys/devices/virtual/block/nbd0/queue")
                .link("/sys/block/nbd0", "../devices/virtual/block/nbd0");

        assertThat(probe(host)).isEmpty();
    }

    @Test
    void theLinkOfANvmeDriveSaysTheMostItCanCarry() {
        String controller = "/sys/devices/pci0000:00/0000:00:1d.0/0000:02:00.0";
        HostSketch host = new HostSketch()
                .file(controller + "/uevent", "PCI_CLASS=10802\nPCI_ID=144D:A80A\n")
                .file(controller + "/max_link_speed", "16.0 GT/s PCIe\n")
                .file(controller + "/max_link_width", "4\n")
                .link("/sys/bus/pci/devices/0000:02:00.0", controller)
                .file(controller + "/nvme/nvme0/model", "Some SSD 1TB            \n")
                .folder(controller + "/nvme/nvme0/nvme0n1/queue")
                .link(controller + "/nvme/nvme0/nvme0n1/device", "../../nvme0")
                .link("/sys/block/nvme0n1", controller + "/nvme/nvme0/nvme0n1");

        StorageDevice drive = probe(host).getFirst();

        assertThat(drive.bandwidth().find()).contains(new Bandwidth(7.88));
        assertThat(((Reading.Known<Bandwidth>) drive.bandwidth()).provenance().method())
                .isEqualTo(Provenance.Method.DERIVED);
        assertThat(drive.model().find()).contains("Some SSD 1TB");
    }

    @Test
    void readsTheSpacePaddedModelOfARealDrive() throws IOException {
        HostSketch host = new HostSketch()
                .tar(Fixtures.sharedTar("storage/procfs-nvme-mdstat.tar.gz"), "", "")
                .folder("/sys/block/nvme0n1/queue")
                .link("/sys/block/nvme0n1/device", "/sys/class/nvme/nvme0")
                .folder("/sys/block/nvme1n1/queue")
                .link("/sys/block/nvme1n1/device", "/sys/class/nvme-subsystem/nvme-subsys0");

        List<StorageDevice> drives = probe(host);

        assertThat(drives.getFirst().model().find()).contains("Samsung SSD 970 PRO 512GB");
        assertThat(drives.getLast().bandwidth().isKnown())
                .as("a drive behind several controllers")
                .isFalse();
        assertThat(drives.getLast().model().isKnown()).isTrue();
    }

    @Test
    void readsTheDrivesOfRecordedMachines() throws IOException {
        assertThat(probe(new HostSketch().tar(Fixtures.sharedTar("pci/linux-amd64-accel.tar.gz"), "", "")))
                .extracting(StorageDevice::name)
                .containsExactly("vda");
        assertThat(probe(new HostSketch().tar(Fixtures.sharedTar("pci/linux-amd64-intel-i7-1270P.tar.gz"), "", "")))
                .extracting(StorageDevice::name)
                .containsExactly("nvme0n1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-5", "0", "9223372036854775807"})
    void aSizeThatIsNoneIsUnknown(String text) {
        assertThat(StorageProbe.parseSectors(text)).isEmpty();
    }
}
