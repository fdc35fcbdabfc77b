package dev.muster.plan.checkpoint;

import static dev.muster.plan.checkpoint.CheckpointException.Code.UNKNOWN_FORMAT;

import java.nio.file.Path;

/// Reads model files of every format: their headers and tables of contents, never their weights. Safe on files that
/// somebody else made: sizes are checked before memory is taken, nothing is executed, and what is wrong is a
/// [CheckpointException] with a code and a place. Immutable.
///
/// @since 0.1
public final class CheckpointReader {
    private final CheckpointLimits limits;

    private CheckpointReader(CheckpointLimits limits) {
        this.limits = limits;
    }

    /// A reader with the usual limits.
    public static CheckpointReader create() {
        return of(CheckpointLimits.DEFAULT);
    }

    /// A reader with limits of its own.
    public static CheckpointReader of(CheckpointLimits limits) {
        return new CheckpointReader(limits);
    }

    /// Reads a file or folder.
    ///
    /// @throws CheckpointException if it is no checkpoint, or a broken one
    public Checkpoint read(Path path) {
        return read(path, Scan.start(limits, null));
    }

    /// Reads a file or folder and hands each tensor on.
    ///
    /// @throws CheckpointException if it is no checkpoint, or a broken one; some tensors may have been handed on
    public Checkpoint read(Path path, TensorSink sink) {
        return read(path, Scan.start(limits, sink));
    }

    private static Checkpoint read(Path path, Scan scan) {
        try (FileBytes file = FileBytes.open(path, scan.deadline())) {
            throw file.error(UNKNOWN_FORMAT, "these are not the first bytes of a model file");
        }
    }
}
