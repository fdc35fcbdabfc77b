package dev.muster.plan.catalogue;

import dev.muster.core.unit.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the machines that do what is asked and puts the cheapest first.
///
/// A machine does it when an equal share of the memory fits on each of its devices, counted in bytes that programs
/// really get, and when its devices compute with the level. Speed is not asked for here.
///
/// @since 0.1
public final class OfferRanking {
    private static final Comparator<OfferChoice> CHEAPEST = Comparator.comparing(OfferChoice::price)
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
    public List<OfferChoice> rank(OfferRequest request) {
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

    /// What each of some devices holds, rounded up.
    private static Bytes share(Bytes needed, int devices) {
        long part = Long.divideUnsigned(needed.unsigned(), devices);
        boolean exact = Long.remainderUnsigned(needed.unsigned(), devices) == 0;
        return new Bytes(exact ? part : part + 1);
    }
}
