// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.plan.serving.SimulationRequest;

/// The spread of lengths as text: the smallest share of the nominal ones, or a name.
final class Lengths {
    private static final String SPREAD = "spread";
    private static final String EQUAL = "equal";

    private Lengths() {}

    static Double parse(String text) {
        return switch (text) {
            case SPREAD -> SimulationRequest.SPREAD;
            case EQUAL -> 1.0;
            default ->
                Grammars.plain(text)
                        .filter(share -> share > 0 && share <= 1)
                        .orElseThrow(() -> new IllegalArgumentException(""));
        };
    }

    static String text(Double share) {
        return share == SimulationRequest.SPREAD ? SPREAD : share == 1 ? EQUAL : Grammars.plain(share);
    }
}
