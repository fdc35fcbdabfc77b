// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.StepTerm;

/// Takes down terms of a step from figures for each token. A rate is what is reached: the amount over the time.
///
/// @param tokens how many tokens a step has on one device
/// @param ledger who listens
public record ExplainedTerms(double tokens, StepLedger ledger) {
    /// Something that computes.
    ///
    /// @param operations for each token
    /// @param seconds for each token
    public void computes(StepTerm.Part part, String what, double operations, double seconds) {
        if (seconds > 0) {
            ledger.add(part, what, 0, 0, operations * tokens, operations / seconds, 0, seconds * tokens);
        }
    }

    /// Something that moves bytes. What computation hides of it is seen in the rate.
    ///
    /// @param bytes for each token
    /// @param seconds for each token that nothing hides
    public void moves(StepTerm.Part part, String what, double bytes, double seconds) {
        if (seconds > 0) {
            ledger.add(part, what, bytes * tokens, bytes / seconds, 0, 0, 0, seconds * tokens);
        }
    }

    /// Something that takes time alone.
    ///
    /// @param seconds for each token
    public void takes(StepTerm.Part part, String what, double seconds) {
        if (seconds > 0) {
            ledger.add(part, what, 0, 0, 0, 0, seconds * tokens, seconds * tokens);
        }
    }
}
