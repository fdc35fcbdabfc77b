package dev.muster.cli.bench;

import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.Operation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A plan as arguments of a rank process.
final class PlanWords {
    private static final String SEPARATOR = ",";

    private PlanWords() {}

    static List<String> of(BenchPlan plan) {
        return List.of(
                plan.operations().stream().map(Operation::text).collect(Collectors.joining(SEPARATOR)),
                plan.type().text(),
                plan.sizes().stream().map(String::valueOf).collect(Collectors.joining(SEPARATOR)),
                Integer.toString(plan.calls()),
                plan.warmUp().toString(),
                plan.budget().toString());
    }

    static BenchPlan parse(List<String> words) {
        return new BenchPlan(
                Arrays.stream(words.get(0).split(SEPARATOR, -1))
                        .map(text -> BenchLine.operation(text).orElseThrow())
                        .toList(),
                DType.parse(words.get(1)).orElseThrow(),
                Arrays.stream(words.get(2).split(SEPARATOR, -1))
                        .map(Long::valueOf)
                        .toList(),
                Integer.parseInt(words.get(3)),
                Duration.parse(words.get(4)),
                Duration.parse(words.get(5)));
    }
}
