package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.Code;
import dev.muster.mesh.collective.GroupIdentity;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Finds out whether all ranks have the same plan, before any of them opens a group of it: ranks with different plans
/// would wait for each other in different groups.
final class PlanAgreement {
    private final Store store;
    private final GroupIdentity world;
    private final Duration limit;
    private final FailureBoard board;

    /// @param store keys of this incarnation
    PlanAgreement(Store store, GroupIdentity world, Duration limit, FailureBoard board) {
        this.store = store;
        this.world = world;
        this.limit = limit;
        this.board = board;
    }

    /// Tells the others the hash of this rank's plan and waits for theirs.
    ///
    /// @param arrangement how many plans there were, this one included
    /// @throws GroupException `disagreement`, which names the ranks that have another one
    void require(int arrangement, String hash) {
        String prefix = "plan/" + arrangement + "/";
        store.set(prefix + world.rank(), hash.getBytes(StandardCharsets.UTF_8));
        List<String> keys =
                IntStream.range(0, world.size()).mapToObj(rank -> prefix + rank).toList();
        List<byte[]> hashes = new ArrayList<>(GroupOpener.awaitAll(store, world, keys, limit));
        String others = IntStream.range(0, world.size())
                .filter(rank -> !new String(hashes.get(rank), StandardCharsets.UTF_8).equals(hash))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            throw board.report(new GroupException(
                    Code.DISAGREEMENT,
                    "ranks " + others + " have another plan than rank " + world.rank() + ", which has " + hash));
        }
    }
}
