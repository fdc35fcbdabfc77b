package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.collective.EngineProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Measures a plan over backends, one after the other. Immutable.
///
/// @param plan what to measure
/// @param backends over which
/// @param ranks how many take part
/// @param variables of this process; rank processes get them too
public record MeshBench(BenchPlan plan, List<EngineProvider> backends, int ranks, Map<String, String> variables) {
    /// Copies the collections.
    public MeshBench {
        backends = List.copyOf(backends);
        variables = Map.copyOf(variables);
    }

    /// Measures, and tells each row as soon as it is there.
    ///
    /// @throws IOException if ranks cannot be started or one of them fails
    public BenchReport run(Consumer<BenchReport.Row> progress) throws IOException, InterruptedException {
        List<BenchReport.Row> rows = new ArrayList<>();
        for (EngineProvider backend : backends) {
            Consumer<BenchFigures> figures = found -> {
                BenchReport.Row row = new BenchReport.Row(backend.name(), found);
                rows.add(row);
                progress.accept(row);
            };
            if (backend.name().equals("local")) {
                new ThreadBench(plan, ranks).run(figures);
            } else {
                new ProcessBench(plan, ranks, variables).run(backend, figures);
            }
        }
        return new BenchReport(ranks, Runtime.getRuntime().availableProcessors(), plan.type(), rows);
    }
}
