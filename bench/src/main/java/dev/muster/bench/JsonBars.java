package dev.muster.bench;

import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/// Holds [RegistryJsonBenchmark] to its bars: 4 µs to JSON, 5 µs from JSON.
public final class JsonBars {
    private JsonBars() {}

    /// Runs the benchmark; exits with 1 if a bar is missed.
    public static void main(String[] arguments) throws RunnerException {
        BenchmarkBars.run(RegistryJsonBenchmark.class, Map.of("toJson", 4000.0, "fromJson", 5000.0));
    }
}
