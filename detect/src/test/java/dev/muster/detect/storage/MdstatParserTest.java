// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.Gap;
import dev.muster.core.StorageDevice;
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

class MdstatParserTest {
    private static final String SYNTHETIC = """
            Personalities : [raid1] [raid5]
            md1 : active raid5 sdc1[3] sdb1[1] sda1[0]
                  2097152 blocks super 1.2 level 5, 512k chunk, algorithm 2 [3/2] [UU_]
                  [==>..................]  recovery = 12.5% (131072/1048576) finish=0.5min speed=32768K/sec

            md0 : active (read-only) raid1 sdb2[1] sda2[0]
                  1048576 blocks super 1.2 [2/2] [UU]

            md9 : inactive sdx[0](S)
                  4096 blocks super external:imsm

            unused devices: <none>
            """;

    private final List<Gap> gaps = new ArrayList<>();

    private List<StorageDevice> probe(HostSketch host) {
        return new StorageProbe().probe(Contexts.of(host), gaps::add);
    }

    @Test
    void syntheticArraysAreDrives() {
        List<StorageDevice> arrays = probe(new HostSketch().file("/proc/mdstat", SYNTHETIC));

        assertThat(arrays)
                .extracting(
                        StorageDevice::name,
                        StorageDevice::kind,
                        array -> array.model().find().orElseThrow(),
                        array -> array.size().find().orElseThrow(),
                        array -> array.state().find().orElseThrow())
                .containsExactly(
                        tuple(
                                "md1",
                                StorageDevice.StorageKind.RAID,
                                "raid5",
                                Bytes.ofGib(2),
                                "degraded 2 of 3, recovering 12.5 %"),
                        tuple("md0", StorageDevice.StorageKind.RAID, "raid1", Bytes.ofGib(1), "active"));
        assertThat(arrays).noneMatch(array -> array.bandwidth().isKnown());
        assertThat(gaps).isEmpty();
    }

    @Test
    void readsTheStatesOfRealArrays() throws IOException {
        HostSketch host = new HostSketch().tar(Fixtures.sharedTar("storage/procfs-nvme-mdstat.tar.gz"), "", "");

        assertThat(probe(host))
                .extracting(
                        StorageDevice::name,
                        array -> array.model().find().orElse(""),
                        array -> array.state().find().orElseThrow())
                .containsExactly(
                        tuple("md3", "raid6", "active"),
                        tuple("md127", "raid1", "active"),
                        tuple("md0", "raid1", "active"),
                        tuple("md4", "raid1", "inactive"),
                        tuple("md6", "raid1", "degraded 1 of 2, recovering 8.5 %"),
                        tuple("md8", "raid1", "resyncing 8.5 %"),
                        tuple("md201", "raid1", "checking 5.7 %"),
                        tuple("md7", "raid6", "degraded 3 of 4"),
                        tuple("md9", "raid1", "resyncing delayed"),
                        tuple("md10", "raid0", "active"),
                        tuple("md11", "raid1", "resyncing pending"),
                        tuple("md12", "raid0", "active"),
                        tuple("md126", "raid0", "active"),
                        tuple("md00", "raid0", "active"),
                        tuple("md120", "linear", "active"),
                        tuple("md101", "raid0", "active"),
                        tuple("md42", "raid5", "degraded 2 of 3, reshaping 56.1 %"));
    }

    @Test
    void readsTheSizesOfRealArrays() throws IOException {
        HostSketch host = new HostSketch().tar(Fixtures.sharedTar("storage/procfs-nvme-mdstat.tar.gz"), "", "");

        List<StorageDevice> arrays = probe(host);

        assertThat(arrays.getFirst().size().find()).contains(Bytes.ofKib(5_853_468_288L));
        assertThat(arrays.getLast().size().find()).contains(Bytes.ofKib(1_953_381_440L));
    }

    @Test
    void aSizeThatIsNotToldIsUnknown() {
        StorageDevice array = probe(new HostSketch().file("/proc/mdstat", "md0 : active raid1 sda[0]\n"))
                .getFirst();

        assertThat(array.size().isKnown()).isFalse();
        assertThat(array.state().find()).contains("active");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Personalities : \nunused devices: <none>\n", "md0\n", "md0 : odd raid1\n", " 5 blocks\n"})
    void whatIsNoArrayIsNone(String text) {
        assertThat(MdstatParser.parse(text)).isEmpty();
    }
}
