// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

/// Speculative decoding: tokens drafted for each step, and the chance that one is accepted.
///
/// @param draft tokens drafted for each step
/// @param acceptance chance that a drafted token is accepted if those before it were
/// @since 0.2
public record Speculation(int draft, double acceptance) {
    /// No speculative decoding.
    static final Speculation NONE = new Speculation(0, 0);

    private static final int MOST_DRAFT = 64;

    static Speculation parse(String text) {
        int colon = text.indexOf(':');
        int draft = Integer.parseInt(text.substring(0, Math.max(0, colon)));
        double acceptance = Grammars.plain(text.substring(colon + 1)).orElse(-1.0);
        if (draft < 1 || draft > MOST_DRAFT || acceptance < 0 || acceptance > 1) {
            throw new IllegalArgumentException("");
        }
        return new Speculation(draft, acceptance);
    }

    String text() {
        return draft + ":" + Grammars.plain(acceptance);
    }
}
