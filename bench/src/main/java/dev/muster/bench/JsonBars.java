package dev.muster.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Runs [RegistryJsonBenchmark] and holds its figures to the bars: 4 µs to JSON, 5 µs from JSON.
public final class JsonBars {
    private static final Map<String, Double> BARS = Map.of("toJson", 4000.0, "fromJson", 5000.0);

    private JsonBars() {}

    /// Runs the benchmark; exits with 1 if a bar is missed.
    public static void main(String[] arguments) throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .include(RegistryJsonBenchmark.class.getSimpleName())
                        .build())
                .run();
        boolean missed = false;
        System.out.println("\nbenchmark            ns/op     error   bar");
        for (RunResult result : results) {
            String name = result.getPrimaryResult().getLabel();
            double score = result.getPrimaryResult().getScore();
            double error = result.getPrimaryResult().getScoreError();
            String verdict = "";
            if (BARS.containsKey(name)) {
                boolean held = score <= BARS.get(name);
                missed |= !held;
                verdict = String.format(Locale.ROOT, "<= %.0f %s", BARS.get(name), held ? "ok" : "MISSED");
            }
            System.out.printf(Locale.ROOT, "%-16s %9.0f %9.0f   %s%n", name, score, error, verdict);
        }
        if (missed) {
            System.exit(1);
        }
    }
}
