// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.session;

import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.GroupException.GroupError;
import dev.muster.mesh.store.Store;
import dev.muster.mesh.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Finds out who is left. Each rank reports; when all have that are not known to have ended, or the window has passed,
/// the first to notice writes the list down, and that list holds for all.
final class SurvivorSearch {
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Store before;
    private final Store store;
    private final int rank;
    private final int worldSize;
    private final Duration window;

    /// @param before keys of the incarnation that failed
    /// @param store keys of this search
    /// @param rank this one, as it was in that incarnation
    SurvivorSearch(Store before, Store store, int rank, int worldSize, Duration window) {
        this.before = before;
        this.store = store;
        this.rank = rank;
        this.worldSize = worldSize;
        this.window = window;
    }

    List<Integer> take() {
        SharedFailure.announceLoss(store, rank);
        store.set(here(rank), new byte[0]);
        long end = System.nanoTime() + window.toNanos();
        while (!haveAllCome()
                && System.nanoTime() - end < 0
                && store.find("survivors").isEmpty()) {}
        String here = store.keys("here/").stream()
                .map(key -> key.substring("here/".length()))
                .sorted((one, other) -> Integer.compare(Integer.parseInt(one), Integer.parseInt(other)))
                .collect(Collectors.joining(","));
        store.setIfAbsent("survivors", here.getBytes(StandardCharsets.UTF_8));
        String agreed = new String(store.await("survivors", window), StandardCharsets.UTF_8);
        List<Integer> survivors =
                Arrays.stream(agreed.split(",")).map(Integer::valueOf).toList();
        if (!survivors.contains(rank)) {
            throw new GroupException(
                    GroupError.REFUSED, "rank " + rank + " came too late: the mesh goes on with ranks " + agreed);
        }
        return survivors;
    }

    private static String here(int rank) {
        return "here/" + rank;
    }

    /// Waits a moment for the ranks that have neither come nor ended.
    private boolean haveAllCome() {
        List<String> awaited = IntStream.range(0, worldSize)
                .filter(other -> before.find(SharedFailure.lostKey(other)).isEmpty()
                        && before.find(Watchdog.leftKey(other)).isEmpty())
                .mapToObj(SurvivorSearch::here)
                .toList();
        try {
            store.awaitAll(awaited, LOOK);
            return true;
        } catch (StoreException e) {
            if (e.missing().isEmpty()) {
                throw new GroupException(GroupError.STORE_LOST, "the store of the mesh is lost: " + e.getMessage(), e);
            }
            return false;
        }
    }
}
