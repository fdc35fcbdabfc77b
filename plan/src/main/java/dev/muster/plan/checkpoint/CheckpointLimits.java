package dev.muster.plan.checkpoint;

import java.time.Duration;

/// How much of a model file is read before it is refused. Every count that a file announces is held against these and
/// against the file's real size before memory is taken.
///
/// @param headerBytes bytes of one file's header or of one JSON document
/// @param tensors tensors of a whole checkpoint
/// @param entries key-value pairs of a header, or members of an archive
/// @param files files of a whole checkpoint
/// @param time how long reading may take altogether
/// @since 0.1
public record CheckpointLimits(long headerBytes, int tensors, int entries, int files, Duration time) {
    /// Safetensors allows headers of 100 MB; the largest published checkpoints have some 100,000 tensors and 200
    /// files.
    public static final CheckpointLimits DEFAULT =
            new CheckpointLimits(104_857_600, 1_000_000, 100_000, 4096, Duration.ofSeconds(30));

    /// The longest name of a tensor or key, in bytes; GGUF allows 64 for tensors and 65535 for keys.
    static final int NAME_BYTES = 65_535;

    /// The most dimensions of a tensor; PyTorch allows 64.
    static final int RANK = 64;

    /// The deepest nesting of objects and arrays in a header or configuration.
    static final int DEPTH = 64;
}
