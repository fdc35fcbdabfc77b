// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.start;

import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.time.Duration;

/// Tells which ranks have stopped to say that they are alive. A launcher that ends its ranks need not wait for those:
/// behind a cut link they hear nothing, and end by themselves.
///
/// @param store the store at which the ranks meet
record Unreachable(Store store) {
    /// Ranks say once a second that they are alive.
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private static final String FIRST = "mesh/1/";

    /// Reports whether a rank that joined has been silent. One that left is not, nor are ranks whose mesh was rebuilt,
    /// which have other numbers then.
    boolean test(int rank) {
        try {
            return store.findAge(FIRST + "beat/" + rank)
                            .filter(age -> age.compareTo(SILENCE) > 0)
                            .isPresent()
                    && store.find(FIRST + "left/" + rank).isEmpty()
                    && store.keys("mesh/2/").isEmpty();
        } catch (StoreException _) {
            return false; // a missing answer proves nothing; the grace period still holds
        }
    }
}
