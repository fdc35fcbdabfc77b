// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.muster.model.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Untrusted GGUF files: they are read, or refused with a reason.
final class GgufFuzzTest {
    /// Small limits, so that inputs reach them.
    private static final CheckpointReader.Limits LIMITS =
            new CheckpointReader.Limits(1 << 14, 64, 64, 4, Duration.ofSeconds(5));

    private static final int CUT_STEP = 16;

    private static @Nullable Path folder;

    @FuzzTest
    void whole(byte[] data) throws IOException {
        read(write("whole.gguf", data));
    }

    /// The first byte says where the second part begins.
    @FuzzTest
    void split(byte[] data) throws IOException {
        int cut = data.length == 0 ? 0 : Math.min(data.length, (data[0] & 0xFF) * CUT_STEP);
        byte[] first = Arrays.copyOfRange(data, Math.min(cut, 1), cut);
        byte[] second = Arrays.copyOfRange(data, cut, data.length);
        write("model-00001-of-00002.gguf", first);
        read(write("model-00002-of-00002.gguf", second));
    }

    private static void read(Path path) {
        try {
            Checkpoint model = GgufReader.read(path, Scan.start(LIMITS, GgufFuzzTest::check));
            assertThat(model.weightBytes().find().orElseThrow()).isLessThanOrEqualTo(model.fileBytes());
        } catch (CheckpointException expected) {
            assertThat(expected.getMessage()).isNotBlank();
        }
    }

    private static void check(Tensor tensor) {
        assertThat(tensor.bytes()).isPositive();
        assertThat(tensor.elements()).isPositive();
        assertThat(tensor.offset()).isPositive();
    }

    private static Path write(String name, byte[] data) throws IOException {
        Path made = folder;
        if (made == null) {
            made = Files.createTempDirectory("gguf-fuzz");
            made.toFile().deleteOnExit();
            folder = made;
        }
        Path path = made.resolve(name);
        path.toFile().deleteOnExit();
        return Files.write(path, data);
    }
}
