// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.serving;

/// Speculative decoding: tokens drafted for each step, and the chance that one is accepted. Immutable.
///
/// @param draft tokens drafted for each step; 0 for none
/// @param acceptance chance that a drafted token is accepted if those before it were
/// @since 0.2
public record Speculation(int draft, double acceptance) {
    /// No speculative decoding.
    public static final Speculation NONE = new Speculation(0, 0);

    private static final int MOST_DRAFT = 64;

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if one is out of range
    public Speculation {
        if (draft < 0 || draft > MOST_DRAFT || !(acceptance >= 0 && acceptance <= 1)) {
            throw new IllegalArgumentException("0 to 64 tokens are drafted, and 0 to 1 of them accepted");
        }
    }

    /// Returns the expected tokens of each sequence in a step.
    public double tokens() {
        double tokens = 0;
        double chance = 1;
        for (int i = 0; i <= draft; i++) {
            tokens += chance;
            chance *= acceptance;
        }
        return tokens;
    }
}
