package dev.muster.plan.catalogue;

import java.math.BigDecimal;

/// A price for an hour, in dollars of the United States. Equal amounts are equal, however many zeros are written.
///
/// @param amount the dollars; above 0
/// @since 0.1
public record UsdPerHour(BigDecimal amount) implements Comparable<UsdPerHour> {
    /// Checks the amount.
    public UsdPerHour {
        if (amount.signum() <= 0) {
            throw new IllegalArgumentException("a price is above 0: " + amount);
        }
        amount = amount.stripTrailingZeros();
    }

    @Override
    public int compareTo(UsdPerHour other) {
        return amount.compareTo(other.amount);
    }

    /// The plain number of dollars.
    @Override
    public String toString() {
        return amount.toPlainString();
    }
}
