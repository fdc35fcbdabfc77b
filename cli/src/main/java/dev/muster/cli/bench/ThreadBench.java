// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.bench;

import dev.muster.cli.ranks.RankThreads;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.bench.CollectiveBench;
import dev.muster.mesh.session.MeshSession;
import java.io.IOException;
import java.util.function.Consumer;

/// Ranks that are threads of this process.
record ThreadBench(BenchPlan plan, int ranks) {
    void run(Consumer<BenchFigures> figures) throws IOException, InterruptedException {
        new RankThreads(ranks).run(session -> measure(session, figures));
    }

    private void measure(MeshSession session, Consumer<BenchFigures> figures) {
        try (CollectiveBench bench = new CollectiveBench(session.world(), plan, BenchRank.allocationMeter())) {
            bench.run(session.rank() == 0 ? figures : _ -> {});
        }
    }
}
