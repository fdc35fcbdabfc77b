package dev.muster.plan.catalogue;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.Set;

/// What a rented machine has to do. Immutable.
///
/// @param needed memory on all of its devices together
/// @param level the level that its devices have to compute with
/// @param providers who may rent it out; anybody, when empty
/// @param purchase how it is to be rented
/// @param maxDevices how many devices it may have
/// @since 0.1
public record OfferRequest(
        Bytes needed, QuantizationLevel level, Set<CloudProvider> providers, Purchase purchase, int maxDevices) {
    /// Copies the providers and checks the number of devices.
    public OfferRequest {
        providers = Set.copyOf(providers);
        if (maxDevices < 1) {
            throw new IllegalArgumentException("a machine has at least one device: " + maxDevices);
        }
    }

    /// Any machine of any provider, on demand.
    public static OfferRequest of(Bytes needed, QuantizationLevel level) {
        return new OfferRequest(needed, level, Set.of(), Purchase.ON_DEMAND, Integer.MAX_VALUE);
    }

    /// The same from these providers; from anybody, when there are none.
    public OfferRequest withProviders(Set<CloudProvider> some) {
        return new OfferRequest(needed, level, some, purchase, maxDevices);
    }

    /// The same, rented in that way.
    public OfferRequest withPurchase(Purchase way) {
        return new OfferRequest(needed, level, providers, way, maxDevices);
    }

    /// The same with at most so many devices.
    public OfferRequest withMaxDevices(int most) {
        return new OfferRequest(needed, level, providers, purchase, most);
    }
}
