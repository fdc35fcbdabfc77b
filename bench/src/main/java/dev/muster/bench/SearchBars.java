package dev.muster.bench;

import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// Holds [ServingSearchBenchmark] and [TrainingSearchBenchmark] to their bars: a plan while somebody waits for the next
/// line.
public final class SearchBars {
    private SearchBars() {}

    /// Runs the benchmark; exits with 1 if a bar is missed.
    public static void main(String[] arguments) throws RunnerException {
        BenchmarkBars.run(ServingSearchBenchmark.class, Map.of("eightDevices", 1e6, "thousandDevices", 1e7));
        BenchmarkBars.run(
                TrainingSearchBenchmark.class,
                Map.of("eightDevices", 1e6, "thousandDevices", 1e7, "largestDense", 5e7, "largestExperts", 5e7));
    }
}
