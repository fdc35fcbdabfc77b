// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.detect.Detector;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.model.catalogue.ModelName;
import dev.muster.model.memory.GgufFormat;
import dev.muster.plan.ModelWeights;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.ask.Answer;
import dev.muster.plan.ask.ParameterValues;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.ask.Question;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.launch.Launcher;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.report.AnswerReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The examples of `README.md` and `docs/library.md` that plan.
class PlannerGuideTest {
    private static final AcceleratorRegistry MACHINE =
            WhatIf.synthetic("[h100-sxm:8 nvswitch cpu:1TiB]", DeviceCatalogue.builtIn());

    @Test
    void thisMachineIsPlannedFor() {
        // begin planner
        AcceleratorRegistry registry = Detector.ofThisHost().detect();
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-70b").orElseThrow().toSummary();
        ServingRequest request = ServingRequest.of(model).withConcurrency(64).withGoal(ServingGoal.THROUGHPUT);
        String answer = switch (Planner.of(registry).serve(request).answer()) {
            case PlanAnswer.Feasible<ServingPlan> found ->
                "TP " + found.best().layout().tp() + " x DP " + found.best().replicas();
            case PlanAnswer.Infeasible<ServingPlan> none -> "fits with " + none.remedies();
            case PlanAnswer.Unanswered<ServingPlan> unknown -> "unknown: " + unknown.reason();
        };
        // end planner

        assertThat(answer).isNotBlank();
    }

    /// Rules of thumb said "Strategy: None, 1 tok/s".
    @Test
    void seventyBillionParametersOnEightH100AreSplitByTheRealPlanner() {
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-70b").orElseThrow().toSummary();
        ServingRequest request = ServingRequest.of(model).withConcurrency(64).withGoal(ServingGoal.THROUGHPUT);
        assertThat(Planner.of(MACHINE).serve(request).answer())
                .isInstanceOfSatisfying(PlanAnswer.Feasible.class, found -> {
                    ServingPlan best = (ServingPlan) found.best();
                    assertThat(best.layout().tp()).isGreaterThan(1);
                    assertThat(best.devices()).isEqualTo(8);
                    assertThat(best.tokensPerSecond().p50()).isGreaterThan(500);
                });
    }

    @Test
    void devicesMemoryAndCataloguesAreChosen() {
        AcceleratorRegistry registry = MACHINE;
        String ownDevices = """
                device_id,vendor,name,class,memory_gb,memory_type,mem_bw_gbs,source
                nova-1,nova,Nova 1,datacenter,96,HBM3,2400,our lab
                """;
        // begin planner-parts
        DeviceCatalogue catalogue = DeviceCatalogue.builtIn().with(DeviceCatalogue.parse(ownDevices));
        Planner planner = Planner.of(registry)
                .withDevices(DeviceChoice.named(registry, "cuda:4,5,6,7")) // else those that are well and free
                .withMemory(MemoryBasis.TOTAL) // else what is free now
                .withCatalogue(catalogue)
                .withPrices(PriceCatalogue.builtIn())
                .withHosts(2); // two machines like this one
        // end planner-parts

        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow().toSummary();
        assertThat(planner.serve(ServingRequest.of(model)).isFeasible()).isTrue();
    }

    @Test
    void aPlanIsEmittedAndWritten() {
        AcceleratorRegistry registry = MACHINE;
        // begin planner-emit
        ModelName name = ModelName.resolve("Qwen/Qwen3-32B-AWQ", ModelCatalogue.builtIn())
                .orElseThrow();
        ParameterValues values = ParameterValues.NONE
                .with(Parameters.FORMATS, List.of(name.findFormat().orElseThrow()))
                .with(Parameters.CONCURRENCY, 32);
        Planner planner = Planner.of(registry);
        Answer.Served answer = Question.serve(name.toSummary(), values).ask(planner);
        ServingPlan plan = answer.outcome().answer().findFirst().orElseThrow();
        String script = switch (Launcher.emit(plan, LaunchTarget.VLLM)) {
            case LaunchAnswer.Emitted files -> files.artifacts().getFirst().text();
            case LaunchAnswer.Refused refused -> throw new IllegalStateException(refused.toString());
        };
        String json = AnswerReport.of(answer, planner, false).document().toText();
        // end planner-emit

        assertThat(script).contains("vllm serve").contains("Qwen/Qwen3-32B-AWQ");
        assertThat(json).contains("\"kind\":\"serving-plan\"").contains("awq-int4");
    }

    @Test
    void aLoadIsPlayedThrough() {
        AcceleratorRegistry registry = MACHINE;
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow().toSummary();
        // begin planner-simulate
        ServingRequest serving = ServingRequest.of(model).withTokens(1024, 256);
        SimulationRequest request = SimulationRequest.of(serving, new ServingLoad.Users(64))
                .withTargets(Slo.NONE
                        .with(LatencyMetric.TTFT, LatencyStatistic.P99, Duration.ofMillis(800))
                        .with(LatencyMetric.TPOT, LatencyStatistic.P99, Duration.ofMillis(40)));
        PlanAnswer<ServingSimulation> answer = Planner.of(registry).simulate(request, ServingChoices.USUAL);
        double goodput = answer.findFirst()
                .map(simulation -> simulation.figures().goodput())
                .orElse(Double.NaN);
        // end planner-simulate

        assertThat(answer.isFeasible()).isTrue();
        assertThat(goodput).isNotNegative();
    }

    @Test
    void aDeploymentKeepsTargetsUnderLoad() {
        AcceleratorRegistry registry = MACHINE;
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow().toSummary();
        // begin planner-deploy
        ServingRequest serving = ServingRequest.of(model).withTokens(1024, 256).withGoal(ServingGoal.DEVICES);
        Slo slo = Slo.NONE
                .with(LatencyMetric.TTFT, LatencyStatistic.P99, Duration.ofMillis(800))
                .with(LatencyMetric.TPOT, LatencyStatistic.P99, Duration.ofMillis(40));
        PlanAnswer<DeploymentPlan> answer = Planner.of(registry)
                .deploy(SimulationRequest.of(serving, new ServingLoad.Users(8)), slo, ServingChoices.USUAL);
        int devices = answer.findFirst().map(best -> best.plan().devices()).orElse(0);
        // end planner-deploy

        assertThat(devices).isPositive();
    }

    @Test
    void trainingIsPlannedToo() {
        AcceleratorRegistry registry = MACHINE;
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-8b").orElseThrow().toSummary();
        // begin planner-train
        TrainingRequest request = TrainingRequest.of(model, TrainingMethod.parse("lora"))
                .withSequence(8192)
                .withBatch(64);
        PlanAnswer<TrainingPlan> answer = Planner.of(registry).train(request);
        double seconds =
                answer.findFirst().map(plan -> plan.stepSeconds().p50()).orElse(Double.NaN);
        // end planner-train

        assertThat(answer.isFeasible()).isTrue();
        assertThat(seconds).isPositive();
    }

    @Test
    void theBestFormatIsRecommended() {
        AcceleratorRegistry registry = MACHINE;
        ModelSummary model =
                ModelCatalogue.builtIn().find("llama-3.1-70b").orElseThrow().toSummary();
        // begin planner-fit
        Planner.FitAnswer fit = Planner.of(registry).fit(ServingRequest.of(model), ServingChoices.USUAL);
        Optional<FormatFit> recommended = fit.findRecommended();
        List<FormatFit> models = Planner.of(registry).recommend(List.of(model)); // those of some that run here
        // end planner-fit

        assertThat(recommended).isPresent();
        assertThat(models).hasSize(1);
    }

    @Test
    void weightsAreCountedWithoutDevices() {
        // begin model-weights
        ModelArchitecture architecture =
                ModelCatalogue.builtIn().find("qwen3-32b").orElseThrow().architecture();
        ModelWeights weights =
                ModelWeights.of(architecture, GgufFormat.Q4_K_M).find().orElseThrow();
        System.out.println(weights.total().toGib() + " GiB, " + weights.bitsPerParameter() + " bits each");
        // end model-weights

        assertThat(weights.bitsPerParameter()).isBetween(4.5, 5.5);
    }
}
