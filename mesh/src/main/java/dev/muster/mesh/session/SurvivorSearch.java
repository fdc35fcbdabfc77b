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

/// Finds out who is left. Each rank reports; when all have, or the window has passed, the first to notice
/// writes the list down, and that list holds for all.
final class SurvivorSearch {
    private final Store store;
    private final int rank;
    private final int worldSize;
    private final Duration window;

    SurvivorSearch(Store root, long incarnation, int rank, int worldSize, Duration window) {
        this.store = root.withPrefix("census/" + incarnation + "/");
        this.rank = rank;
        this.worldSize = worldSize;
        this.window = window;
    }

    List<Integer> take() {
        store.set("here/" + rank, new byte[0]);
        List<String> all =
                IntStream.range(0, worldSize).mapToObj(other -> "here/" + other).toList();
        try {
            store.awaitAll(all, window);
        } catch (StoreException e) {
            if (e.missing().isEmpty()) {
                throw new GroupException(GroupError.STORE_LOST, "the store of the mesh is lost: " + e.getMessage(), e);
            }
        }
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
}
