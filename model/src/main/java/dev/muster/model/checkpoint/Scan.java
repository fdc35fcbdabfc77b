// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static dev.muster.model.checkpoint.CheckpointException.Code.TIMED_OUT;

import dev.muster.model.Tensor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The state of reading one checkpoint, which its files share.
///
/// @param limits the limits on reading
/// @param end deadline, by [System#nanoTime()]
/// @param tally counts the tensors of all files
record Scan(CheckpointReader.Limits limits, long end, TensorTally tally) {
    static Scan start(CheckpointReader.Limits limits, @Nullable Consumer<Tensor> sink) {
        return new Scan(limits, System.nanoTime() + limits.time().toNanos(), new TensorTally(limits, sink));
    }

    /// Checks the deadline, before each read from a file.
    void checkTime(String file) {
        if (System.nanoTime() - end > 0) {
            throw CheckpointException.of(
                    TIMED_OUT, file, "took longer than " + limits.time().toSeconds() + " s to read");
        }
    }
}
