package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.bench.CollectiveBench;
import dev.muster.mesh.collective.MeshException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.EngineChoice;
import dev.muster.mesh.session.MeshSession;
import dev.muster.mesh.session.SessionConfig;
import java.util.List;
import java.util.Map;

/// A process of `muster mesh bench`: joins the mesh that its variables name and measures a plan. The first rank writes
/// a line for each size.
public final class BenchRank {
    private BenchRank() {}

    /// Measures the plan that the arguments hold.
    public static void main(String[] arguments) {
        Map<String, String> variables = System.getenv();
        LaunchContext context = LaunchContext.from(variables);
        BenchPlan plan = PlanWords.parse(List.of(arguments));
        EngineChoice engine = EngineChoice.parse(variables.getOrDefault("MUSTER_TRANSPORT", "auto"))
                .orElse(EngineChoice.AUTO);
        SessionConfig usual = SessionConfig.of(context.findSecret().orElseThrow())
                .withEngine(engine)
                .withLimit(context.limit());
        SessionConfig config = context.findGlooShim().map(usual::withGlooShim).orElse(usual);
        try (MeshSession session = MeshSession.join(context.openStore(), context.rank(), context.worldSize(), config);
                CollectiveBench bench = new CollectiveBench(session.world(), plan, AllocationMeter.ofThisThread())) {
            bench.run(figures -> {
                if (context.rank() == 0) {
                    System.out.println(BenchLine.of(figures));
                }
            });
        } catch (MeshException e) {
            // One sentence, which the command shows: an engine that is not available is no defect.
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
