// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.InstanceOffer.Purchase;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import java.util.Optional;

/// Machines that are rented for a plan. Whole ones: half a machine is not for rent.
///
/// @param offer one of them
/// @param instances the number
/// @param purchase the way of renting, for which the offer has a price
/// @param age age of the price; empty if the planner does not know the day
/// @since 0.1
public record Rental(InstanceOffer offer, int instances, Purchase purchase, Optional<PriceAge> age) {
    /// Returns the US dollars for an hour of all of them.
    public double usdPerHour() {
        return instances * offer.price(purchase).find().orElse(offer.onDemand()).amount();
    }

    /// Returns the age of the price as text: `of 2025-11-18, 365 days old: stale (more than 120 days)`, or the date
    /// alone.
    public String priceAge() {
        return age.map(PriceAge::display).orElse("of " + offer.date());
    }
}
