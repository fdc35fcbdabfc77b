// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/// A member of a mesh in a process of its own, for tests of the launcher.
final class MeshMember {
    private MeshMember() {}

    /// Meets the others; with `lose`, rank 1 then ends its life and the others wait for word of it.
    static void main(String[] words) {
        LaunchContext context = LaunchContext.from(System.getenv());
        try (Store store = context.openStore()) {
            store.set("here/" + context.rank(), new byte[] {1});
            List<String> all = IntStream.range(0, context.worldSize())
                    .mapToObj(rank -> "here/" + rank)
                    .toList();
            store.awaitAll(all, context.limit());
            System.out.println("met " + context);
            if (words.length > 0 && context.rank() == 1) {
                Runtime.getRuntime().halt(5);
            } else if (words.length > 0) {
                System.out.println("heard that rank 1 "
                        + new String(store.await("lost/1", context.limit()), StandardCharsets.UTF_8));
            }
        }
    }
}
