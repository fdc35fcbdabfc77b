package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.bench.CollectiveBench;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import java.util.List;

/// A process of `muster mesh bench`: joins the mesh that its variables name and measures a plan. The first rank writes
/// a line for each size.
public final class BenchRank {
    private BenchRank() {}

    /// Measures the plan that the arguments hold.
    public static void main(String[] arguments) {
        LaunchContext context = LaunchContext.from(System.getenv());
        BenchPlan plan = PlanWords.parse(List.of(arguments));
        try (MeshSession session = MeshSession.join(context);
                CollectiveBench bench = new CollectiveBench(session.world(), plan, AllocationMeter.ofThisThread())) {
            bench.run(figures -> {
                if (context.rank() == 0) {
                    System.out.println(BenchLine.of(figures));
                }
            });
        } catch (GroupException e) {
            // One sentence, which the command shows: an engine that is not available is no defect.
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }
}
