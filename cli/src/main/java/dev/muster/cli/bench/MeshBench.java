package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.session.EngineChoice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Measures a plan over engines, one after the other. Immutable.
///
/// @param plan what to measure
/// @param engines over which, `auto` excepted
/// @param ranks how many take part
/// @param variables of this process; rank processes get them too
public record MeshBench(BenchPlan plan, List<EngineChoice> engines, int ranks, Map<String, String> variables) {
    /// Copies the collections.
    public MeshBench {
        engines = List.copyOf(engines);
        variables = Map.copyOf(variables);
    }

    /// Measures, and tells each row as soon as it is there.
    ///
    /// @throws IOException if ranks cannot be started or one of them fails
    public BenchReport run(Consumer<BenchReport.Row> progress) throws IOException, InterruptedException {
        List<BenchReport.Row> rows = new ArrayList<>();
        for (EngineChoice engine : engines) {
            Consumer<BenchFigures> figures = found -> {
                BenchReport.Row row = new BenchReport.Row(engine.text(), found);
                rows.add(row);
                progress.accept(row);
            };
            if (engine.equals(EngineChoice.LOCAL)) {
                new ThreadBench(plan, ranks).run(figures);
            } else {
                new ProcessBench(plan, ranks, variables).run(engine, figures);
            }
        }
        return new BenchReport(ranks, Runtime.getRuntime().availableProcessors(), plan.type(), rows);
    }
}
