// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import java.util.Optional;

/// Machines that are rented for a plan, on demand. Whole ones: nobody rents out half a machine.
///
/// @param offer one of them
/// @param instances how many
/// @param age how old the price is; empty where the planner was not told the day
/// @since 0.1
public record Rental(InstanceOffer offer, int instances, Optional<PriceAge> age) {
    /// Dollars of the United States for an hour of all of them.
    public double usdPerHour() {
        return instances * offer.onDemand().amount();
    }

    /// How old the price is, for people: `of 2025-11-18, 365 days old: stale (more than 90 days)`, or the date alone.
    public String priceAge() {
        return age.map(PriceAge::display).orElse("of " + offer.date());
    }
}
