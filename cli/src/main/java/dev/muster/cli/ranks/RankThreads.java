// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ranks;

import dev.muster.mesh.session.LocalHub;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.mesh.store.Secret;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Ranks that are threads of this process. Immutable.
///
/// @param ranks number of ranks
public record RankThreads(int ranks) {
    /// Lets each do its work, and waits until all have.
    ///
    /// @param work work of a rank; its session is closed afterwards
    /// @throws IOException if one of them fails
    public void run(Consumer<MeshSession> work) throws IOException, InterruptedException {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText())).withBackend("local");
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(
                        ranks, Thread.ofPlatform().name("muster-rank-", 0).factory())) {
            List<Future<?>> ends = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                ends.add(threads.submit(() -> join(hub, own, config, work)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }

    private void join(LocalHub hub, int rank, SessionConfig config, Consumer<MeshSession> work) {
        try (MeshSession session = hub.join(rank, ranks, config)) {
            work.accept(session);
        }
    }
}
