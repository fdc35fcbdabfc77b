// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepTerm;

/// Records the terms of a step's time while it is computed. There is one computation: an explanation of a figure
/// listens to it.
public interface StepLedger {
    /// Records nothing. Not a lambda: one with so many parameters is linked at run time, which takes 10 ms
    /// (docs/decisions/0004).
    StepLedger NONE = new StepLedger() {
        @Override
        public void add(
                StepTerm.StepPart part,
                String what,
                double bytes,
                double bytesPerSecond,
                double operations,
                double operationsPerSecond,
                double fixed,
                double seconds) {}
    };

    /// Records one term of a step. A term that moves bytes and computes at the same time takes the longer of both,
    /// with a round corner; rates are 0 if nothing moves or computes.
    ///
    /// @param part the part of the step that it belongs to
    /// @param what name of the term
    /// @param bytes bytes that one device moves
    /// @param bytesPerSecond rate of the bytes
    /// @param operations operations that one device does
    /// @param operationsPerSecond rate of the operations
    /// @param fixed seconds that depend on neither
    /// @param seconds total seconds
    void add(
            StepTerm.StepPart part,
            String what,
            double bytes,
            double bytesPerSecond,
            double operations,
            double operationsPerSecond,
            double fixed,
            double seconds);

    /// Records calls of a collective, which terms count, too.
    ///
    /// @param axis axis along which a group lies
    /// @param collective the collective
    /// @param members ranks of a group
    /// @param bytes of the whole buffer of a call
    /// @param count calls of each rank
    /// @param isOverlapped true if computation continues meanwhile
    /// @param seconds seconds of all calls, hidden or not
    /// @param exposed seconds that the step waits for
    default void communicate(
            Axis axis,
            Collective collective,
            double members,
            double bytes,
            double count,
            boolean isOverlapped,
            double seconds,
            double exposed) {}

    default void stretch(double factor) {}

    /// Multiplies the number of all records so far.
    default void repeat(double times) {
        stretch(times);
    }
}
