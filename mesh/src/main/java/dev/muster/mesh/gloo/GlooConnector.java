// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.EngineProvider.EngineContext;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.gloo.GlooLibrary.GlooFault;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes the connections of a group through Gloo. The members meet at the store first and say whether they have the
/// library: where one has not, all are told, and no member waits for it.
final class GlooConnector {
    private final GroupIdentity group;
    private final EngineContext context;
    private final Store store;
    private final long deadline;

    private GlooConnector(GroupIdentity group, EngineContext context) {
        this.group = group;
        this.context = context;
        this.store = context.store().withPrefix("group/" + group.key() + "/gloo/");
        this.deadline = System.nanoTime() + context.limit().toNanos();
    }

    /// The engine of a member, when all members are connected.
    ///
    /// @param library the library between Java and Gloo: a path, or a name that the system looks for
    /// @throws GroupException `unavailable` if a member cannot load the library; `limit-exceeded` if one is
    ///     missing when the limit has passed
    static Engine connect(GroupIdentity group, String library, EngineContext context) {
        GlooConnector connector = new GlooConnector(group, context);
        return new GlooEngine(group, connector.connections(library), connector.store, context.inRankOrder());
    }

    private NativeGroup connections(String library) {
        GlooLibrary loaded = loadTogether(library);
        StoreCallbacks upcalls = new StoreCallbacks(store.withPrefix("meet/"), deadline);
        try {
            String host = context.address().getHostAddress();
            long millis = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
            long handle = loaded.open(host, group.rank(), group.size(), millis, upcalls);
            return new NativeGroup(loaded, handle, group.size());
        } catch (GlooFault e) {
            throw failed(e, upcalls.failure());
        }
    }

    private GlooLibrary loadTogether(String library) {
        GlooLibrary loaded = loadOrTell(library);
        List<byte[]> reasons = context.exchange(group, "gloo/library", new byte[0]);
        for (int rank = 0; rank < reasons.size(); rank++) {
            if (reasons.get(rank).length > 0) {
                throw new GroupException(
                        GroupError.UNAVAILABLE,
                        "group " + group.name() + ": on rank " + group.worldRank(rank) + " "
                                + new String(reasons.get(rank), StandardCharsets.UTF_8));
            }
        }
        return loaded;
    }

    private GlooLibrary loadOrTell(String library) {
        try {
            return GlooLibrary.load(library);
        } catch (GroupException e) {
            store.set("library/" + group.rank(), String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
            throw e;
        }
    }

    private GroupException failed(GlooFault fault, @Nullable RuntimeException storeFailure) {
        String where = "group " + group.name() + ": ";
        if (storeFailure instanceof StoreException e && e.missing().isEmpty()) {
            return new GroupException(GroupError.STORE_LOST, where + e.getMessage(), e);
        }
        if (System.nanoTime() - deadline >= 0) {
            return GroupException.overdue(where + "connecting", context.limit(), List.of());
        }
        return new GroupException(
                GroupError.PEER_LOST,
                where + "Gloo cannot connect its members at "
                        + context.address().getHostAddress() + ": " + fault.getMessage(),
                fault);
    }
}
