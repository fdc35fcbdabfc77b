// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionMemoryTest {
    private static final String NODES = "/sys/class/kfd/kfd/topology/nodes/";
    private static final long SHARE = 51_539_607_552L;

    @Test
    void aPartitionHasTheMemoryThatItsNodeStatesAndThePackageTheSum() {
        List<AcceleratorProfile> devices = devices(package4(4));

        assertThat(devices).hasSize(5);
        assertThat(devices.getFirst().memory().find()).contains(Bytes.of(4 * SHARE));
        assertThat(devices.subList(1, 5)).allSatisfy(partition -> {
            assertThat(partition.partition()).isPresent();
            assertThat(partition.memory().find()).contains(Bytes.of(SHARE));
        });
    }

    @Test
    void aPartitionThatStatesNothingLeavesTheSumUnknown() {
        List<AcceleratorProfile> devices = devices(package4(3));

        assertThat(devices.getFirst().memory().isKnown()).isFalse();
        assertThat(devices.get(1).memory().find()).contains(Bytes.of(SHARE));
        assertThat(devices.getLast().memory().isKnown()).isFalse();
    }

    /// @param stating number of the four partitions that state their memory
    private static HostSketch package4(int stating) {
        HostSketch host = new HostSketch();
        for (int i = 0; i < 4; i++) {
            host.file(
                    NODES + (i + 1) + "/properties",
                    "simd_count 304\nsimd_per_cu 4\nvendor_id 4098\ndevice_id 29857\ngfx_target_version 90402\n"
                            + "location_id " + (1280 + i) + "\ndomain 0\ndrm_render_minor " + (128 + i)
                            + "\nunique_id 16404946649897475633\nnum_xcc 2\n");
            if (i < stating) {
                host.file(NODES + (i + 1) + "/mem_banks/0/properties", "heap_type 1\nsize_in_bytes " + SHARE + "\n");
            }
        }
        return host;
    }

    private static List<AcceleratorProfile> devices(HostSketch host) {
        return new RocmProbe().probe(Contexts.of(host)).profiles();
    }
}
