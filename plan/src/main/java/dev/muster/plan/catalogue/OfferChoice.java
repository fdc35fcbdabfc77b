package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bytes;

/// An offer that does what was asked.
///
/// @param offer the machine
/// @param price what an hour costs in the way that was asked for
/// @param needed the memory that was asked for
/// @param usable the memory that programs get on all devices together
/// @since 0.1
public record OfferChoice(InstanceOffer offer, UsdPerHour price, Bytes needed, Bytes usable) {
    private static final double PERCENT = 100;

    /// The part of the usable memory that stays free, in percent.
    public double headroomPercent() {
        return usable.isZero() ? 0 : usable.minus(needed).toDouble() / usable.toDouble() * PERCENT;
    }
}
