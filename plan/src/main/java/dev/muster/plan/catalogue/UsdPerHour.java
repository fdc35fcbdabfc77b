package dev.muster.plan.catalogue;

import java.math.BigDecimal;

/// A price for an hour, in dollars of the United States.
///
/// @param amount the dollars; above 0
/// @since 0.1
public record UsdPerHour(double amount) implements Comparable<UsdPerHour> {
    /// Checks the amount.
    public UsdPerHour {
        if (!(amount > 0)) {
            throw new IllegalArgumentException("a price is above 0: " + amount);
        }
    }

    @Override
    public int compareTo(UsdPerHour other) {
        return Double.compare(amount, other.amount);
    }

    /// The plain number of dollars.
    @Override
    public String toString() {
        return BigDecimal.valueOf(amount).stripTrailingZeros().toPlainString();
    }
}
