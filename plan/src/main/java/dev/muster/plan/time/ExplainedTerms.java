// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.StepTerm;

/// Records terms of a step from figures for each token. A rate is the reached one: the amount over the time.
///
/// @param tokens number of tokens of a step on one device
/// @param ledger the ledger for the terms
public record ExplainedTerms(double tokens, StepLedger ledger) {
    /// Records a computation.
    ///
    /// @param operations for each token
    /// @param seconds for each token
    public void computes(StepTerm.StepPart part, String what, double operations, double seconds) {
        if (seconds > 0) {
            ledger.add(part, what, 0, 0, operations * tokens, operations / seconds, 0, seconds * tokens);
        }
    }

    /// Records a move of bytes. The rate shows how much of it computation hides.
    ///
    /// @param bytes for each token
    /// @param seconds exposed seconds for each token
    public void moves(StepTerm.StepPart part, String what, double bytes, double seconds) {
        if (seconds > 0) {
            ledger.add(part, what, bytes * tokens, bytes / seconds, 0, 0, 0, seconds * tokens);
        }
    }

    /// Records a term that only takes time.
    ///
    /// @param seconds for each token
    public void takes(StepTerm.StepPart part, String what, double seconds) {
        if (seconds > 0) {
            ledger.add(part, what, 0, 0, 0, 0, seconds * tokens, seconds * tokens);
        }
    }
}
