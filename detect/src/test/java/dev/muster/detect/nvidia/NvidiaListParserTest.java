package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NvidiaListParserTest {
    @Test
    void readsOneGpu() throws IOException {
        assertThat(NvidiaListParser.parse(Fixtures.own("nvidia/h200-microvm/nvidia-smi-L.txt")))
                .isEqualTo(new NvidiaListing(List.of(new NvidiaListing.Gpu(
                        0, "NVIDIA H200", "GPU-06b9ba2e-b33e-c22a-dc3f-5efe9098ec9c", List.of()))));
    }

    @Test
    void pitfall02_readsNamesOfMigDevicesOfAllKinds() {
        NvidiaListing listing = NvidiaListParser.parse("""
                GPU 0: NVIDIA A100 (UUID: GPU-1)
                  MIG 1c.2g.20gb+me  Device  0: (UUID: MIG-a)
                  MIG 3g.40gb     Device  1: (UUID: MIG-GPU-1/2/0)
                GPU 1: NVIDIA A100 (UUID: GPU-2)
                """);

        assertThat(listing.gpus()).hasSize(2);
        assertThat(listing.findSlice(0, 0)).contains(new NvidiaListing.Slice(0, "1c.2g.20gb+me", "MIG-a"));
        assertThat(listing.findSlice(0, 1)).contains(new NvidiaListing.Slice(1, "3g.40gb", "MIG-GPU-1/2/0"));
        assertThat(listing.findSlice(1, 0)).isEmpty();
        assertThat(listing.findSlice(7, 0)).isEmpty();
    }

    @Test
    void passesOverEverythingElse() {
        assertThat(NvidiaListParser.parse(
                                "No devices found.\nMIG 1g Device 0: (UUID: MIG-x)\nGPU x: y (UUID: z)\n(UUID:")
                        .gpus())
                .isEmpty();
    }
}
