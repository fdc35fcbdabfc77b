package dev.muster.plan.checkpoint;

import org.jspecify.annotations.Nullable;

/// The reading of one checkpoint: what its files share.
///
/// @param limits how much is read
/// @param deadline when reading has to end
/// @param tally counts the tensors of all files
record Scan(CheckpointLimits limits, Deadline deadline, TensorTally tally) {
    static Scan start(CheckpointLimits limits, @Nullable TensorSink sink) {
        return new Scan(limits, Deadline.after(limits.time()), new TensorTally(limits, sink));
    }
}
