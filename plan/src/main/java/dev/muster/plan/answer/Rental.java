// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import dev.muster.plan.catalogue.InstanceOffer;

/// Machines that are rented for a plan, on demand. Whole ones: nobody rents out half a machine.
///
/// @param offer one of them
/// @param instances how many
/// @since 0.1
public record Rental(InstanceOffer offer, int instances) {
    /// Dollars of the United States for an hour of all of them.
    public double usdPerHour() {
        return instances * offer.onDemand().amount();
    }
}
