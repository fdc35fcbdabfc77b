// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.MemoryTerm.MemoryPart;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.cost.TrainingTime;
import dev.muster.plan.search.MemoryTermList;
import dev.muster.plan.search.PowerDraw;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.EagerModel;
import dev.muster.plan.time.EagerShape;
import dev.muster.plan.time.ExplainedTerms;
import dev.muster.plan.time.FineTune;
import dev.muster.plan.time.FineTune.Method;
import dev.muster.plan.time.FineTune.States;
import dev.muster.plan.time.FineTuneMemory;
import dev.muster.plan.time.StepLedger;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingMemoryUse;
import java.util.List;

/// The cost of PyTorch without a compiler, as measured on one device, with communication between replicas added.
final class EagerCost implements TrainingCost {
    /// The memory of a device's context, beside the allocator's.
    private static final double CONTEXT = 0.8e9;
    /// Weights are gathered forward and backward, gradients scattered.
    private static final double GATHERS = 3;

    private final EagerShape shape;
    private final EagerModel model;
    private final DeviceFigures device;
    private final Fabric fabric;
    private final TrainingLoad load;
    private final OffloadCost offload;
    private final double exposed;
    private final double reserved;
    private final double reservedRecomputed;

    EagerCost(EagerShape shape, TrainingCluster cluster, TrainingLoad load, Coefficients c) {
        DeviceFigures device = cluster.pool().device();
        this.shape = shape;
        this.model = new EagerModel(shape, device, c);
        this.device = device;
        this.fabric = cluster.fabric();
        this.load = load;
        this.offload = new OffloadCost(cluster.store(), cluster.perHost(), load, shape.parameters());
        this.exposed = c.get("training/replica-exposed");
        this.reserved = c.get("pytorch/reserved");
        this.reservedRecomputed = c.get("pytorch/reserved-recomputed");
    }

    private FineTune fineTune(TrainingRun run) {
        boolean isShared = run.sharding() == Sharding.WEIGHTS && run.replicas() > 1;
        Method method =
                !load.isAdapter() ? Method.FULL : load.frozenBytes() < 1 ? Method.QUANTIZED_ADAPTERS : Method.ADAPTERS;
        return new FineTune(
                method,
                states(run, isShared && !load.isAdapter()),
                run.recompute(),
                run.microBatch(),
                run.sequence(),
                isShared ? run.replicas() : 1,
                1,
                1,
                1,
                run.microBatches() > 1);
    }

    private static States states(TrainingRun run, boolean isShared) {
        return switch (run.offload()) {
            case NONE -> isShared ? States.SHARDED : States.BRAIN_FLOAT;
            case OPTIMIZER -> States.PAGED;
            case ALL -> States.HOSTED;
        };
    }

    @Override
    public double work(TrainingRun run) {
        return model.pass(fineTune(run)) * load.passes() / (run.microBatch() * run.sequence());
    }

    @Override
    public double active(TrainingRun run) {
        TrainingTime pass = model.time(fineTune(run), load.passes() / (run.microBatch() * run.sequence()));
        return pass.products() + pass.attention() + PowerDraw.MEMORY_WEIGHT * pass.traffic();
    }

    @Override
    public double secondsPerToken(TrainingRun run, double work) {
        return work + optimizer(run) + replicas(run) + offload.seconds(run, work);
    }

    @Override
    public double pipeline(int stages, int virtualStages, int microBatches) {
        return 1;
    }

    private double optimizer(TrainingRun run) {
        if (run.offload() != Offload.NONE) {
            return 0;
        }
        return load.trainedModels() * model.optimizer(fineTune(run)) / tokensOfDevice(run);
    }

    private static double tokensOfDevice(TrainingRun run) {
        return run.globalBatch() / run.replicas() * run.sequence();
    }

    private double replicas(TrainingRun run) {
        if (run.replicas() == 1) {
            return 0;
        }
        return replicasAlone(run) * exposed / tokensOfDevice(run);
    }

    private double replicasAlone(TrainingRun run) {
        double each = replicaBytes(run) / gathers(run);
        double measured =
                (measured(Collective.ALL_GATHER, run, each) + measured(Collective.REDUCE_SCATTER, run, each)) / 2;
        return Double.isNaN(measured)
                ? replicaBytes(run) * fabric.gather(run.replicas(), 1)
                        + gathers(run) * fabric.latency(run.replicas(), 1)
                : gathers(run) * measured;
    }

    private double measured(Collective collective, TrainingRun run, double bytes) {
        return device.collectiveSeconds(collective, run.replicas(), bytes, fabric.leavesDomain(run.replicas(), 1));
    }

    /// Returns the collectives of a step, layer by layer.
    private double gathers(TrainingRun run) {
        return shape.layers() * (run.sharding() == Sharding.WEIGHTS ? GATHERS * run.microBatches() : 2);
    }

    private double replicaBytes(TrainingRun run) {
        double trained = load.isAdapter() ? load.adapterNumbers() : shape.parameters();
        return run.sharding() == Sharding.WEIGHTS
                ? GATHERS * run.microBatches() * 2 * shape.parameters()
                : 2 * 2 * trained;
    }

    @Override
    public TrainingTime time(TrainingRun run) {
        TrainingTime pass = model.time(fineTune(run), load.passes() / (run.microBatch() * run.sequence()));
        return new TrainingTime(
                pass.products(),
                pass.attention(),
                0,
                pass.traffic(),
                pass.host(),
                0,
                0,
                optimizer(run),
                replicas(run),
                offload.seconds(run, work(run)),
                0);
    }

    @Override
    public void explain(TrainingRun run, StepLedger ledger) {
        double tokens = tokensOfDevice(run);
        ExplainedTerms terms = new ExplainedTerms(tokens, ledger);
        model.explain(fineTune(run), load.passes() / (run.microBatch() * run.sequence()), terms);
        terms.moves(
                StepTerm.StepPart.OPTIMIZER, "weights and states", optimizer(run) * device.bandwidth(), optimizer(run));
        terms.moves(StepTerm.StepPart.REPLICAS, "DP gradients and weights", replicaBytes(run) / tokens, replicas(run));
        explainReplicas(run, ledger);
        offload.explain(run, work(run), ledger);
    }

    /// Records the collectives of replicas: with sharded weights, gathers forward and backward and scatters of
    /// gradients; else one reduction of gradients.
    private void explainReplicas(TrainingRun run, StepLedger ledger) {
        double bytes = replicaBytes(run) / gathers(run);
        double alone = run.replicas() == 1 ? 0 : replicasAlone(run);
        if (run.sharding() != Sharding.WEIGHTS) {
            ledger.communicate(
                    Axis.DP,
                    Collective.ALL_REDUCE,
                    run.replicas(),
                    bytes,
                    gathers(run) / 2,
                    true,
                    alone,
                    alone * exposed);
            return;
        }
        double third = gathers(run) / GATHERS;
        double each = alone / GATHERS;
        ledger.communicate(
                Axis.DP, Collective.ALL_GATHER, run.replicas(), bytes, 2 * third, true, 2 * each, 2 * each * exposed);
        ledger.communicate(
                Axis.DP, Collective.REDUCE_SCATTER, run.replicas(), bytes, third, true, each, each * exposed);
    }

    @Override
    public List<MemoryTerm> memoryTerms(TrainingRun run) {
        TrainingMemoryUse use = memory(run);
        String shared = run.sharding() == Sharding.WEIGHTS && run.replicas() > 1
                ? ", shared by " + Math.round(run.replicas()) + " replicas"
                : "";
        return MemoryTermList.create()
                .add(MemoryPart.WEIGHTS, "weights", "all models" + shared, use.weights())
                .add(MemoryPart.GRADIENTS, "gradients", "of what is trained" + shared, use.gradients())
                .add(MemoryPart.OPTIMIZER, "two moments", "of what is trained" + shared, use.optimizer())
                .add(
                        MemoryPart.ACTIVATIONS,
                        "saved tensors, logits, gathered layers",
                        "the peak of a step less what stays",
                        use.activations())
                .add(MemoryPart.WORKSPACE, "context of the device", "", CONTEXT)
                .add(
                        MemoryPart.WORKSPACE,
                        "lost by the allocator",
                        "a share of what comes and goes",
                        use.workspace() - CONTEXT)
                .largestFirst();
    }

    @Override
    public TrainingMemoryUse memory(TrainingRun run) {
        FineTune fineTune = fineTune(run);
        double trained = load.isAdapter() ? load.adapterNumbers() : shape.parameters();
        double peak = new FineTuneMemory(shape, fineTune, new FineTuneMemory.Adapters(trained, load.adapterRanks(), 0))
                        .steady()
                - wider(fineTune);
        double number = fineTune.states() == States.SHARDED ? 4 : 2;
        double shards = fineTune.shards();
        double others = others(run, number) * shape.parameters() / shards;
        double frozen = load.isAdapter() ? shape.parameters() * load.frozenBytes() : 0;
        boolean isHosted = run.offload() == Offload.ALL;
        double weights = isHosted ? 0 : ((load.isAdapter() ? frozen : 0) + trained * number) / shards;
        double gradients = isHosted ? 0 : trained * number / shards;
        double optimizer = run.offload() == Offload.NONE ? 2 * trained * number / shards : 0;
        double held = weights + gradients + optimizer;
        double factor = run.recompute() == Recompute.FULL ? reservedRecomputed : reserved;
        TrainingMemoryUse use = new TrainingMemoryUse(
                weights + others,
                gradients,
                optimizer,
                Math.max(0, peak - held),
                (factor - 1) * Math.max(0, peak - weights - optimizer) + CONTEXT,
                device.free());
        return run.offload() == Offload.NONE ? use : use.withHosted(offload.bytes(run), offload.room(run));
    }

    /// Returns the bytes of each number of the models beside the one whose peak is counted.
    private double others(TrainingRun run, double number) {
        double trained = load.trainedModels() - 1;
        return switch (run.offload()) {
            case NONE -> load.frozenModels() * 2 + trained * 4 * number;
            case OPTIMIZER -> load.frozenModels() * 2 + trained * 2 * number;
            case ALL -> 0;
        };
    }

    /// Returns the bytes that weights of eight bits save against those of 16, which the counts assume.
    private double wider(FineTune fineTune) {
        return fineTune.method() == Method.ADAPTERS ? (2 - load.frozenBytes()) * shape.linear() / fineTune.shards() : 0;
    }

    /// Reports whether the device is of the one kind that was measured.
    @Override
    public boolean isMeasured() {
        return device.id().equals("h200-sxm");
    }

    @Override
    public MeasuredClass speedClass() {
        return MeasuredClass.H200_TRAINING_STEP;
    }

    /// Returns false, since one piece does not add to gradients of an earlier one.
    @Override
    public boolean growsWithMicroBatch() {
        return false;
    }
}
