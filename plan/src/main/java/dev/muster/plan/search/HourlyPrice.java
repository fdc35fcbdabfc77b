// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

/// What an hour of machines with so many devices costs, in dollars of the United States.
interface HourlyPrice {
    /// Dollars of an hour; infinite where no price of such devices is known.
    double usdPerHour(int devices);
}
