// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import java.util.Set;

/// A request for a rented machine. Immutable.
///
/// @param needed memory on all of its devices together
/// @param level the level that its devices have to compute with
/// @param providers accepted providers; any, when empty
/// @param purchase way of renting
/// @param maxDevices largest number of devices
/// @since 0.1
public record OfferRequest(
        Bytes needed,
        QuantizationLevel level,
        Set<CloudProvider> providers,
        InstanceOffer.Purchase purchase,
        int maxDevices) {
    /// Checks the number of devices.
    public OfferRequest {
        providers = Set.copyOf(providers);
        if (maxDevices < 1) {
            throw new IllegalArgumentException("a machine has at least one device: " + maxDevices);
        }
    }

    /// Returns a request for any machine of any provider, on demand.
    public static OfferRequest of(Bytes needed, QuantizationLevel level) {
        return new OfferRequest(needed, level, Set.of(), InstanceOffer.Purchase.ON_DEMAND, Integer.MAX_VALUE);
    }

    /// Returns a copy for some providers; for any, when there are none.
    public OfferRequest withProviders(Set<CloudProvider> some) {
        return new OfferRequest(needed, level, some, purchase, maxDevices);
    }

    /// Returns a copy for a way of renting.
    public OfferRequest withPurchase(InstanceOffer.Purchase way) {
        return new OfferRequest(needed, level, providers, way, maxDevices);
    }

    /// Returns a copy with a largest number of devices.
    public OfferRequest withMaxDevices(int most) {
        return new OfferRequest(needed, level, providers, purchase, most);
    }
}
