// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/// All variants of a file with one bit flipped: each is read, or refused with a reason.
final class BitFlips {
    private BitFlips() {}

    static void assertReadOrRefused(byte[] whole, Path path, BiConsumer<Path, Scan> reader) throws IOException {
        for (int at = 0; at < whole.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] other = whole.clone();
                other[at] ^= (byte) (1 << bit);
                Files.write(path, other);
                try {
                    reader.accept(path, Scan.start(CheckpointReader.Limits.DEFAULT, null));
                } catch (CheckpointException e) {
                    assertThat(e).hasMessageContaining(path.getFileName().toString());
                }
            }
        }
    }
}
