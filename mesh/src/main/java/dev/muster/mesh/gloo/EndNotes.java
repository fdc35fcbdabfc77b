// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.engine.FailureNote;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// Notes of members on why they broke their connections. Safe for use by several threads.
///
/// @param store for the keys of this group alone
record EndNotes(GroupIdentity group, Store store) {
    /// Writes down why this member breaks its connections, before it does: others see that first, and would take it
    /// for lost.
    void leave(GroupException reason) {
        try {
            store.set("end/" + group.rank(), FailureNote.write(reason).getBytes(StandardCharsets.UTF_8));
        } catch (StoreException e) {
            return; // the others will find that the store is gone
        }
    }

    /// Returns the reason for which a member has broken its connections, if it wrote that down.
    Optional<GroupException> find(int rank) {
        try {
            return store.find("end/" + rank)
                    .map(value -> FailureNote.read(new String(value, StandardCharsets.UTF_8), group.worldRank(rank)));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }
}
