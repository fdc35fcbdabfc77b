// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.simulate;

/// How long a step of one replica takes, in parts, so that steps between two events can be summed at once. Seconds.
///
/// A step that decodes `n` sequences whose contexts sum to `c`, with pieces of prompts `p` behind `b`, takes
/// `rows(n + sum of p) + sequences(n) + c * contextToken(n) + sum of prompt(b, p)`, and `promptStep()` where it has a
/// piece of a prompt.
public interface StepTimes {
    /// Work that goes by the tokens of the step, prompts and decodes alike: products, experts, collectives. Grows with
    /// tokens.
    double rows(double tokens);

    /// What `sequences` that decode add whatever their context: host time, launches of attention, sampling.
    double sequences(int sequences);

    /// What each token of context adds to a step that decodes `sequences`: the step's attention is affine in the sum of
    /// contexts.
    double contextToken(int sequences);

    /// Attention of a piece of a prompt: `tokens` behind `before`.
    double prompt(double before, double tokens);

    /// What a step with prompts costs more than one without (no captured graph).
    double promptStep();

    /// The least that a step with prompts takes beside their attention and that to contexts: its launches.
    default double promptFloor() {
        return 0;
    }
}
