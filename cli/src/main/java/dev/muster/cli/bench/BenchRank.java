// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.bench;

import com.sun.management.ThreadMXBean;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.mesh.bench.BenchFigures;
import dev.muster.mesh.bench.BenchPlan;
import dev.muster.mesh.bench.CollectiveBench;
import dev.muster.mesh.collective.DType;
import dev.muster.mesh.collective.GroupException;
import dev.muster.mesh.collective.Operation;
import dev.muster.mesh.launch.LaunchContext;
import dev.muster.mesh.session.MeshSession;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// A process of `muster mesh bench`: joins the mesh that its variables name and measures the plan that its arguments
/// hold. The first rank writes a line for each size.
public final class BenchRank {
    private static final String SEPARATOR = ",";
    private static final String MARK = "figures\t";

    private BenchRank() {}

    /// Measures the plan that the arguments hold.
    public static void main(String[] arguments) {
        LaunchContext context = LaunchContext.from(System.getenv());
        BenchPlan plan = planOf(List.of(arguments));
        try (MeshSession session = MeshSession.join(context);
                CollectiveBench bench = new CollectiveBench(session.world(), plan, allocationMeter())) {
            bench.run(figures -> {
                if (context.rank() == 0) {
                    System.out.println(line(figures));
                }
            });
        } catch (GroupException e) {
            // One sentence, which the command shows: an engine that is not available is not a defect.
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /// Returns how many bytes of objects the calling thread has allocated.
    static LongSupplier allocationMeter() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads::getCurrentThreadAllocatedBytes;
    }

    /// Returns a plan as arguments of a rank process.
    static List<String> wordsOf(BenchPlan plan) {
        return List.of(
                plan.operations().stream().map(Operation::text).collect(Collectors.joining(SEPARATOR)),
                plan.type().text(),
                plan.sizes().stream().map(String::valueOf).collect(Collectors.joining(SEPARATOR)),
                Integer.toString(plan.calls()),
                plan.warmUp().toString(),
                plan.budget().toString());
    }

    private static BenchPlan planOf(List<String> words) {
        return new BenchPlan(
                Arrays.stream(words.get(0).split(SEPARATOR, -1))
                        .map(text -> operation(text).orElseThrow())
                        .toList(),
                DType.parse(words.get(1)).orElseThrow(),
                Arrays.stream(words.get(2).split(SEPARATOR, -1))
                        .map(Long::valueOf)
                        .toList(),
                Integer.parseInt(words.get(3)),
                Duration.parse(words.get(4)),
                Duration.parse(words.get(5)));
    }

    private static String line(BenchFigures figures) {
        return MARK
                + JsonObject.builder()
                        .put("operation", figures.operation().text())
                        .put("bytes", figures.bytes())
                        .put("calls", figures.calls())
                        .put("min", figures.min())
                        .put("mean", figures.mean())
                        .put("max", figures.max())
                        .put("p50", figures.p50())
                        .put("p99", figures.p99())
                        .put("wrong", figures.wrong())
                        .put("allocated", figures.allocated())
                        .build()
                        .toText();
    }

    /// Parses a line; empty for other output.
    static Optional<BenchFigures> figures(String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        JsonValue found = JsonValue.parse(line.substring(MARK.length()));
        return operation(found.requireText("operation"))
                .map(operation -> new BenchFigures(
                        operation,
                        (long) number(found, "bytes"),
                        (int) number(found, "calls"),
                        number(found, "min"),
                        number(found, "mean"),
                        number(found, "max"),
                        number(found, "p50"),
                        number(found, "p99"),
                        (long) number(found, "wrong"),
                        number(found, "allocated")));
    }

    private static double number(JsonValue found, String key) {
        return found.requireNumber(key).toDouble();
    }

    private static Optional<Operation> operation(String text) {
        return Arrays.stream(Operation.values())
                .filter(operation -> operation.text().equals(text))
                .findFirst();
    }
}
