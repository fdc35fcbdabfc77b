// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;

import dev.muster.model.ModelArchitecture;
import dev.muster.model.Tensor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/// A reader of model files of every format: their headers and tables of contents, never their weights. Safe on
/// untrusted files: sizes are checked before memory is allocated, nothing is executed, and an error is a
/// [CheckpointException] with a code and a place. Immutable.
///
/// @since 0.1
public final class CheckpointReader {
    /// The first bytes of a file, by which formats are recognised.
    private static final int FIRST_BYTES = 64;

    private final Limits limits;

    private CheckpointReader(Limits limits) {
        this.limits = limits;
    }

    /// Returns a reader with the usual limits.
    public static CheckpointReader create() {
        return of(Limits.DEFAULT);
    }

    /// Returns a reader with limits of its own.
    public static CheckpointReader of(Limits limits) {
        return new CheckpointReader(limits);
    }

    /// Reads a file or folder.
    ///
    /// @throws CheckpointException if it is not a checkpoint, or a broken one
    public Checkpoint read(Path path) {
        return read(path, Scan.start(limits, null));
    }

    /// Reads a file or folder and hands each tensor on.
    ///
    /// @throws CheckpointException if it is not a checkpoint, or a broken one; some tensors may have been handed on
    public Checkpoint read(Path path, Consumer<Tensor> sink) {
        return read(path, Scan.start(limits, sink));
    }

    /// Returns the architecture that a `config.json` describes.
    ///
    /// @throws CheckpointException if the text is not such a file
    /// @since 0.3
    public static ModelArchitecture parseConfig(String json) {
        return HuggingFaceConfig.parse(json.getBytes(StandardCharsets.UTF_8)).architecture();
    }

    private static Checkpoint read(Path path, Scan scan) {
        if (Files.isDirectory(path)) {
            return ModelFolder.read(path, scan);
        }
        String name = String.valueOf(path.getFileName());
        if (name.endsWith(ShardIndex.ENDING) || name.equals(HuggingFaceConfig.FILE)) {
            Path folder = path.toAbsolutePath().getParent();
            return ModelFolder.read(folder == null ? path : folder, scan);
        }
        if (name.endsWith(".json")) {
            return ModelFolder.readConfig(path, scan);
        }
        byte[] first;
        long size;
        try (FileBytes file = FileBytes.open(path, scan, FIRST_BYTES)) {
            size = file.size();
            first = file.readBytes((int) Math.min(FIRST_BYTES, size));
        }
        if (GgufInput.hasMagic(first)) {
            return GgufReader.read(path, scan);
        }
        // Before pickles: a header of 640 bytes begins as a pickle does.
        if (SafeTensorsReader.recognises(first)) {
            return SafeTensorsReader.read(path, scan);
        }
        if (PyTorchReader.recognises(first) || PyTorchReader.isPickle(first)) {
            return PyTorchReader.read(path, scan);
        }
        if (OnnxSignature.matches(first, size)) {
            return OnnxReader.read(path, scan);
        }
        throw CheckpointException.of(
                UNKNOWN_FORMAT,
                name,
                "is not a supported model file; supported are safetensors, GGUF, ONNX and PyTorch archives");
    }

    /// The limits on reading model files. Every count that a file announces is held against these and against the
    /// file's real size before memory is taken.
    ///
    /// @param headerBytes bytes of one file's header or of one JSON document
    /// @param tensors tensors of a whole checkpoint
    /// @param entries key-value pairs of a header, or members of an archive
    /// @param files files of a whole checkpoint
    /// @param time time limit for the whole checkpoint
    public record Limits(long headerBytes, int tensors, int entries, int files, Duration time) {
        /// Safetensors allows headers of 100 MB; the largest published checkpoints have some 100,000 tensors and 200
        /// files.
        public static final Limits DEFAULT = new Limits(104_857_600, 1_000_000, 100_000, 4096, Duration.ofSeconds(30));

        /// The longest name of a tensor or key, in bytes; GGUF allows 64 for tensors and 65535 for keys.
        static final int NAME_BYTES = 65_535;

        /// The most dimensions of a tensor; PyTorch allows 64.
        static final int RANK = 64;

        /// The deepest nesting of objects and arrays in a header or configuration.
        static final int DEPTH = 64;
    }
}
