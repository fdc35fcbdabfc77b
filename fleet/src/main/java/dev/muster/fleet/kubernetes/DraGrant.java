// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static dev.muster.fleet.json.JsonFields.isTrue;
import static dev.muster.fleet.json.JsonFields.items;
import static dev.muster.fleet.json.JsonFields.text;

import dev.muster.core.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A ResourceClaim that got its devices.
///
/// @param holder the pod that it is kept for, or the claim itself where no pod has come yet
/// @param places the devices
record DraGrant(String holder, List<DraNode.Place> places) {
    DraGrant {
        places = List.copyOf(places);
    }

    /// The devices of a ResourceClaim; empty if it has none yet.
    static Optional<DraGrant> find(JsonValue claim) {
        List<DraNode.Place> places = new ArrayList<>();
        for (JsonValue result : items(claim, "status", "allocation", "devices", "results")) {
            // A claim with admin access watches devices and takes none.
            if (!isTrue(result, "adminAccess")) {
                places.add(new DraNode.Place(
                        new DraSlice.Pool(text(result, "driver"), text(result, "pool")), text(result, "device")));
            }
        }
        if (places.isEmpty()) {
            return Optional.empty();
        }
        String namespace = text(claim, "metadata", "namespace");
        String holder = "claim " + PodClaim.key(claim);
        for (JsonValue user : items(claim, "status", "reservedFor")) {
            if (text(user, "resource").equals("pods")) {
                holder = "pod " + namespace + "/" + text(user, "name");
                break;
            }
        }
        return Optional.of(new DraGrant(holder, places));
    }
}
