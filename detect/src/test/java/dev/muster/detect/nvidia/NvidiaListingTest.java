// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.Fixtures;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class NvidiaListingTest {
    @Test
    void aWholeGpuHasNoMigDevices() throws IOException {
        assertThat(NvidiaListing.parse(Fixtures.own("nvidia/h200-microvm/nvidia-smi-L.txt")))
                .isEqualTo(NvidiaListing.EMPTY);
    }

    @Test
    void pitfall02_readsNamesOfMigDevicesOfAllKinds() {
        NvidiaListing listing = NvidiaListing.parse("""
                GPU 0: NVIDIA A100 (UUID: GPU-1)
                  MIG 1c.2g.20gb+me  Device  0: (UUID: MIG-a)
                  MIG 3g.40gb     Device  1: (UUID: MIG-GPU-1/2/0)
                GPU 1: NVIDIA A100 (UUID: GPU-2)
                """);

        assertThat(listing.slices()).hasSize(2);
        assertThat(listing.findSlice(0, 0)).contains(new NvidiaListing.Slice(0, 0, "1c.2g.20gb+me", "MIG-a"));
        assertThat(listing.findSlice(0, 1)).contains(new NvidiaListing.Slice(0, 1, "3g.40gb", "MIG-GPU-1/2/0"));
        assertThat(listing.findSlice(1, 0)).isEmpty();
        assertThat(listing.findSlice(7, 0)).isEmpty();
    }

    @Test
    void passesOverEverythingElse() {
        assertThat(NvidiaListing.parse("No devices found.\nMIG 1g Device 0: (UUID: MIG-x)\nGPU x: y (UUID: z)\n(UUID:")
                        .slices())
                .isEmpty();
    }
}
