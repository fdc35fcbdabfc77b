// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.bench;

import dev.muster.cli.ranks.RankJvms;
import dev.muster.cli.ranks.RankPlaces;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.collective.EngineProvider;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/// Ranks that are processes of their own.
///
/// @param variables of this process; ranks get them too
record ProcessBench(BenchPlan plan, int ranks, Map<String, String> variables) {
    void run(EngineProvider backend, Consumer<BenchFigures> figures) throws IOException, InterruptedException {
        new RankJvms(BenchRank.class, BenchRank.wordsOf(plan), ranks, variables)
                .run(
                        backend.name(),
                        RankPlaces.HERE,
                        line -> BenchRank.figures(line).ifPresent(figures));
    }
}
