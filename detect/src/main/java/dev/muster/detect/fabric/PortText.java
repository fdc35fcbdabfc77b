// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.text.Amount;
import java.util.Locale;
import java.util.Optional;

/// Reads the files of an InfiniBand port.
final class PortText {
    private static final double BITS_PER_BYTE = 8;
    /// Tbit/s are some generations away.
    private static final double FASTEST = 1e6;

    private PortText() {}

    /// Reads a rate such as `100 Gb/sec (4X EDR)`.
    static Optional<Bandwidth> parseRate(String text) {
        int bracket = text.indexOf('(');
        return Amount.decimal(bracket < 0 ? text : text.substring(0, bracket), "Gb/sec")
                .filter(gigabits -> gigabits > 0 && gigabits <= FASTEST)
                .map(gigabits -> new Bandwidth(gigabits / BITS_PER_BYTE));
    }

    /// Reports whether a state such as `4: ACTIVE` lets data pass; `5: ACTIVE_DEFER` does.
    static boolean isActive(String state) {
        return state.toUpperCase(Locale.ROOT).contains("ACTIVE");
    }

    static boolean isEthernet(String linkLayer) {
        return linkLayer.strip().equalsIgnoreCase("Ethernet");
    }
}
