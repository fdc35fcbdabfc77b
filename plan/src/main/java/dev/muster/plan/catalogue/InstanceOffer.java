// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.Reading;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import java.math.BigDecimal;
import java.time.LocalDate;

/// A machine with accelerators that a provider rents out: one row of the price catalogue. Immutable.
///
/// @param provider who rents it out
/// @param instance the provider's name for it, such as `p5.48xlarge`
/// @param region where it stands; `any` where the price is the same everywhere
/// @param accelerator the device's short name in the device catalogue
/// @param count how many devices it has
/// @param gigabytesEach memory of one device in the vendor's gigabytes
/// @param processors virtual processors
/// @param hostGigabytes memory of the machine in the provider's gigabytes
/// @param interconnect what joins its devices, such as `nvswitch`; `none` where there is one device
/// @param onDemand the price by the hour
/// @param spot the price until the provider wants the machine back
/// @param source where the prices are from
/// @param date the day on which they were so; the earliest possible, where the source gives none
/// @param note what else a reader should know; blank when nothing
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
    /// The price of a way to rent it.
    public Reading<UsdPerHour> price(Purchase purchase) {
        return switch (purchase) {
            case ON_DEMAND -> Reading.known(onDemand, PriceCatalogue.provenance(source, date));
            case SPOT -> spot;
        };
    }

    /// Whether the prices are too old to be trusted: more than [PriceCatalogue#MAX_AGE_DAYS] days.
    public boolean isStale(LocalDate today) {
        return PriceAge.of(this, today).isStale();
    }

    /// What tells it from other offers: provider, instance and region.
    String key() {
        return provider.text() + '/' + instance + '/' + region;
    }

    /// How a machine is rented.
    public enum Purchase {
        /// By the hour, for as long as one likes.
        ON_DEMAND("on-demand"),
        /// By the hour, until the provider wants it back.
        SPOT("spot");

        private final String text;

        Purchase(String text) {
            this.text = text;
        }

        /// The name in documents and on the command line, such as `on-demand`.
        public String text() {
            return text;
        }
    }

    /// A price for an hour, in dollars of the United States.
    ///
    /// @param amount the dollars; above 0
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
}
