// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.Reading;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import java.math.BigDecimal;
import java.time.LocalDate;

/// A machine with accelerators that a provider rents out: one row of the price catalogue. Immutable.
///
/// @param provider the provider
/// @param instance the provider's name for it, such as `p5.48xlarge`
/// @param region region; `any` if the price is the same everywhere
/// @param accelerator the device's short name in the device catalogue
/// @param count number of devices
/// @param gigabytesEach memory of one device in the vendor's gigabytes
/// @param processors virtual processors
/// @param hostGigabytes memory of the machine in the provider's gigabytes
/// @param interconnect fabric of its devices, such as `nvswitch`; `none` for one device
/// @param onDemand price per hour on demand
/// @param spot price per hour of a spot machine
/// @param source source of the prices
/// @param date day of the prices; the earliest possible, if the source gives none
/// @param note note for readers; blank if there is none
/// @since 0.1
public record InstanceOffer(
        CloudProvider provider,
        String instance,
        String region,
        String accelerator,
        int count,
        double gigabytesEach,
        Reading<Long> processors,
        Reading<Double> hostGigabytes,
        String interconnect,
        UsdPerHour onDemand,
        Reading<UsdPerHour> spot,
        String source,
        LocalDate date,
        String note) {
    /// Returns the price of a way of renting.
    public Reading<UsdPerHour> price(Purchase purchase) {
        return switch (purchase) {
            case ON_DEMAND, OWN -> Reading.known(onDemand, PriceCatalogue.provenance(source, date));
            case SPOT -> spot;
        };
    }

    /// Reports whether the prices are too old to be trusted: more than [PriceCatalogue#MAX_AGE_DAYS] days.
    public boolean isStale(LocalDate today) {
        return PriceAge.of(this, today).isStale();
    }

    /// Returns a machine, as hypothetical machines are written: `h100-sxm:8,nvswitch`.
    ///
    /// @since 0.3
    public String machine() {
        return accelerator + ':' + count + (count == 1 || interconnect.equals("none") ? "" : "," + interconnect);
    }

    /// Returns the key that identifies the offer: provider, instance and region.
    String key() {
        return provider.text() + '/' + instance + '/' + region;
    }

    /// A way of renting a machine.
    public enum Purchase {
        /// On demand, by the hour.
        ON_DEMAND("on-demand"),
        /// Spot, by the hour, until the provider takes it back.
        SPOT("spot"),
        /// Bought: write-off and electricity of an hour.
        ///
        /// @since 0.3
        OWN("own");

        private final String text;

        Purchase(String text) {
            this.text = text;
        }

        /// Returns the name in documents and on the command line, such as `on-demand`.
        public String text() {
            return text;
        }
    }

    /// A price for an hour, in dollars of the United States.
    ///
    /// @param amount the dollars; above 0
    public record UsdPerHour(double amount) implements Comparable<UsdPerHour> {
        public UsdPerHour {
            if (!(amount > 0)) {
                throw new IllegalArgumentException("a price is above 0: " + amount);
            }
        }

        @Override
        public int compareTo(UsdPerHour other) {
            return Double.compare(amount, other.amount);
        }

        /// Returns the number of dollars as text.
        @Override
        public String toString() {
            return BigDecimal.valueOf(amount).stripTrailingZeros().toPlainString();
        }
    }
}
