// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.model.catalogue.ModelCatalogue;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.search.PlanAnswers;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OffloadCostTest {
    private static final double NUMBERS = 8e9;
    private static final OffloadStore HOST =
            new OffloadStore(OffloadStore.Place.HOST, 512e9, 20e9, 200e9, 4e9, Set.of());
    private static final OffloadStore DRIVES =
            new OffloadStore(OffloadStore.Place.DISK, 512e9, 20e9, 200e9, 4e9, Set.of());

    private static TrainingRun run(Offload offload, int replicas) {
        return new TrainingRun(
                1024,
                1,
                16,
                replicas,
                1,
                1,
                1,
                1,
                1,
                Recompute.FULL,
                Sharding.WEIGHTS,
                Order.REPLICAS_FIRST,
                false,
                offload);
    }

    private static OffloadCost cost(OffloadStore store) {
        ModelShape shape = ModelShape.of(ModelCatalogue.builtIn()
                        .find("llama-3.1-8b")
                        .orElseThrow()
                        .architecture())
                .orElseThrow();
        TrainingLoad full = TrainingLoad.of(TrainingMethod.parse("full"), shape, 16);
        return new OffloadCost(store, 8, full, NUMBERS);
    }

    /// Twelve bytes of states and two of gradients; with weights two more.
    @Test
    void countsWhatLiesOnTheHost() {
        assertThat(cost(HOST).bytes(run(Offload.NONE, 4))).isZero();
        assertThat(cost(HOST).bytes(run(Offload.OPTIMIZER, 4))).isEqualTo(14 * NUMBERS / 4);
        assertThat(cost(HOST).bytes(run(Offload.ALL, 4))).isEqualTo(16 * NUMBERS / 4);
    }

    /// Four devices share the memory of a host of eight, where four are used.
    @Test
    void sharesTheHostAmongItsDevices() {
        assertThat(cost(HOST).room(run(Offload.ALL, 4))).isEqualTo(512e9 / 4);
        assertThat(cost(HOST).room(run(Offload.ALL, 16))).isEqualTo(512e9 / 8);
    }

    @Test
    void takesTheOptimizersStepAtTheRateOfTheHost() {
        double each = NUMBERS / 4;
        double processor = 28 * each / (200e9 / 4);
        double moves = 4 * each / 20e9;
        assertThat(cost(HOST).stepSeconds(run(Offload.OPTIMIZER, 4))).isCloseTo(processor + moves, within(1e-9));
        assertThat(cost(HOST).stepSeconds(run(Offload.ALL, 4))).isCloseTo(processor, within(1e-9));
        assertThat(cost(DRIVES).stepSeconds(run(Offload.ALL, 4))).isCloseTo(24 * each / (4e9 / 4), within(1e-9));
    }

    /// Two passes for each of four pieces bring the weights of a quarter of the model.
    @Test
    void hidesWeightsBehindThePasses() {
        double each = NUMBERS / 4;
        TrainingRun run = run(Offload.ALL, 4);
        double stream = 2 * 4 * 2 * each / 20e9;
        double tokens = 16 * 1024 / 4.0;
        OffloadCost cost = cost(HOST);
        assertThat(cost.streamSeconds(run)).isCloseTo(stream, within(1e-9));
        assertThat(cost.seconds(run, stream / tokens)).isCloseTo(cost.stepSeconds(run) / tokens, within(1e-12));
        assertThat(cost.seconds(run, 0)).isCloseTo((cost.stepSeconds(run) + stream) / tokens, within(1e-12));
    }

    private static PlanAnswer<TrainingPlan> plan(String model, String device, OffloadStore store, Offload offload) {
        DeviceFigures figures =
                DeviceFigures.of(DeviceCatalogue.builtIn().find(device).orElseThrow());
        TrainingRequest request = TrainingRequest.of(
                        ModelCatalogue.builtIn().find(model).orElseThrow().toSummary(), TrainingMethod.parse("full"))
                .withSequence(2048)
                .withBatch(16)
                .withOffload(offload);
        TrainingCluster cluster =
                new TrainingCluster(DevicePool.of(figures, device, 1), 1, Fabric.of(figures, 1, 1e9), store);
        return TrainingSearch.of(CoefficientTable.builtIn())
                .find(request, cluster, TrainingFramework.PYTORCH)
                .find()
                .orElseThrow();
    }

    @Test
    void fitsOnTheHostWhatTheDeviceDoesNotHold() {
        PlanAnswer.Infeasible<TrainingPlan> infeasible =
                PlanAnswers.infeasible(plan("llama-3.1-8b", "rtx-4090", HOST, Offload.NONE));
        assertThat(infeasible.closest().memory().fits()).isFalse();
        assertThat(infeasible.remedies())
                .filteredOn(Remedy.OffloadedStates.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(Remedy.OffloadedStates.class, states -> {
                    assertThat(states.states()).isEqualTo(Offload.ALL);
                    assertThat(states.place()).isEqualTo(OffloadStore.Place.HOST);
                    assertThat(states.framework()).isEqualTo(TrainingFramework.PYTORCH);
                    assertThat(states.bytesPerDevice() / (1 << 30)).isCloseTo(120, within(0.5));
                });
        TrainingPlan best = PlanAnswers.best(plan("llama-3.1-8b", "rtx-4090", HOST, Offload.ALL));
        assertThat(best.run().offload()).isEqualTo(Offload.ALL);
        assertThat(best.isMeasured()).isFalse();
    }

    @Test
    void namesDrivesWhereTheHostIsTooSmall() {
        OffloadStore small = new OffloadStore(OffloadStore.Place.HOST, 32e9, 20e9, 50e9, 3e9, Set.of());
        PlanAnswer.Infeasible<TrainingPlan> infeasible =
                PlanAnswers.infeasible(plan("llama-3.1-8b", "rtx-4090", small, Offload.ALL));
        assertThat(infeasible.closest().memory().fits()).isFalse();
        assertThat(infeasible.remedies().getFirst())
                .isInstanceOfSatisfying(
                        Remedy.OffloadedStates.class,
                        states -> assertThat(states.place()).isEqualTo(OffloadStore.Place.DISK));
    }

    /// States that fit on the device stay there, since the host is slower.
    @Test
    void leavesOnTheDeviceWhatFits() {
        TrainingPlan best = PlanAnswers.best(plan("llama-3.2-1b", "h200-sxm", HOST, Offload.ALL));
        assertThat(best.run().offload()).isEqualTo(Offload.NONE);
    }
}
