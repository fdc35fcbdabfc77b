package dev.muster.bench;

import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// Holds [ServingSearchBenchmark] to its bars: a plan while somebody waits for the next line.
public final class SearchBars {
    private SearchBars() {}

    /// Runs the benchmark; exits with 1 if a bar is missed.
    public static void main(String[] arguments) throws RunnerException {
        BenchmarkBars.run(ServingSearchBenchmark.class, Map.of("eightDevices", 1e6, "thousandDevices", 1e7));
    }
}
