// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

/// The price of an hour of machines with a number of devices, in US dollars.
interface HourlyPrice {
    /// Returns the dollars of an hour; infinite if no price of such devices is known.
    double usdPerHour(int devices);
}
