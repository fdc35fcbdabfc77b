// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bytes;
import java.util.List;

/// An offer that satisfies a request.
///
/// @param offer the machine
/// @param price price of an hour for the requested way of renting
/// @param needed requested memory
/// @param usable memory for programs on all devices together
/// @since 0.1
public record OfferChoice(InstanceOffer offer, InstanceOffer.UsdPerHour price, Bytes needed, Bytes usable) {
    private static final double PERCENT = 100;

    /// Returns the free part of the usable memory, in percent.
    public double headroomPercent() {
        return usable.isZero() ? 0 : usable.minus(needed).toDouble() / usable.toDouble() * PERCENT;
    }

    /// Returns the offers that satisfy a request: the cheapest first, then the one with fewer devices, then by name. A
    /// machine does if an equal share of the memory fits each of its devices, counted in bytes that programs really
    /// get, and if its devices compute with the level. Speed is not considered here.
    ///
    /// @param devices catalogue against which the prices were read
    public static List<OfferChoice> rank(PriceCatalogue prices, DeviceCatalogue devices, OfferRequest request) {
        return OfferRanking.of(prices, devices).rank(request);
    }

    /// Returns the machines of some choices, in the same order.
    public static List<InstanceOffer> offers(List<OfferChoice> choices) {
        return choices.stream().map(OfferChoice::offer).toList();
    }
}
