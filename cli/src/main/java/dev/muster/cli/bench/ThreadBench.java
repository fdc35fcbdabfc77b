package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.bench.CollectiveBench;
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

/// Ranks that are threads of this process.
record ThreadBench(BenchPlan plan, int ranks) {
    void run(Consumer<BenchFigures> figures) throws IOException, InterruptedException {
        SessionConfig config = SessionConfig.of(Secret.of(Secret.randomText())).withBackend("local");
        try (LocalHub hub = new LocalHub();
                ExecutorService threads = Executors.newFixedThreadPool(
                        ranks, Thread.ofPlatform().name("muster-bench-", 0).factory())) {
            List<Future<?>> ends = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                int own = rank;
                ends.add(threads.submit(() -> measure(hub, own, config, figures)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        }
    }

    private void measure(LocalHub hub, int rank, SessionConfig config, Consumer<BenchFigures> figures) {
        try (MeshSession session = hub.join(rank, ranks, config);
                CollectiveBench bench = new CollectiveBench(session.world(), plan, BenchRank.allocationMeter())) {
            bench.run(rank == 0 ? figures : _ -> {});
        }
    }
}
