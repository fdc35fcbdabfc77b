package dev.muster.bench;

import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// Holds [PlanRuleBenchmark] to its bars: what a build of ai-hwaccel that is made for speed takes on such a machine.
public final class PlanBars {
    private PlanBars() {}

    /// Runs the benchmark; exits with 1 if a bar is missed.
    public static void main(String[] arguments) throws RunnerException {
        BenchmarkBars.run(
                PlanRuleBenchmark.class,
                Map.of("oneDevice", 52.0, "byTensors", 99.0, "byLayers", 192.0, "suggestion", 34.0, "memory", 2.0));
    }
}
