package dev.muster.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/// Runs a benchmark and holds its figures to bars.
final class BenchmarkBars {
    private BenchmarkBars() {}

    /// Runs all methods of a benchmark and prints a table; exits with 1 if a bar is missed.
    ///
    /// @param bars the most nanoseconds, by method
    static void run(Class<?> benchmark, Map<String, Double> bars) throws RunnerException {
        Collection<RunResult> results = new Runner(
                        new OptionsBuilder().include(benchmark.getSimpleName()).build())
                .run();
        boolean missed = false;
        System.out.println("\nbenchmark            ns/op     error   bar");
        for (RunResult result : results) {
            String name = result.getPrimaryResult().getLabel();
            double score = result.getPrimaryResult().getScore();
            double error = result.getPrimaryResult().getScoreError();
            String verdict = "";
            if (bars.containsKey(name)) {
                boolean held = score <= bars.get(name);
                missed |= !held;
                verdict = String.format(Locale.ROOT, "<= %.0f %s", bars.get(name), held ? "ok" : "MISSED");
            }
            System.out.printf(Locale.ROOT, "%-16s %9.1f %9.1f   %s%n", name, score, error, verdict);
        }
        if (missed) {
            System.exit(1);
        }
    }
}
