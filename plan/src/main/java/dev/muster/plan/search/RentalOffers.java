// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue.PriceAge;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Rental;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Machines with accelerators for rent, the cheapest first. Immutable and safe to share between threads.
///
/// @param machines the machines
/// @param today current day; empty if unknown
public record RentalOffers(List<Machine> machines, Optional<LocalDate> today) {
    /// No machines.
    public static final RentalOffers NONE = new RentalOffers(List.of(), Optional.empty());

    /// Returns the offers of a price catalogue. Stale prices count for devices without a fresh one only.
    ///
    /// @param devices the catalogue against which the prices were read
    public static RentalOffers of(PriceCatalogue prices, DeviceCatalogue devices, Optional<LocalDate> today) {
        Set<String> fresh = new HashSet<>();
        today.map(prices::fresh).orElse(prices).offers().forEach(offer -> fresh.add(offer.accelerator()));
        return new RentalOffers(
                prices.offers().stream()
                        .filter(offer -> !fresh.contains(offer.accelerator())
                                || today.filter(offer::isStale).isEmpty())
                        .sorted((one, other) -> one.onDemand().compareTo(other.onDemand()))
                        .flatMap(offer ->
                                devices.find(offer.accelerator()).map(entry -> Machine.of(offer, entry)).stream())
                        .toList(),
                today);
    }

    /// Returns the cheapest machines with so many devices of a kind; unknown if no price of it is known.
    public Reading<Rental> cheapest(DevicePool pool, int devices) {
        return ofDevice(pool).cheapest(1, devices);
    }

    public OfDevice ofDevice(DevicePool pool) {
        return new OfDevice(
                machines.stream()
                        .map(Machine::offer)
                        .filter(offer ->
                                offer.accelerator().equals(pool.device().id()))
                        .toList(),
                machines.isEmpty() ? "prices were not looked at" : "no price known for " + pool.name(),
                today);
    }

    /// Some machines of an offer.
    static Rental rental(InstanceOffer offer, int instances, Optional<LocalDate> today) {
        return new Rental(
                offer, instances, InstanceOffer.Purchase.ON_DEMAND, today.map(day -> PriceAge.of(offer, day)));
    }

    /// A machine for rent.
    ///
    /// @param offer the offer
    /// @param pool its devices
    record Machine(InstanceOffer offer, DevicePool pool) {
        private static Machine of(InstanceOffer offer, DeviceEntry device) {
            DeviceFigures figures =
                    DeviceFigures.of(device).withMemory(device.memory().count().usable(offer.gigabytesEach()));
            return new Machine(offer, DevicePool.of(figures, device.name(), offer.count()));
        }
    }

    /// The offers of one kind of device.
    ///
    /// @param otherwise reason for a missing price
    /// @param today current day; empty if unknown
    public record OfDevice(List<InstanceOffer> offers, String otherwise, Optional<LocalDate> today) {
        /// Returns the cheapest machines for some replicas. A replica stays within one machine if any machine holds
        /// it. A replica stays within one machine where any machine holds it.
        ///
        /// @param each devices of a replica
        public Reading<Rental> cheapest(int replicas, int each) {
            Reading<Rental> cheapest = Reading.unknown(UnknownReason.NOT_STATED, otherwise);
            double least = Double.POSITIVE_INFINITY;
            boolean heldByOne = false;
            for (InstanceOffer offer : offers) {
                boolean holds = offer.count() >= each;
                if (heldByOne && !holds) {
                    continue;
                }
                int instances = holds
                        ? Math.ceilDiv(replicas, offer.count() / each)
                        : Math.ceilDiv(replicas * each, offer.count());
                Rental rental = rental(offer, instances, today);
                if (rental.usdPerHour() < least || (holds && !heldByOne)) {
                    least = rental.usdPerHour();
                    cheapest = offer.price(InstanceOffer.Purchase.ON_DEMAND).map(_ -> rental);
                    heldByOne = holds;
                }
            }
            return cheapest;
        }
    }
}
