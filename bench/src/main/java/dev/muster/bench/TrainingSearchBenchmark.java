package dev.muster.bench;

import dev.muster.core.Reading;
import dev.muster.plan.answer.DevicePool;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.ModelCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.search.TrainingSearch;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.plan.training.TrainingSoftware;
import java.util.List;
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

/// The whole search for the best way to train, on hosts of eight joined by a network of two levels.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class TrainingSearchBenchmark {
    private static final int HOST = 8;
    private static final int POD = 4096;

    private final TrainingSearch search = TrainingSearch.of(CoefficientTable.builtIn());
    private final DeviceFigures device =
            DeviceFigures.of(DeviceCatalogue.builtIn().find("h100-sxm").orElseThrow());
    private final ModelCatalogue models = ModelCatalogue.builtIn();

    /// Makes the state; JMH calls it.
    public TrainingSearchBenchmark() {}

    /// One machine.
    @Benchmark
    public Reading<PlanAnswer<TrainingPlan>> eightDevices() {
        return find("qwen3-30b-a3b", 8, 512);
    }

    /// A row of racks, with experts.
    @Benchmark
    public Reading<PlanAnswer<TrainingPlan>> thousandDevices() {
        return find("deepseek-v3", 1024, 4096);
    }

    /// The largest cluster, without experts.
    @Benchmark
    public Reading<PlanAnswer<TrainingPlan>> largestDense() {
        return find("llama-3.1-405b", 98_304, 24_576);
    }

    /// The largest cluster, with experts, which has the most layouts.
    @Benchmark
    public Reading<PlanAnswer<TrainingPlan>> largestExperts() {
        return find("deepseek-v3", 98_304, 24_576);
    }

    private Reading<PlanAnswer<TrainingPlan>> find(String model, int count, int batch) {
        TrainingRequest request = TrainingRequest.of(
                        models.find(model).orElseThrow().toSummary(), TrainingMethod.Simple.FULL_FINE_TUNE)
                .withBatch(batch);
        Fabric fabric = new Fabric(List.of(
                new Fabric.Level(HOST, device.link()),
                new Fabric.Level(POD, 42e9),
                new Fabric.Level(Double.MAX_VALUE, 21e9)));
        TrainingCluster cluster = new TrainingCluster(DevicePool.of(device, device.id(), count), HOST, fabric);
        return search.find(request, cluster, TrainingSoftware.MEGATRON);
    }
}
