// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepTerm;

/// Takes down what the time of a step is made of, while it is counted. There is one arithmetic: who
/// wants to know where a figure comes from listens to it.
public interface StepLedger {
    /// Takes nothing down. No lambda: one with so many numbers is made at run time, which takes 10 ms
    /// (docs/decisions/0004).
    StepLedger NONE = new StepLedger() {
        @Override
        public void add(
                StepTerm.Part part,
                String what,
                double bytes,
                double bytesPerSecond,
                double operations,
                double operationsPerSecond,
                double fixed,
                double seconds) {}
    };

    /// One term of a step. What moves bytes and computes at the same time takes the longer of both, with
    /// a round corner; rates are 0 where nothing moves or computes.
    ///
    /// @param part the part of the step that it belongs to
    /// @param what what it is, for people
    /// @param bytes bytes that one device moves
    /// @param bytesPerSecond how fast
    /// @param operations operations that one device does
    /// @param operationsPerSecond how fast
    /// @param fixed seconds that depend on neither
    /// @param seconds what it takes altogether
    void add(
            StepTerm.Part part,
            String what,
            double bytes,
            double bytesPerSecond,
            double operations,
            double operationsPerSecond,
            double fixed,
            double seconds);

    /// Calls of a collective, which terms count too.
    ///
    /// @param axis which ranks form a group
    /// @param collective what they do
    /// @param members ranks of a group
    /// @param bytes of the whole buffer of a call
    /// @param count calls of each rank
    /// @param isOverlapped whether computation goes on meanwhile
    /// @param seconds of all calls, whether something hides them or not
    /// @param exposed what of it the step waits for
    default void communicate(
            Axis axis,
            Collective collective,
            double members,
            double bytes,
            double count,
            boolean isOverlapped,
            double seconds,
            double exposed) {}

    /// All that was taken down so far takes so many times as long.
    default void stretch(double factor) {}

    /// All that was taken down so far happens so many times.
    default void repeat(double times) {
        stretch(times);
    }
}
