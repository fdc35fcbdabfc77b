// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/// A file that takes each input of a fuzz test in turn, in a folder of its own.
final class FuzzFile {
    private final Path path;

    private FuzzFile(Path path) {
        this.path = path;
    }

    static FuzzFile create(String name) {
        try {
            Path folder = Files.createTempDirectory("muster-fuzz");
            Path path = folder.resolve(name);
            folder.toFile().deleteOnExit();
            path.toFile().deleteOnExit();
            return new FuzzFile(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads bytes as a file; a refusal is as good as an answer.
    void read(byte[] data, BiConsumer<Path, Scan> reader) {
        try {
            Files.write(path, data);
            reader.accept(path, Scan.start(CheckpointReader.Limits.DEFAULT, _ -> {}));
        } catch (CheckpointException _) {
            // refused
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
