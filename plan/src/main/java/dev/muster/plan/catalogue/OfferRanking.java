// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the machines that satisfy a request, the cheapest first.
///
/// A machine does if an equal share of the memory fits each of its devices, counted in bytes that programs really
/// get, and if its devices compute with the level. Speed is not considered here.
final class OfferRanking {
    private static final Comparator<OfferChoice> CHEAPEST = Comparator.comparing(OfferChoice::price)
            .thenComparing(choice -> choice.offer().count())
            .thenComparing(choice -> choice.offer().key());

    private final PriceCatalogue prices;
    private final DeviceCatalogue devices;

    private OfferRanking(PriceCatalogue prices, DeviceCatalogue devices) {
        this.prices = prices;
        this.devices = devices;
    }

    static OfferRanking of(PriceCatalogue prices, DeviceCatalogue devices) {
        return new OfferRanking(prices, devices);
    }

    /// Returns the offers that satisfy a request: the cheapest first, then the one with fewer devices, then by name.
    List<OfferChoice> rank(OfferRequest request) {
        return prices.offers().stream()
                .flatMap(offer -> choose(offer, request).stream())
                .sorted(CHEAPEST)
                .toList();
    }

    private Optional<OfferChoice> choose(InstanceOffer offer, OfferRequest request) {
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
                        .map(price ->
                                new OfferChoice(offer, price, request.needed(), each.saturatingTimes(offer.count()))));
    }

    /// Returns the share of each of some devices, rounded up.
    private static Bytes share(Bytes needed, int devices) {
        long part = Long.divideUnsigned(needed.unsigned(), devices);
        boolean exact = Long.remainderUnsigned(needed.unsigned(), devices) == 0;
        return new Bytes(exact ? part : part + 1);
    }
}
