// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the machines that satisfy a request, the cheapest first.
///
/// A machine does if an equal share of the memory fits each of its devices, counted in bytes that programs really
/// get, and if its devices compute with the level. Speed is not considered here.
///
/// @since 0.1
public final class OfferRanking {
    private static final Comparator<Choice> CHEAPEST = Comparator.comparing(Choice::price)
            .thenComparing(choice -> choice.offer().count())
            .thenComparing(choice -> choice.offer().key());

    private final PriceCatalogue prices;
    private final DeviceCatalogue devices;

    private OfferRanking(PriceCatalogue prices, DeviceCatalogue devices) {
        this.prices = prices;
        this.devices = devices;
    }

    /// Returns a ranking of the offers of a catalogue.
    ///
    /// @param devices catalogue against which the prices were read
    public static OfferRanking of(PriceCatalogue prices, DeviceCatalogue devices) {
        return new OfferRanking(prices, devices);
    }

    /// Returns the offers that satisfy a request: the cheapest first, then the one with fewer devices, then by name.
    public List<Choice> rank(Request request) {
        return prices.offers().stream()
                .flatMap(offer -> choose(offer, request).stream())
                .sorted(CHEAPEST)
                .toList();
    }

    /// Returns the machines of some choices, in the same order.
    public static List<InstanceOffer> offers(List<Choice> choices) {
        return choices.stream().map(Choice::offer).toList();
    }

    private Optional<Choice> choose(InstanceOffer offer, Request request) {
        boolean wanted = offer.count() <= request.maxDevices()
                && (request.providers().isEmpty() || request.providers().contains(offer.provider()));
        if (!wanted) {
            return Optional.empty();
        }
        return devices.find(offer.accelerator())
                .filter(device -> device.supports(request.level()))
                .map(device -> device.memory().count().usable(offer.gigabytesEach()))
                .filter(each -> share(request.needed(), offer.count()).compareTo(each) <= 0)
                .flatMap(each -> offer.price(request.purchase())
                        .find()
                        .map(price -> new Choice(offer, price, request.needed(), each.saturatingTimes(offer.count()))));
    }

    /// Returns the share of each of some devices, rounded up.
    private static Bytes share(Bytes needed, int devices) {
        long part = Long.divideUnsigned(needed.unsigned(), devices);
        boolean exact = Long.remainderUnsigned(needed.unsigned(), devices) == 0;
        return new Bytes(exact ? part : part + 1);
    }

    /// An offer that satisfies a request.
    ///
    /// @param offer the machine
    /// @param price price of an hour for the requested way of renting
    /// @param needed requested memory
    /// @param usable memory for programs on all devices together
    public record Choice(InstanceOffer offer, InstanceOffer.UsdPerHour price, Bytes needed, Bytes usable) {
        private static final double PERCENT = 100;

        /// Returns the free part of the usable memory, in percent.
        public double headroomPercent() {
            return usable.isZero() ? 0 : usable.minus(needed).toDouble() / usable.toDouble() * PERCENT;
        }
    }

    /// A request for a rented machine. Immutable.
    ///
    /// @param needed memory on all of its devices together
    /// @param level the level that its devices have to compute with
    /// @param providers accepted providers; any, when empty
    /// @param purchase way of renting
    /// @param maxDevices largest number of devices
    public record Request(
            Bytes needed,
            QuantizationLevel level,
            Set<CloudProvider> providers,
            InstanceOffer.Purchase purchase,
            int maxDevices) {
        /// Checks the number of devices.
        public Request {
            providers = Set.copyOf(providers);
            if (maxDevices < 1) {
                throw new IllegalArgumentException("a machine has at least one device: " + maxDevices);
            }
        }

        /// Returns a request for any machine of any provider, on demand.
        public static Request of(Bytes needed, QuantizationLevel level) {
            return new Request(needed, level, Set.of(), InstanceOffer.Purchase.ON_DEMAND, Integer.MAX_VALUE);
        }

        /// Returns a copy for some providers; for any, when there are none.
        public Request withProviders(Set<CloudProvider> some) {
            return new Request(needed, level, some, purchase, maxDevices);
        }

        /// Returns a copy for a way of renting.
        public Request withPurchase(InstanceOffer.Purchase way) {
            return new Request(needed, level, providers, way, maxDevices);
        }

        /// Returns a copy with a largest number of devices.
        public Request withMaxDevices(int most) {
            return new Request(needed, level, providers, purchase, most);
        }
    }
}
