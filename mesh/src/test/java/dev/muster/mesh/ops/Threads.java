// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.ops;

import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import dev.muster.testing.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Ranks as threads of this process.
final class Threads {
    private Threads() {}

    /// Lets all ranks do the same and returns what each came to, in the order of ranks.
    static <T> List<T> run(int ranks, Function<DistributedOps, T> task) throws Exception {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText()));
        List<Callable<T>> tasks = new ArrayList<>();
        try (LocalHub hub = new LocalHub()) {
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                tasks.add(() -> {
                    try (MeshSession session = hub.join(own, ranks, config);
                            DistributedOps ops = DistributedOps.over(session.world())) {
                        T result = task.apply(ops);
                        ops.barrier();
                        return result;
                    }
                });
            }
            List<T> results = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
                for (Future<T> result : threads.invokeAll(tasks)) {
                    results.add(result.get(Waiting.seconds(60), TimeUnit.SECONDS));
                }
            }
            return results;
        }
    }
}
