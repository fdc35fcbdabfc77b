// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs a benchmark and holds its figures to bars.
public final class BenchmarkBars {
    private static final TimeValue ITERATION = TimeValue.seconds(1);

    private BenchmarkBars() {}

    /// The subjects of measurement. Bars are the most nanoseconds, by method.
    private enum Subject {
        /// 4 µs to JSON, 5 µs from JSON.
        JSON(RegistryJsonBenchmark.class, 2, 5, Map.of("toJson", 4000.0, "fromJson", 5000.0)),
        /// The time of an optimized build of ai-hwaccel on such a machine.
        PLAN(
                PlanRuleBenchmark.class,
                2,
                5,
                Map.of("oneDevice", 52.0, "byTensors", 99.0, "byLayers", 192.0, "suggestion", 34.0, "memory", 2.0)),
        /// A plan at an interactive prompt.
        SEARCH(
                SearchBenchmark.class,
                1,
                3,
                Map.of(
                        "serveOnEight", 1e6,
                        "serveOnThousand", 1e7,
                        "deployOnEight", 5e7,
                        "deployOnThousand", 5e8,
                        "trainOnEight", 1e6,
                        "trainOnThousand", 1e7,
                        "trainLargestDense", 5e7,
                        "trainLargestExperts", 5e7)),
        /// A load that a search can play through for each plan.
        SIMULATE(
                SimulateBenchmark.class,
                1,
                3,
                Map.of(
                        "thousandOfUsers", 5e5,
                        "thousandAlone", 5e5,
                        "thousandInLittleRoom", 5e5,
                        "millionOfTrace", 1e9));

        private final Class<?> benchmark;
        private final int forks;
        private final int iterations;
        private final Map<String, Double> bars;

        Subject(Class<?> benchmark, int forks, int iterations, Map<String, Double> bars) {
            this.benchmark = benchmark;
            this.forks = forks;
            this.iterations = iterations;
            this.bars = bars;
        }

        Collection<RunResult> run() throws RunnerException {
            return new Runner(new OptionsBuilder()
                            .include(benchmark.getSimpleName())
                            .mode(Mode.AverageTime)
                            .timeUnit(TimeUnit.NANOSECONDS)
                            .warmupIterations(iterations)
                            .warmupTime(ITERATION)
                            .measurementIterations(iterations)
                            .measurementTime(ITERATION)
                            .forks(forks)
                            .build())
                    .run();
        }
    }

    /// Runs all methods of a benchmark and prints a table; exits with 1 if a bar is missed.
    ///
    /// @param arguments `json`, `plan`, `search` or `simulate`
    public static void main(String[] arguments) throws RunnerException {
        Subject subject = Subject.valueOf(List.of(arguments).getFirst().toUpperCase(Locale.ROOT));
        boolean missed = false;
        Collection<RunResult> results = subject.run();
        System.out.println("\nbenchmark               ns/op     error   bar");
        for (RunResult result : results) {
            String name = result.getPrimaryResult().getLabel();
            double score = result.getPrimaryResult().getScore();
            double error = result.getPrimaryResult().getScoreError();
            String verdict = "";
            Double bar = subject.bars.get(name);
            if (bar != null) {
                missed |= score > bar;
                verdict = String.format(Locale.ROOT, "<= %.0f %s", bar, score <= bar ? "ok" : "MISSED");
            }
            System.out.printf(Locale.ROOT, "%-19s %9.1f %9.1f   %s%n", name, score, error, verdict);
        }
        if (missed) {
            System.exit(1);
        }
    }
}
