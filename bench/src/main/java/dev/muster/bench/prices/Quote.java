// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import java.math.BigDecimal;
import java.util.Optional;

/// The price of an hour of a machine, as the provider's price file states it.
sealed interface Quote {
    /// It has a price.
    ///
    /// @param onDemand dollars for an hour
    /// @param spot the same until the provider wants it back; empty where the file has none
    /// @param source the file of the price
    /// @param note a note for readers; may be blank
    record Listed(BigDecimal onDemand, Optional<BigDecimal> spot, String source, String note) implements Quote {}

    /// The file has no price of it that could be taken.
    ///
    /// @param why the reason, to stand behind the machine's name
    record Unlisted(String why) implements Quote {}
}
