package dev.muster.bench;

import dev.muster.core.Reading;
import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.memory.StandardFormat;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSoftware;
import dev.muster.plan.time.CoefficientTable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The whole search for a mixture of experts, which has the most layouts, from a request to the sorted answer.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ServingSearchBenchmark {
    private final ServingSearch search = ServingSearch.of(CoefficientTable.builtIn());
    private final DeviceEntry device =
            DeviceCatalogue.builtIn().find("h200-sxm").orElseThrow();
    private final ServingRequest request = ServingRequest.of(ModelCatalogue.builtIn()
                    .find("qwen3-235b-a22b")
                    .orElseThrow()
                    .toSummary())
            .withFormat(StandardFormat.FP8)
            .withTokens(2048, 256)
            .withConcurrency(512)
            .withGoal(ServingGoal.THROUGHPUT);

    /// Makes the state; JMH calls it.
    public ServingSearchBenchmark() {}

    /// One machine.
    @Benchmark
    public Reading<PlanAnswer<ServingPlan>> eightDevices() {
        return find(8);
    }

    /// A row of racks, as if all were one domain.
    @Benchmark
    public Reading<PlanAnswer<ServingPlan>> thousandDevices() {
        return find(1024);
    }

    private Reading<PlanAnswer<ServingPlan>> find(int count) {
        DevicePool pool = DevicePool.of(DeviceFigures.of(device), device.name(), count);
        return search.find(request, pool, ServingSoftware.TENSORRT_LLM);
    }
}
