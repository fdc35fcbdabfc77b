// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/// What the ranks of a plan send to each other in one step. It is taken down while the step is counted, so
/// that it cannot say anything else than the plan does. Immutable.
///
/// @param stepSeconds the predicted seconds of a step: of one token of every sequence, or of one global batch
/// @param calls each kind of call; empty where ranks send nothing
/// @since 0.1
public record StepCommunication(double stepSeconds, List<Call> calls) {
    /// Copies the list.
    public StepCommunication {
        calls = List.copyOf(calls);
    }

    /// Seconds of a step without those that it waits for calls.
    public double computeSeconds() {
        double exposed = 0;
        for (Call call : calls) {
            exposed += call.exposedSeconds;
        }
        return Math.max(0, stepSeconds - exposed);
    }

    /// Along what of the mesh a group lies.
    ///
    /// @since 0.1
    public enum Axis {
        /// Tensor parallel ranks.
        TP,
        /// Context parallel ranks.
        CP,
        /// Stages of a pipeline.
        PP,
        /// Expert parallel ranks.
        EP,
        /// Replicas, with the context parallel ranks of each, which hold the same weights.
        DP;

        /// The name in documents and of axes of a mesh.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Calls that are alike.
    ///
    /// @param axis which ranks form a group
    /// @param collective what they do
    /// @param members ranks of a group
    /// @param bytes of the whole buffer of a call: what a rank reduces or sends, what all gather, scatter or
    ///     exchange
    /// @param count calls of each rank in a step
    /// @param isOverlapped whether computation goes on meanwhile
    /// @param seconds predicted for all calls of a rank in a step, whether something hides them or not
    /// @param exposedSeconds what of it the predicted step waits for
    /// @since 0.1
    public record Call(
            Axis axis,
            Collective collective,
            int members,
            long bytes,
            long count,
            boolean isOverlapped,
            double seconds,
            double exposedSeconds) {
        /// Checks the numbers.
        public Call {
            if (members < 2 || bytes < 1 || count < 1 || !(seconds >= 0) || !(exposedSeconds >= 0)) {
                throw new IllegalArgumentException(
                        "calls have a group of at least 2, bytes, a count, and no seconds below 0");
            }
        }

        /// The same in groups of another size.
        public Call withMembers(int other) {
            return new Call(axis, collective, other, bytes, count, isOverlapped, seconds, exposedSeconds);
        }

        /// Seconds of all calls of a rank in a step, as calls were measured between ranks; empty where groups
        /// of that size were not.
        public OptionalDouble seconds(MeshCalibration measured) {
            OptionalDouble each = measured.seconds(collective, members, (double) bytes);
            return each.isPresent() ? OptionalDouble.of(count * each.getAsDouble()) : each;
        }

        /// The name for people: `TP all-reduce`.
        public String what() {
            return axis + " " + collective.text();
        }
    }
}
