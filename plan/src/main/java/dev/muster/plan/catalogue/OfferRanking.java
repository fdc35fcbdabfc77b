// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Finds the machines that do what is asked and puts the cheapest first.
///
/// A machine does it when an equal share of the memory fits on each of its devices, counted in bytes that programs
/// really get, and when its devices compute with the level. Speed is not asked for here.
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

    /// A ranking of those offers.
    ///
    /// @param devices the catalogue against which the prices were read
    public static OfferRanking of(PriceCatalogue prices, DeviceCatalogue devices) {
        return new OfferRanking(prices, devices);
    }

    /// The offers that do what is asked: the cheapest first, then the one with fewer devices, then by name.
    public List<Choice> rank(Request request) {
        return prices.offers().stream()
                .flatMap(offer -> choose(offer, request).stream())
                .sorted(CHEAPEST)
                .toList();
    }

    /// The machines of some choices, in the same order.
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

    /// What each of some devices holds, rounded up.
    private static Bytes share(Bytes needed, int devices) {
        long part = Long.divideUnsigned(needed.unsigned(), devices);
        boolean exact = Long.remainderUnsigned(needed.unsigned(), devices) == 0;
        return new Bytes(exact ? part : part + 1);
    }

    /// An offer that does what was asked.
    ///
    /// @param offer the machine
    /// @param price what an hour costs in the way that was asked for
    /// @param needed the memory that was asked for
    /// @param usable the memory that programs get on all devices together
    public record Choice(InstanceOffer offer, InstanceOffer.UsdPerHour price, Bytes needed, Bytes usable) {
        private static final double PERCENT = 100;

        /// The part of the usable memory that stays free, in percent.
        public double headroomPercent() {
            return usable.isZero() ? 0 : usable.minus(needed).toDouble() / usable.toDouble() * PERCENT;
        }
    }

    /// What a rented machine has to do. Immutable.
    ///
    /// @param needed memory on all of its devices together
    /// @param level the level that its devices have to compute with
    /// @param providers who may rent it out; anybody, when empty
    /// @param purchase how it is to be rented
    /// @param maxDevices how many devices it may have
    public record Request(
            Bytes needed,
            QuantizationLevel level,
            Set<CloudProvider> providers,
            InstanceOffer.Purchase purchase,
            int maxDevices) {
        /// Copies the providers and checks the number of devices.
        public Request {
            providers = Set.copyOf(providers);
            if (maxDevices < 1) {
                throw new IllegalArgumentException("a machine has at least one device: " + maxDevices);
            }
        }

        /// Any machine of any provider, on demand.
        public static Request of(Bytes needed, QuantizationLevel level) {
            return new Request(needed, level, Set.of(), InstanceOffer.Purchase.ON_DEMAND, Integer.MAX_VALUE);
        }

        /// The same from these providers; from anybody, when there are none.
        public Request withProviders(Set<CloudProvider> some) {
            return new Request(needed, level, some, purchase, maxDevices);
        }

        /// The same, rented in that way.
        public Request withPurchase(InstanceOffer.Purchase way) {
            return new Request(needed, level, providers, way, maxDevices);
        }

        /// The same with at most so many devices.
        public Request withMaxDevices(int most) {
            return new Request(needed, level, providers, purchase, most);
        }
    }
}
