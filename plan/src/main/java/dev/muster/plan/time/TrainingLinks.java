// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.StepCommunication.Axis;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;

/// The communication of devices in training: seconds and bytes of one device for each of its tokens. Measured
/// collectives take their measured time, others that of the fabric. Immutable.
///
/// @param fabric the fabric between devices
public record TrainingLinks(TrainingShape shape, DeviceFigures device, Fabric fabric, TrainingRates rates) {
    static final double ACTIVATION_BYTES = 2;
    /// The usual share of adapters in a model's parameters.
    static final double ADAPTER_SHARE = 0.01;
    /// Tokens go to their experts and back, forward and backward.
    static final double EXCHANGES = 4;

    private static final double WEIGHT_BYTES = 2;
    /// The share of a link's bandwidth that collectives reach.
    private static final double LINK_SHARE = 0.7;
    /// Moves around the ring: keys and values forward; backward they and their gradients.
    private static final double RINGS = 3;

    /// Returns the gathers and scatters around tensor parallel matrices.
    double tensor(TrainingRun run) {
        if (run.tp() == 1) {
            return 0;
        }
        double measured = measuredPair(run.tp(), 1, pieceBytes(run) * run.tp());
        return Double.isNaN(measured)
                ? tensorBytes(run) * rates.tensorExposed() * fabric.gather(run.tp(), 1) / LINK_SHARE
                        + tensorLatency(run)
                : tensorCalls(run) * rates.tensorExposed() * measured;
    }

    /// Returns the latency of them, however little they move; part of a measured time.
    double tensorLatency(TrainingRun run) {
        return isMeasured(run.tp(), 1) ? 0 : tensorCalls(run) * rates.tensorExposed() * fabric.latency(run.tp(), 1);
    }

    private double tensorCalls(TrainingRun run) {
        return tensorOperations(run) * shape.layers() / tokensOfPiece(run);
    }

    /// Returns the gathers and scatters of a layer, as many of the one as of the other.
    private static double tensorOperations(TrainingRun run) {
        return run.recompute() == Recompute.FULL ? 12 : 8;
    }

    /// Returns the tokens of a piece that one device works on.
    static double tokensOfPiece(TrainingRun run) {
        return run.microBatch() * run.sequence() / (run.tp() * run.cp());
    }

    /// Returns the bytes of a piece's activations.
    private double pieceBytes(TrainingRun run) {
        return tokensOfPiece(run) * shape.hidden() * ACTIVATION_BYTES;
    }

    double tensorBytes(TrainingRun run) {
        return tensorOperations(run) * shape.layers() * shape.hidden() * ACTIVATION_BYTES * run.tp();
    }

    /// Returns the time of keys and values along the ring of context parallelism (CP), hidden by the attention as far
    /// as it lasts. Recomputation sends again, and hides no more.
    ///
    /// @param attention operations of one pass of the attention
    double context(TrainingRun run, double attention) {
        if (run.cp() == 1) {
            return 0;
        }
        double seconds = contextAlone(run);
        return seconds * rates.replicaExposed()
                + Math.max(0, seconds - TrainingModel.ATTENTION_PASSES * attention / rates.attention());
    }

    private double contextAlone(TrainingRun run) {
        double messages = RINGS * (run.cp() - 1) * shape.layers() / tokensOfPiece(run);
        double measured = measured(Collective.RING_SEND, run.cp(), run.tp(), contextBytes(run) / messages);
        return Double.isNaN(measured)
                ? contextBytes(run) * fabric.send(run.cp(), run.tp()) / LINK_SHARE
                        + messages * fabric.messageLatency(run.cp(), run.tp())
                : messages * measured;
    }

    double contextBytes(TrainingRun run) {
        return RINGS * (run.cp() - 1) * shape.kvNumbers() * ACTIVATION_BYTES;
    }

    /// Returns the activations and gradients that pass between stages.
    double sends(TrainingRun run) {
        if (run.pp() == 1) {
            return 0;
        }
        double messages = 2 * boundaries(run) / tokensOfPiece(run);
        double measured = measured(Collective.SEND, run.pp(), run.stageStride(), pieceBytes(run));
        return rates.replicaExposed()
                * (Double.isNaN(measured)
                        ? sentBytes(run) * fabric.send(run.pp(), run.stageStride())
                                + messages * fabric.messageLatency(run.pp(), run.stageStride())
                        : messages * measured);
    }

    private static double boundaries(TrainingRun run) {
        return run.pp() * Math.max(1, run.virtualStages()) - 1;
    }

    double sentBytes(TrainingRun run) {
        return 2 * boundaries(run) * shape.hidden() * ACTIVATION_BYTES;
    }

    /// Returns the tokens sent to experts of another domain. Moves within one are part of the fit: they were measured
    /// together.
    double expertsOutside(TrainingRun run) {
        double each = EXCHANGES * ACTIVATION_BYTES * rates.tensorExposed() * fabric.exchangeOutside(run.ep(), 1);
        return expertNumbers() * each;
    }

    /// Returns the numbers of a token sent to its experts, over all layers.
    double expertNumbers() {
        return shape.expertLayers() * shape.activeExperts() * shape.hidden();
    }

    static double tokensOfDevice(TrainingRun run) {
        return run.globalBatch() / run.replicas() * run.sequence() / (run.tp() * run.pp() * run.cp());
    }

    /// Returns the number of weights of a device without sharding between replicas.
    double held(TrainingRun run) {
        return shape.parameters() / (run.tp() * run.pp());
    }

    /// Returns the exposed time of gathering parameters and reducing gradients.
    double replicas(TrainingRun run) {
        double members = sharers(run);
        if (members == 1) {
            return 0;
        }
        double measured = measuredPair(members, replicaStride(run), replicaBytes(run) / replicaCalls(run));
        return Double.isNaN(measured)
                ? replicaBytes(run)
                                * fabric.gather(members, replicaStride(run))
                                * rates.replicaExposed()
                                / tokensOfDevice(run)
                        + replicaLatency(run)
                : replicaCalls(run) * measured * rates.replicaExposed() / tokensOfDevice(run);
    }

    /// Returns the number of devices that share states: context parallel ones have the same weights, and reduce
    /// gradients as replicas do.
    private static double sharers(TrainingRun run) {
        return run.replicas() * run.cp();
    }

    private static double replicaStride(TrainingRun run) {
        return run.replicaStride() / run.cp();
    }

    /// Returns the latency of them, layer by layer, however little they move; part of a measured time.
    double replicaLatency(TrainingRun run) {
        if (isMeasured(sharers(run), replicaStride(run))) {
            return 0;
        }
        double each = fabric.latency(sharers(run), replicaStride(run));
        return replicaCalls(run) * rates.replicaExposed() * each / tokensOfDevice(run);
    }

    private double replicaCalls(TrainingRun run) {
        return replicaTimes(run) * shape.layers() / run.pp();
    }

    private double layersOfStage(TrainingRun run) {
        return shape.layers() / run.pp();
    }

    /// Returns the number of gathers and scatters of each layer in a step.
    private static double replicaTimes(TrainingRun run) {
        return replicaGathers(run) + replicaScatters(run);
    }

    /// Returns the number of gathers of weights: before each pass if they are sharded, else once after the
    /// optimizer's step.
    private static double replicaGathers(TrainingRun run) {
        return run.sharding() == Sharding.WEIGHTS ? 2 * run.microBatches() : 1;
    }

    /// Returns the number of reductions of gradients: one for each micro-batch if they are sharded.
    private static double replicaScatters(TrainingRun run) {
        return switch (run.sharding()) {
            case NONE, OPTIMIZER -> 1;
            case GRADIENTS, WEIGHTS -> run.microBatches();
        };
    }

    double replicaBytes(TrainingRun run) {
        double moved = run.isAdapter() && run.sharding() != Sharding.WEIGHTS ? ADAPTER_SHARE : 1;
        return moved * replicaTimes(run) * held(run) * WEIGHT_BYTES;
    }

    /// Records the collectives of a step, as each rank calls them. A rank works on all micro-batches of its replica,
    /// with the layers of its stage.
    ///
    /// @param passes operations of a method as a multiple of plain training
    /// @param attention operations of one pass of the attention
    void explain(TrainingRun run, double passes, double attention, StepLedger ledger) {
        // The factor of the framework stretches both.
        double tokens = tokensOfDevice(run) / rates.factor();
        double micro = run.microBatches() * passes;
        double layers = layersOfStage(run) * micro;
        if (run.tp() > 1) {
            double bytes = pieceBytes(run) * run.tp();
            double half = tensorOperations(run) * layers / 2;
            double exposed = tensor(run) * tokens * passes / 2;
            double alone = exposed / rates.tensorExposed();
            ledger.communicate(Axis.TP, Collective.ALL_GATHER, run.tp(), bytes, half, false, alone, exposed);
            ledger.communicate(Axis.TP, Collective.REDUCE_SCATTER, run.tp(), bytes, half, false, alone, exposed);
        }
        if (run.cp() > 1) {
            double count = RINGS * (run.cp() - 1) * layers;
            double alone = contextAlone(run) * tokens * passes;
            ledger.communicate(
                    Axis.CP,
                    Collective.RING_SEND,
                    run.cp(),
                    contextBytes(run) * tokensOfPiece(run) / (RINGS * (run.cp() - 1) * shape.layers()),
                    count,
                    true,
                    alone,
                    context(run, attention) * tokens * passes);
        }
        if (run.pp() > 1) {
            explainSends(run, tokens, ledger);
        }
        if (run.ep() > 1 && shape.expertLayers() > 0) {
            double bytes = pieceBytes(run) * shape.activeExperts();
            double count = EXCHANGES * shape.expertLayers() / run.pp() * micro;
            double measured = measured(Collective.ALL_TO_ALL, run.ep(), 1, bytes);
            double each = Double.isNaN(measured)
                    ? bytes * fabric.exchange(run.ep(), 1) + fabric.latency(run.ep(), 1)
                    : measured;
            double exposed = expertsOutside(run) * tokens * passes;
            ledger.communicate(Axis.EP, Collective.ALL_TO_ALL, run.ep(), bytes, count, false, count * each, exposed);
        }
        explainReplicas(run, tokens, ledger);
    }

    /// Records the sends of each micro-batch, forward and backward; virtual stages send around the ring.
    private void explainSends(TrainingRun run, double tokens, StepLedger ledger) {
        double around = Math.max(1, run.virtualStages()) - 1;
        double exposed = sends(run) * tokens;
        double alone = exposed / rates.replicaExposed();
        double chain = 2 * run.microBatches();
        double ring = chain * around;
        double share = chain / (chain + ring);
        ledger.communicate(
                Axis.PP, Collective.SEND, run.pp(), pieceBytes(run), chain, true, alone * share, exposed * share);
        ledger.communicate(
                Axis.PP,
                Collective.RING_SEND,
                run.pp(),
                pieceBytes(run),
                ring,
                true,
                alone * (1 - share),
                exposed * (1 - share));
    }

    private void explainReplicas(TrainingRun run, double tokens, StepLedger ledger) {
        double members = sharers(run);
        if (members == 1) {
            return;
        }
        double bytes = replicaBytes(run) / replicaCalls(run);
        double exposed = replicas(run) * tokens;
        double alone = exposed / rates.replicaExposed();
        if (run.sharding() == Sharding.NONE) {
            // An all-reduce is a reduce-scatter and an all-gather.
            ledger.communicate(
                    Axis.DP, Collective.ALL_REDUCE, members, bytes, layersOfStage(run), true, alone, exposed);
            return;
        }
        double gathers = replicaGathers(run) / replicaTimes(run);
        ledger.communicate(
                Axis.DP,
                Collective.ALL_GATHER,
                members,
                bytes,
                replicaGathers(run) * layersOfStage(run),
                true,
                alone * gathers,
                exposed * gathers);
        ledger.communicate(
                Axis.DP,
                Collective.REDUCE_SCATTER,
                members,
                bytes,
                replicaScatters(run) * layersOfStage(run),
                true,
                alone * (1 - gathers),
                exposed * (1 - gathers));
    }

    /// Returns the mean measured seconds of a gather and a scatter; NaN if they were not measured.
    private double measuredPair(double members, double stride, double bytes) {
        return (measured(Collective.ALL_GATHER, members, stride, bytes)
                        + measured(Collective.REDUCE_SCATTER, members, stride, bytes))
                / 2;
    }

    private boolean isMeasured(double members, double stride) {
        return !Double.isNaN(measuredPair(members, stride, 1));
    }

    private double measured(Collective collective, double members, double stride, double bytes) {
        return device.collectiveSeconds(collective, members, bytes, fabric.leavesDomain(members, stride));
    }
}
