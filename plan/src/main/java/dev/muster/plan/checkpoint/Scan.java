package dev.muster.plan.checkpoint;

import dev.muster.plan.model.Tensor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The reading of one checkpoint: what its files share.
///
/// @param limits how much is read
/// @param deadline when reading has to end
/// @param tally counts the tensors of all files
record Scan(CheckpointReader.Limits limits, Deadline deadline, TensorTally tally) {
    static Scan start(CheckpointReader.Limits limits, @Nullable Consumer<Tensor> sink) {
        return new Scan(limits, Deadline.after(limits.time()), new TensorTally(limits, sink));
    }
}
