// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceBufferTest {
    @TempDir
    private static Path folder;

    private static GpuStub stub;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        stub = GpuStub.compile(folder);
    }

    @Test
    void bytesGoThereAndComeBack() {
        int before = stub.live();
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer buffer = stub.device(2).allocate(16);
                DeviceBuffer other = stub.device(2).allocate(24)) {
            MemorySegment sent = arena.allocateFrom(ValueLayout.JAVA_LONG, 5, 7);
            buffer.copyFrom(sent);
            other.fill((byte) 1);
            other.copyFrom(buffer);
            MemorySegment received = stub.device(2).allocatePinned(24, arena);
            other.copyTo(received);
            assertThat(received.toArray(ValueLayout.JAVA_LONG)).containsExactly(5, 7, 0x0101010101010101L);
            buffer.copyFrom(sent.asSlice(8), 0);
            buffer.copyTo(received.asSlice(0, 8), 8);
            assertThat(received.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(7);
            assertThat(buffer.device().ordinal()).isEqualTo(2);
        }
        assertThat(stub.live()).isEqualTo(before);
    }

    @Test
    void theHostCannotReachItAndLives() {
        try (DeviceBuffer buffer = stub.device(0).allocate(8)) {
            MemorySegment segment = buffer.segment();
            assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(WrongThreadException.class);
            assertThatThrownBy(() -> segment.fill((byte) 0)).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    void copiesBeyondItsEndAreRefused() {
        try (Arena arena = Arena.ofConfined();
                DeviceBuffer buffer = stub.device(0).allocate(8)) {
            MemorySegment large = arena.allocate(16);
            assertThatThrownBy(() -> buffer.copyFrom(large)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> buffer.copyTo(large.asSlice(0, 4), 5))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatIllegalArgumentException().isThrownBy(() -> buffer.copyTo(MemorySegment.ofArray(new byte[4])));
            assertThatIllegalArgumentException().isThrownBy(() -> buffer.copyFrom(buffer.segment()));
            assertThatIllegalArgumentException().isThrownBy(() -> stub.device(0).allocate(0));
        }
    }

    @Test
    void aClosedOneSaysSoAndIsFreedOnce() {
        int before = stub.live();
        DeviceBuffer buffer = stub.device(1).allocate(8);
        MemorySegment kept = buffer.segment();
        assertThat(stub.device(1).holds(kept)).isTrue();
        assertThat(stub.device(0).holds(kept)).isFalse();
        buffer.close();
        buffer.close();
        assertThat(stub.live()).isEqualTo(before);
        assertThatThrownBy(buffer::segment)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the buffer of 8 bytes on device cuda:1 is closed");
        assertThatThrownBy(() -> buffer.fill((byte) 0)).isInstanceOf(IllegalStateException.class);
        assertThat(stub.device(1).holds(kept)).isFalse();
    }

    @Test
    void moreThanThereIsIsAnErrorWithTheDriversWord() {
        assertThatThrownBy(() -> stub.device(0).allocate(1L << 40))
                .isInstanceOf(GroupException.class)
                .hasMessageContaining("cuMemAlloc_v2 said CUDA_ERROR_OUT_OF_MEMORY (2)");
    }

    @Test
    void aDeviceThatIsNotThereIsUnavailable() {
        assertThatThrownBy(() -> stub.device(99))
                .isInstanceOfSatisfying(
                        GroupException.class, e -> assertThat(e.code()).isEqualTo(GroupError.UNAVAILABLE))
                .hasMessageContaining("no device 99: this process may use 8 of CUDA");
    }

    @Test
    void aMissingLibraryIsUnavailableWithAdvice() {
        assertThatThrownBy(() -> GpuLibrary.load(GpuRuntime.HIP, List.of("libno-such.so.1")))
                .isInstanceOfSatisfying(
                        GroupException.class, e -> assertThat(e.code()).isEqualTo(GroupError.UNAVAILABLE))
                .hasMessageContaining("libno-such.so.1 is not available")
                .hasMessageContaining("install ROCm");
    }

    @Test
    void rangesAreFoundWhateverTheOrderTheyCame() {
        DeviceRanges ranges = new DeviceRanges();
        ranges.add(100, 10);
        ranges.add(300, 10);
        ranges.add(200, 10);
        assertThat(ranges.holds(200, 10)).isTrue();
        assertThat(ranges.holds(205, 5)).isTrue();
        assertThat(ranges.holds(205, 6)).isFalse();
        assertThat(ranges.holds(99, 1)).isFalse();
        ranges.remove(200);
        assertThat(ranges.holds(200, 1)).isFalse();
        assertThat(ranges.holds(309, 1)).isTrue();
        assertThat(ranges.holds(100, 10)).isTrue();
    }
}
