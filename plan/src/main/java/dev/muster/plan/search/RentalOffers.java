package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.InstanceOffer;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.time.DeviceFigures;
import java.util.Comparator;
import java.util.List;

/// Machines with accelerators that are for rent, the cheapest first. Immutable and safe to share between
/// threads.
///
/// @since 0.1
public final class RentalOffers {
    /// Nothing is for rent.
    public static final RentalOffers NONE = new RentalOffers(List.of());

    private final List<Machine> machines;

    private RentalOffers(List<Machine> machines) {
        this.machines = machines;
    }

    /// The offers of a price catalogue.
    ///
    /// @param devices the catalogue against which the prices were read
    public static RentalOffers of(PriceCatalogue prices, DeviceCatalogue devices) {
        return new RentalOffers(prices.offers().stream()
                .sorted(Comparator.comparing(InstanceOffer::onDemand))
                .flatMap(offer -> devices.find(offer.accelerator()).map(entry -> Machine.of(offer, entry)).stream())
                .toList());
    }

    /// All machines, the cheapest first.
    List<Machine> machines() {
        return machines;
    }

    /// The cheapest machines with so many devices of a kind; unknown where no price of it is known.
    public Reading<Rental> cheapest(DevicePool pool, int devices) {
        return ofDevice(pool).cheapest(1, devices);
    }

    /// The offers that have a kind of device.
    OfDevice ofDevice(DevicePool pool) {
        return new OfDevice(
                machines.stream()
                        .map(Machine::offer)
                        .filter(offer ->
                                offer.accelerator().equals(pool.device().id()))
                        .toList(),
                pool.name());
    }

    /// A machine for rent.
    ///
    /// @param offer who rents it out, and for how much
    /// @param pool its devices
    record Machine(InstanceOffer offer, DevicePool pool) {
        private static Machine of(InstanceOffer offer, DeviceEntry device) {
            double memory =
                    device.memory().count().usable(offer.gigabytesEach()).toDouble();
            DeviceFigures figures = DeviceFigures.of(device).withMemory(memory);
            return new Machine(offer, new DevicePool(figures, device.name(), offer.count(), false));
        }
    }

    /// The offers of one kind of device.
    record OfDevice(List<InstanceOffer> offers, String name) {
        /// The cheapest machines for some copies. A copy stays within one machine where any machine
        /// holds it.
        ///
        /// @param each devices of a copy
        Reading<Rental> cheapest(int copies, int each) {
            Reading<Rental> cheapest = Reading.unknown(UnknownReason.NOT_STATED, "no price known for " + name);
            double least = Double.POSITIVE_INFINITY;
            boolean heldByOne = false;
            for (InstanceOffer offer : offers) {
                boolean holds = offer.count() >= each;
                if (heldByOne && !holds) {
                    continue;
                }
                int instances =
                        holds ? Math.ceilDiv(copies, offer.count() / each) : Math.ceilDiv(copies * each, offer.count());
                Rental rental = new Rental(offer, instances);
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
