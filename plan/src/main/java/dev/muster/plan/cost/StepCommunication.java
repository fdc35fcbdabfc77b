// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/// The communication of a plan's ranks in one step. It is recorded while the step is computed, so that both agree.
/// Immutable.
///
/// @param stepSeconds the predicted seconds of a step: of one token of every sequence, or of one global batch
/// @param calls the kinds of calls; empty if ranks send nothing
/// @since 0.1
public record StepCommunication(double stepSeconds, List<Call> calls) {
    public StepCommunication {
        calls = List.copyOf(calls);
    }

    /// Returns the seconds of a step without waiting for calls.
    public double computeSeconds() {
        double exposed = 0;
        for (Call call : calls) {
            exposed += call.exposedSeconds;
        }
        return Math.max(0, stepSeconds - exposed);
    }

    /// The axis of the mesh along which a group lies.
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

        /// Returns the name in documents and of axes of a mesh.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Calls of the same kind.
    ///
    /// @param axis axis along which a group lies
    /// @param collective the collective
    /// @param members ranks of a group
    /// @param bytes bytes of the whole buffer of a call: the data that a rank reduces or sends, or that all gather,
    /// scatter or exchange
    /// @param count calls of each rank in a step
    /// @param isOverlapped true if computation continues meanwhile
    /// @param seconds predicted for all calls of a rank in a step, hidden or not
    /// @param exposedSeconds seconds of them that the predicted step waits for
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
        public Call {
            if (members < 2 || bytes < 1 || count < 1 || !(seconds >= 0) || !(exposedSeconds >= 0)) {
                throw new IllegalArgumentException(
                        "calls have a group of at least 2, bytes, a count, and no seconds below 0");
            }
        }

        /// Returns the calls in groups of another size.
        public Call withMembers(int other) {
            return new Call(axis, collective, other, bytes, count, isOverlapped, seconds, exposedSeconds);
        }

        /// Returns the measured seconds of all calls of a rank in a step; empty if groups of that size were not
        /// measured.
        public OptionalDouble seconds(MeshCalibration measured) {
            OptionalDouble each = measured.seconds(collective, members, (double) bytes);
            return each.isPresent() ? OptionalDouble.of(count * each.getAsDouble()) : each;
        }

        /// Returns the name in tables: `TP all-reduce`.
        public String what() {
            return axis + " " + collective.text();
        }
    }
}
