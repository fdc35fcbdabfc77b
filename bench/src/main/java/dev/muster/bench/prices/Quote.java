// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench.prices;

import java.math.BigDecimal;
import java.util.Optional;

/// What a provider asks for an hour of a machine, as its price file says.
sealed interface Quote {
    /// It has a price.
    ///
    /// @param onDemand dollars for an hour
    /// @param spot the same until the provider wants it back; empty where the file has none
    /// @param source where the price stands
    /// @param note what else a reader should know; blank when nothing
    record Listed(BigDecimal onDemand, Optional<BigDecimal> spot, String source, String note) implements Quote {}

    /// The file has no price of it that could be taken.
    ///
    /// @param why the reason, to stand behind the machine's name
    record Unlisted(String why) implements Quote {}
}
