// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// The time of a step of one replica, in parts, so that steps between two events can be summed at once. Seconds.
///
/// A step that decodes `n` sequences whose contexts sum to `c`, with pieces of prompts `p` behind `b`, takes `rows(n
/// + sum of p) + sequences(n) + c * contextToken(n) + sum of prompt(b, p)`, and `promptStep()` if it has a piece of a
/// prompt.
public interface StepTimes {
    /// Returns the part that depends on the tokens of the step, of prefill and decode alike: products, experts,
    /// collectives. Grows with tokens.
    double rows(double tokens);

    /// Returns the overhead of `sequences` in decode with any context: host time, launches of attention,
    /// sampling.
    double sequences(int sequences);

    /// Returns the cost of each token of context in a step that decodes `sequences`: the step's attention is affine
    /// in the sum of contexts.
    double contextToken(int sequences);

    /// Returns the attention of a piece of a prompt: `tokens` behind `before`.
    double prompt(double before, double tokens);

    /// Returns the additional cost of a step with prompts (no captured graph).
    double promptStep();

    /// Returns the lower bound of a step with prompts without their attention and that to contexts: its launches.
    default double promptFloor() {
        return 0;
    }
}
