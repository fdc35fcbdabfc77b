// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.report.mesh.BenchReport;
import dev.muster.report.mesh.BenchReport.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// A benchmark of several backends on ranks of this machine.
public final class BackendBench {
    private BackendBench() {}

    /// Measures a plan over backends, one after the other, and tells each row as soon as it is there.
    ///
    /// @param variables of this process; rank processes get them too
    /// @throws IOException if ranks cannot be started or one of them fails
    public static BenchReport measure(
            BenchPlan plan,
            List<EngineProvider> backends,
            int ranks,
            Map<String, String> variables,
            Consumer<Row> progress)
            throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (EngineProvider backend : backends) {
            Consumer<BenchFigures> figures = found -> {
                Row row = new Row(backend.name(), found);
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
