// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.measure.MeshCalibration.CurvePoint;
import dev.muster.core.measure.Thoroughness;
import dev.muster.model.ModelSummary;
import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.WhatIf;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepCommunication.Call;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.TrainingModel;
import dev.muster.plan.time.TrainingRates;
import dev.muster.plan.time.TrainingShape;
import dev.muster.plan.training.TrainingPrecision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The communication of plans, compared with independent formulas.
class StepCommunicationTest {
    /// Layers, hidden size and parameters of Llama 3.1 8B.
    private static final int LAYERS = 32;

    private static final int HIDDEN = 4096;
    private static final long PARAMETERS = 8_030_261_248L;
    private static final MeshCalibration MEASURED = measured();

    private static MeshCalibration measured() {
        List<Curve> curves = new ArrayList<>();
        for (Collective collective : Collective.values()) {
            for (int members : new int[] {2, 4}) {
                curves.add(new Curve(
                        collective, members, List.of(new CurvePoint(1, 1e-3), new CurvePoint(1_000_001, 2e-3))));
            }
        }
        return new MeshCalibration("shm", 4, 1, Instant.EPOCH, Thoroughness.QUICK, curves);
    }

    @Test
    void aDecodeStepHasTwoAllReducesForEachLayerOfAsManyRowsAsSequences() {
        ServingPlan plan = serve(16, Optional.empty());
        assertThat(plan.layout().tp()).isEqualTo(4);
        StepCommunication step = Planner.communication(plan);
        Call call = step.calls().getFirst();
        assertThat(step.calls()).hasSize(1);
        assertThat(call.what()).isEqualTo("TP all-reduce");
        assertThat(call.members()).isEqualTo(4);
        assertThat(call.count()).isEqualTo(2 * LAYERS);
        assertThat(call.bytes()).isEqualTo(16 * HIDDEN * 2);
        assertThat(call.exposedSeconds()).isCloseTo(plan.step().links(), within(1e-12));
        assertThat(step.stepSeconds()).isCloseTo(plan.step().seconds(), within(1e-12));
    }

    @Test
    void measuredCollectivesTakeThePlaceOfDataSheetsAndThePlanSaysSo() {
        Planner planner = planner().withCollectives(MEASURED);
        assertThat(planner.notes()).contains(PlanNote.of(PlanNote.Topic.MEASURED_COLLECTIVES, MEASURED));
        DeviceFigures slow = figures("h100-sxm").toBuilder()
                .collectives(Reading.known(MEASURED, Provenance.GIVEN))
                .build();
        assertThat(slow.collectiveSeconds(Collective.ALL_REDUCE, 4, 500_001, false))
                .isCloseTo(1.5e-3, within(1e-9));
        assertThat(slow.collectiveSeconds(Collective.ALL_REDUCE, 4, 2_000_001, false))
                .isCloseTo(3e-3, within(1e-9));
        assertThat(slow.collectiveSeconds(Collective.ALL_REDUCE, 8, 1, false)).isNaN();
        assertThat(slow.collectiveSeconds(Collective.ALL_REDUCE, 4, 1, true)).isNaN();
        assertThat(slow).isNotEqualTo(figures("h100-sxm"));
    }

    /// A plan that pays a millisecond for each collective rather has none.
    @Test
    void theSearchHeedsWhatWasMeasured() {
        assertThat(serve(16, Optional.empty()).layout().tp()).isEqualTo(4);
        assertThat(serve(16, Optional.of(MEASURED)).layout().tp()).isEqualTo(1);
    }

    /// Ring volumes: gradients are reduced and weights gathered once for each time that a rank holds them.
    @ParameterizedTest
    @EnumSource(Sharding.class)
    void replicasMoveTheirWeightsAsOftenAsTheirShardingSays(Sharding sharding) {
        TrainingRun run = run(1, 1, 1, 4, sharding, 1, Recompute.NONE);
        double micro = run.microBatches();
        double volume = switch (sharding) {
            case NONE, OPTIMIZER -> 2;
            case GRADIENTS -> 1 + micro;
            case WEIGHTS -> 3 * micro;
        };
        double sent = 0;
        for (Call call : calls(run, "llama-3.1-8b")) {
            assertThat(call.axis()).isEqualTo(Axis.DP);
            assertThat(call.isOverlapped()).isTrue();
            sent += call.count() * call.collective().sentBytes(call.members(), (double) call.bytes()) / call.members();
        }
        double each = 2.0 * PARAMETERS * 3 / 4;
        assertThat(sent / each).isCloseTo(volume, within(1e-3));
    }

    /// Sequence parallelism: four pairs of gathering and scattering for each layer and micro-batch, six where
    /// all is computed again.
    @ParameterizedTest
    @CsvSource({"NONE, 4", "SELECTIVE, 4", "FULL, 6"})
    void tensorParallelRanksGatherAndScatterAsOften(Recompute recompute, int pairs) {
        TrainingRun run = run(4, 1, 1, 1, Sharding.OPTIMIZER, 1, recompute);
        List<Call> calls = calls(run, "llama-3.1-8b");
        assertThat(calls)
                .extracting(Call::collective)
                .containsExactly(Collective.ALL_GATHER, Collective.REDUCE_SCATTER);
        for (Call call : calls) {
            assertThat(call.count()).isEqualTo((long) (pairs * LAYERS * run.microBatches()));
            assertThat(call.bytes()).isEqualTo(4096L * HIDDEN * 2);
            assertThat(call.isOverlapped()).isFalse();
        }
    }

    /// Every micro-batch crosses every boundary of stages and of their parts twice.
    @ParameterizedTest
    @CsvSource({"1", "2", "8"})
    void stagesSendEveryMicroBatchThereAndBack(int virtualStages) {
        TrainingRun run = run(1, 4, 1, 1, Sharding.OPTIMIZER, virtualStages, Recompute.NONE);
        double messages = 0;
        for (Call call : calls(run, "llama-3.1-8b")) {
            messages +=
                    call.count() * call.collective().sentBytes(call.members(), (double) call.bytes()) / call.bytes();
        }
        assertThat(messages).isEqualTo(2 * (4 * virtualStages - 1) * run.microBatches());
    }

    @Test
    void contextParallelRanksSendKeysAndValuesAroundAndShareWeightsAsReplicas() {
        TrainingRun run = run(1, 1, 2, 2, Sharding.OPTIMIZER, 1, Recompute.NONE);
        List<Call> calls = calls(run, "llama-3.1-8b");
        assertThat(calls).extracting(Call::what).containsExactly("CP ring-send", "DP all-gather", "DP reduce-scatter");
        // 8 KV heads of 128 numbers, K and V, of half a sequence.
        assertThat(calls.getFirst().bytes()).isEqualTo(2048L * 8 * 128 * 2 * 2);
        assertThat(calls.getFirst().count()).isEqualTo((long) (3 * LAYERS * run.microBatches()));
        assertThat(calls.get(1).members()).isEqualTo(4);
    }

    @Test
    void expertParallelRanksExchangeFourTimesForEachLayerWithExperts() {
        TrainingRun dense = run(1, 1, 1, 4, Sharding.OPTIMIZER, 1, Recompute.NONE);
        TrainingRun run = new TrainingRun(
                4096,
                1,
                16,
                4,
                1,
                1,
                1,
                4,
                1,
                Recompute.NONE,
                Sharding.OPTIMIZER,
                Order.REPLICAS_FIRST,
                false,
                Offload.NONE);
        Call call = calls(run, "qwen3-30b-a3b").stream()
                .filter(one -> one.axis() == Axis.EP)
                .findFirst()
                .orElseThrow();
        // 48 layers, 8 of 128 experts for each token, 2048 numbers.
        assertThat(call.count()).isEqualTo((long) (4 * 48 * run.microBatches()));
        assertThat(call.bytes()).isEqualTo(4096L * 8 * 2048 * 2);
        assertThat(calls(dense, "qwen3-30b-a3b")).extracting(Call::axis).containsOnly(Axis.DP);
    }

    /// The waiting time of a step is part of the time of its calls, and no more than the plan has for links and
    /// replicas.
    @Test
    void aStepWaitsForNoMoreThanItsCallsTake() {
        for (int tensor : new int[] {1, 2, 4}) {
            TrainingRun run = run(tensor, 1, 1, 8 / tensor, Sharding.WEIGHTS, 1, Recompute.FULL);
            TrainingModel model = model("llama-3.1-8b");
            double exposed = 0;
            for (Call call : calls(run, "llama-3.1-8b")) {
                assertThat(call.exposedSeconds()).isLessThanOrEqualTo(call.seconds() * 1.000001);
                exposed += call.exposedSeconds();
            }
            double tokens = run.globalBatch() * run.sequence() / run.devices();
            double counted = (model.time(run, 1).links() + model.time(run, 1).replicas()) * tokens;
            assertThat(exposed).isCloseTo(counted, within(counted * 1e-9));
        }
    }

    private static List<Call> calls(TrainingRun run, String name) {
        CallList calls = new CallList();
        model(name).explain(run, 1, calls);
        return calls.of(1).calls();
    }

    private static TrainingModel model(String name) {
        DeviceFigures device = figures("h100-sxm");
        return TrainingModel.of(
                TrainingShape.of(summary(name).architecture()).orElseThrow(),
                device,
                Fabric.of(device, 8, 50e9),
                TrainingRates.of("megatron", "", TrainingPrecision.BF16, device, CoefficientTable.builtIn()));
    }

    private static TrainingRun run(
            int tensor, int stages, int context, int replicas, Sharding sharding, int virtual, Recompute recompute) {
        return new TrainingRun(
                4096,
                1,
                16,
                tensor * stages * context * replicas,
                tensor,
                stages,
                context,
                1,
                virtual,
                recompute,
                sharding,
                Order.REPLICAS_FIRST,
                false,
                Offload.NONE);
    }

    private static ServingPlan serve(int concurrency, Optional<MeshCalibration> measured) {
        return best(outcome(concurrency, measured));
    }

    private static ServingPlan best(ServingOutcome outcome) {
        return outcome.answer().findFirst().orElseThrow();
    }

    private static ServingOutcome outcome(int concurrency, Optional<MeshCalibration> measured) {
        ServingRequest request = ServingRequest.of(summary("llama-3.1-8b"))
                .withConcurrency(concurrency)
                .withGoal(ServingGoal.LATENCY);
        return measured.map(mesh -> planner().withCollectives(mesh))
                .orElse(planner())
                .serve(request);
    }

    private static Planner planner() {
        return Planner.of(WhatIf.synthetic("h100-sxm:4", DeviceCatalogue.builtIn()));
    }

    private static ModelSummary summary(String name) {
        return ModelCatalogue.builtIn().find(name).orElseThrow().toSummary();
    }

    private static DeviceFigures figures(String id) {
        return DeviceFigures.of(DeviceCatalogue.builtIn().find(id).orElseThrow());
    }

    @Test
    void poolsKeepWhatWasMeasured() {
        DevicePool pool = DevicePool.of(MeasuredCollectives.apply(figures("h100-sxm"), MEASURED), "H100", 4);
        assertThat(pool.device().collectives().isKnown()).isTrue();
    }
}
