// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SystemIoTest {
    private static Interconnect interconnect(Interconnect.InterconnectKind kind, double gigabytesPerSecond) {
        return new Interconnect(
                kind,
                kind.display() + "0",
                Reading.known(new Bandwidth(gigabytesPerSecond), Provenance.GIVEN),
                Reading.notProbed());
    }

    private static SystemIo joinedBy(Interconnect... interconnects) {
        return SystemIo.of(List.of(interconnects), List.of(), Reading.notProbed());
    }

    private static SystemIo storedOn(double... gigabytesPerSecond) {
        List<StorageDevice> drives = Arrays.stream(gigabytesPerSecond)
                .mapToObj(rate -> StorageDevice.of(
                        "nvme", StorageDevice.StorageKind.NVME, Reading.known(new Bandwidth(rate), Provenance.GIVEN)))
                .toList();
        return SystemIo.of(List.of(), drives, Reading.notProbed());
    }

    @Test
    void anEmptySystemHasNothing() {
        assertThat(SystemIo.EMPTY.hasInterconnect()).isFalse();
        assertThat(SystemIo.EMPTY.totalInterconnectBandwidth()).isEqualTo(new Bandwidth(0));
        assertThat(SystemIo.EMPTY.estimateIngestionSeconds(Bytes.ofGib(1))).isEmpty();
        assertThat(SystemIo.EMPTY.environment().isKnown()).isFalse();
    }

    @Test
    void sumsTheRatesOfAllInterconnects() {
        assertThat(joinedBy(
                                interconnect(Interconnect.InterconnectKind.NVLINK, 50),
                                interconnect(Interconnect.InterconnectKind.INFINIBAND, 25))
                        .totalInterconnectBandwidth())
                .isEqualTo(new Bandwidth(75));
        assertThat(joinedBy(
                                interconnect(Interconnect.InterconnectKind.ROCE_V2, 50),
                                interconnect(Interconnect.InterconnectKind.ICI, 204.8))
                        .totalInterconnectBandwidth())
                .isEqualTo(new Bandwidth(254.8));
        assertThat(joinedBy(interconnect(Interconnect.InterconnectKind.NVSWITCH, 450))
                        .totalInterconnectBandwidth())
                .isEqualTo(new Bandwidth(450));
        assertThat(joinedBy(
                                interconnect(Interconnect.InterconnectKind.INFINIBAND, 25),
                                interconnect(Interconnect.InterconnectKind.INFINIBAND, 25))
                        .totalInterconnectBandwidth())
                .isEqualTo(new Bandwidth(50));
        assertThat(joinedBy(interconnect(Interconnect.InterconnectKind.NVLINK, 0))
                        .hasInterconnect())
                .isTrue();
    }

    @Test
    void readsADataSetFromTheFastestDrive() {
        assertThat(storedOn(3.5).estimateIngestionSeconds(Bytes.ofGib(100)).orElseThrow())
                .isCloseTo(30.678, Offset.offset(0.001));
        assertThat(storedOn(0.15, 3.5, 0.5)
                        .estimateIngestionSeconds(Bytes.of(100_000_000_000L))
                        .orElseThrow())
                .isCloseTo(28.571, Offset.offset(0.001));
        assertThat(storedOn(2).estimateIngestionSeconds(Bytes.ZERO)).hasValue(0);
    }

    @Test
    void aDriveWithoutARateTellsNothing() {
        assertThat(storedOn(0, -1).estimateIngestionSeconds(Bytes.ofGib(1))).isEmpty();
    }

    @Test
    void kindsReadAsInTheReference() {
        assertThat(Interconnect.InterconnectKind.values())
                .extracting(Interconnect.InterconnectKind::display)
                .containsExactly("InfiniBand", "RoCE", "RoCE v2", "NVLink", "NVSwitch", "XGMI", "ICI", "PCIe");
        assertThat(Interconnect.InterconnectKind.values())
                .filteredOn(Interconnect.InterconnectKind::isInReference)
                .extracting(Interconnect.InterconnectKind::referenceName)
                .containsExactly("InfiniBand", "RoCE", "RoCEv2", "NVLink", "NVSwitch", "XgmiInfinityFabric", "Ici");
        assertThat(StorageDevice.StorageKind.values())
                .extracting(StorageDevice.StorageKind::display)
                .containsExactly("NVMe", "SATA SSD", "HDD", "RAID", "Unknown");
        assertThat(StorageDevice.StorageKind.values())
                .extracting(StorageDevice.StorageKind::referenceName)
                .containsExactly("NVMe", "SataSsd", "Hdd", "Raid", "Unknown");
    }

    @Test
    void theStorageKindThatTheReferenceCallsUnknownDisplaysAsUnknown() {
        assertThat(StorageDevice.StorageKind.values())
                .filteredOn(kind -> kind.referenceName().equals("Unknown"))
                .extracting(StorageDevice.StorageKind::display)
                .containsExactly("Unknown");
    }

    @Test
    void unknownRatesCountForNothing() {
        SystemIo io = SystemIo.of(
                List.of(
                        interconnect(Interconnect.InterconnectKind.INFINIBAND, 25),
                        new Interconnect(
                                Interconnect.InterconnectKind.INFINIBAND,
                                "down",
                                Reading.unknown(UnknownReason.NOT_SUPPORTED, "the port is down"),
                                Reading.notProbed())),
                List.of(StorageDevice.of("sda", StorageDevice.StorageKind.HDD, Reading.notProbed())),
                Reading.notProbed());

        assertThat(io.totalInterconnectBandwidth()).isEqualTo(new Bandwidth(25));
        assertThat(io.estimateIngestionSeconds(Bytes.ofGib(1))).isEmpty();
    }
}
