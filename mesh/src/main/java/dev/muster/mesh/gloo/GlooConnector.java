package dev.muster.mesh.gloo;

import dev.muster.mesh.collective.Engine;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.collective.MeshError;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Makes the connections of a group through Gloo. The members meet at the store first and say whether they have the
/// library: where one has not, all are told, and nobody waits for it.
///
/// @since 0.1
public final class GlooConnector {
    /// The library between Java and Gloo as the system finds it, where nobody says where it is.
    public static final String LIBRARY = GlooLibrary.NAME;

    private final GroupIdentity group;
    private final Store store;
    private final InetAddress address;
    private final Duration limit;
    private final long deadline;

    private GlooConnector(GroupIdentity group, Store store, InetAddress address, Duration limit) {
        this.group = group;
        this.store = store;
        this.address = address;
        this.limit = limit;
        this.deadline = System.nanoTime() + limit.toNanos();
    }

    /// The library that joins the engine to Gloo, if it can be used.
    ///
    /// @throws MeshException `unavailable` if it cannot
    public static String describe(String shim) {
        GlooLibrary.load(shim);
        return shim;
    }

    /// The engine of a member, when all members are connected.
    ///
    /// @param store where members find each other; its keys are of this incarnation alone
    /// @param library the library between Java and Gloo: a path, or a name that the system looks for
    /// @param address where this member listens, at ports that the system chooses
    /// @param inRankOrder whether reductions of floats always take ranks in ascending order, whatever it costs
    /// @throws MeshException `unavailable` if a member cannot load the library; `limit-exceeded` if one is
    ///     missing when the limit has passed
    public static Engine connect(
            GroupIdentity group,
            Store store,
            String library,
            InetAddress address,
            Duration limit,
            boolean inRankOrder) {
        Store own = store.withPrefix("group/" + group.key() + "/gloo/");
        GlooConnector connector = new GlooConnector(group, own, address, limit);
        return new GlooEngine(group, connector.connections(library), own, inRankOrder);
    }

    private NativeGroup connections(String library) {
        GlooLibrary loaded = loadTogether(library);
        StoreUpcalls upcalls = new StoreUpcalls(store.withPrefix("meet/"), deadline);
        try {
            String host = address.getHostAddress();
            long handle = loaded.open(host, group.rank(), group.size(), left().toMillis(), upcalls);
            return new NativeGroup(loaded, handle, group.size());
        } catch (GlooFault e) {
            throw failed(e, upcalls.failure());
        }
    }

    private GlooLibrary loadTogether(String library) {
        GlooLibrary loaded = loadAndTell(library);
        int rank = 0;
        for (byte[] reason : awaitAll()) {
            if (reason.length > 0) {
                throw new MeshException(
                        MeshError.UNAVAILABLE,
                        "group " + group.name() + ": on rank " + group.worldRank(rank) + " "
                                + new String(reason, StandardCharsets.UTF_8));
            }
            rank++;
        }
        return loaded;
    }

    private GlooLibrary loadAndTell(String library) {
        try {
            GlooLibrary loaded = GlooLibrary.load(library);
            store.set(key(group.rank()), new byte[0]);
            return loaded;
        } catch (MeshException e) {
            store.set(key(group.rank()), String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
            throw e;
        }
    }

    private static String key(int rank) {
        return "library/" + rank;
    }

    private Collection<byte[]> awaitAll() {
        List<String> keys =
                IntStream.range(0, group.size()).mapToObj(GlooConnector::key).toList();
        try {
            return store.awaitAll(keys, left()).values();
        } catch (StoreException e) {
            List<Integer> missing = IntStream.range(0, group.size())
                    .filter(rank -> e.missing().contains(key(rank)))
                    .mapToObj(group::worldRank)
                    .toList();
            throw missing.isEmpty() ? storeLost(e) : overdue(missing);
        }
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }

    private MeshException failed(GlooFault fault, @Nullable RuntimeException store) {
        if (store instanceof StoreException e && e.missing().isEmpty()) {
            return storeLost(e);
        }
        if (System.nanoTime() - deadline >= 0) {
            return overdue(List.of());
        }
        return new MeshException(
                MeshError.PEER_LOST,
                "group " + group.name() + ": Gloo cannot connect its members at " + address.getHostAddress() + ": "
                        + fault.getMessage(),
                fault);
    }

    private MeshException storeLost(StoreException e) {
        return new MeshException(MeshError.STORE_LOST, "group " + group.name() + ": " + e.getMessage(), e);
    }

    private MeshException overdue(List<Integer> missing) {
        return MeshException.overdue("group " + group.name() + ": connecting", limit, missing);
    }
}
