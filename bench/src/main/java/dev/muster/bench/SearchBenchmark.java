// SPDX-License-Identifier: Apache-2.0
package dev.muster.bench;

import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.memory.StandardFormat;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.DeviceEntry;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.search.deployment.DeploymentSearch;
import dev.muster.plan.search.training.TrainingSearch;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// The whole search, from a request to the sorted answer: for the best way to serve a mixture of experts, which has the
/// most layouts, without a load and under one, and for the best way to train, on hosts of eight joined by a network of
/// two levels.
@State(Scope.Benchmark)
public class SearchBenchmark {
    private static final int HOST = 8;
    private static final int POD = 4096;
    private static final Slo KEPT = new Slo(List.of(
            Objective.of(LatencyMetric.TTFT, LatencyStatistic.P99, 1.5),
            Objective.of(LatencyMetric.TPOT, LatencyStatistic.P99, 0.04)));

    private final ServingSearch serving = ServingSearch.of(CoefficientTable.builtIn());
    private final DeploymentSearch deployments = DeploymentSearch.of(CoefficientTable.builtIn(), RentalOffers.NONE);
    private final TrainingSearch training = TrainingSearch.of(CoefficientTable.builtIn());
    private final DeviceEntry server = device("h200-sxm");
    private final DeviceFigures trainer = DeviceFigures.of(device("h100-sxm"));
    private final ServingRequest request = ServingRequest.of(model("qwen3-235b-a22b"))
            .withFormat(StandardFormat.FP8)
            .withTokens(2048, 256)
            .withConcurrency(512)
            .withGoal(ServingGoal.THROUGHPUT);

    /// Makes the state; JMH calls it.
    public SearchBenchmark() {}

    private static DeviceEntry device(String id) {
        return DeviceCatalogue.builtIn().find(id).orElseThrow();
    }

    private static ModelSummary model(String id) {
        return ModelCatalogue.builtIn().find(id).orElseThrow().toSummary();
    }

    @Benchmark
    public Attempt<PlanAnswer<ServingPlan>> serveOnEight() {
        return serve(8);
    }

    /// A row of racks, as if all were one domain.
    @Benchmark
    public Attempt<PlanAnswer<ServingPlan>> serveOnThousand() {
        return serve(1024);
    }

    private Attempt<PlanAnswer<ServingPlan>> serve(int count) {
        DevicePool pool = DevicePool.of(DeviceFigures.of(server), server.name(), count);
        return serving.find(request, pool, ServingEngine.TENSORRT_LLM);
    }

    /// One machine under load, with targets.
    @Benchmark
    public Attempt<PlanAnswer<DeploymentPlan>> deployOnEight() {
        return deploy(8, 100);
    }

    /// A row of racks under load, with targets.
    @Benchmark
    public Attempt<PlanAnswer<DeploymentPlan>> deployOnThousand() {
        return deploy(1024, 4000);
    }

    private Attempt<PlanAnswer<DeploymentPlan>> deploy(int count, int users) {
        DevicePool pool = DevicePool.of(DeviceFigures.of(server), server.name(), count);
        SimulationRequest asked = SimulationRequest.of(
                request.withTokens(1024, 256).withGoal(ServingGoal.DEVICES), new ServingLoad.Users(users));
        return deployments.find(asked, KEPT, pool, ServingEngine.VLLM);
    }

    @Benchmark
    public Attempt<PlanAnswer<TrainingPlan>> trainOnEight() {
        return train("qwen3-30b-a3b", 8, 512);
    }

    /// A row of racks, with experts.
    @Benchmark
    public Attempt<PlanAnswer<TrainingPlan>> trainOnThousand() {
        return train("deepseek-v3", 1024, 4096);
    }

    /// The largest cluster, without experts.
    @Benchmark
    public Attempt<PlanAnswer<TrainingPlan>> trainLargestDense() {
        return train("llama-3.1-405b", 98_304, 24_576);
    }

    /// The largest cluster, with experts, which has the most layouts.
    @Benchmark
    public Attempt<PlanAnswer<TrainingPlan>> trainLargestExperts() {
        return train("deepseek-v3", 98_304, 24_576);
    }

    private Attempt<PlanAnswer<TrainingPlan>> train(String model, int count, int batch) {
        TrainingRequest wanted = TrainingRequest.of(model(model), TrainingMethod.Simple.FULL_FINE_TUNE)
                .withBatch(batch);
        Fabric fabric = new Fabric(List.of(
                new Fabric.Level(HOST, trainer.link()),
                new Fabric.Level(POD, 42e9),
                new Fabric.Level(Double.MAX_VALUE, 21e9)));
        TrainingCluster cluster = new TrainingCluster(DevicePool.of(trainer, trainer.id(), count), HOST, fabric);
        return training.find(wanted, cluster, TrainingFramework.MEGATRON);
    }
}
