// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.time;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Fabric;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.cost.TrainingTime;

/// The time of a token in training, in seconds of one device. Immutable and safe to share between threads.
///
/// @param rates rates of the framework on the devices
/// @param links communication between them
public record TrainingModel(TrainingShape shape, DeviceFigures device, TrainingRates rates, TrainingLinks links) {
    /// Bytes that the optimizer reads and writes for each parameter.
    private static final double OPTIMIZER_BYTES = 26;
    /// The share of the memory bandwidth that the optimizer reaches.
    private static final double OPTIMIZER_SHARE = 0.8;
    /// Bytes that a loss moves for each token and row of the vocabulary: logits are written, read and held in 32
    /// bits, and their gradients are written once and read for two products. Without fused kernels it is 37.
    private static final double LOSS_BYTES = 20;
    /// One forward pass, and two and a half as much backward.
    static final double ATTENTION_PASSES = 3.5;

    public static TrainingModel of(TrainingShape shape, DeviceFigures device, Fabric fabric, TrainingRates rates) {
        return new TrainingModel(shape, device, rates, new TrainingLinks(shape, device, fabric, rates));
    }

    public double tokensPerSecond(TrainingRun run) {
        return 1 / secondsPerToken(run, work(run));
    }

    /// Returns the seconds of one device for each token, of a run whose work is known.
    ///
    /// @param work result of [#work(TrainingRun)]; the same for all runs that differ in stages and replicas alone
    public double secondsPerToken(TrainingRun run, double work) {
        double inside = work * pipeline(run) + links.sends(run) * filling(run) / rates.factor();
        return (inside + (optimizer(run) + links.replicas(run)) / rates.factor()) * scale(run);
    }

    /// Returns the parts of the time.
    ///
    /// @param passes operations of a method as a multiple of plain training
    public TrainingTime time(TrainingRun run, double passes) {
        double each = passes / rates.factor();
        double device = device(run);
        double operations = operations(run);
        double sent = links.tensor(run) + links.context(run, attentionPass(run));
        double inside = (operations + sent) * passes;
        double bubble = inside * (pipeline(run) - 1) + links.sends(run) * (filling(run) - 1);
        double once = inside + links.sends(run) + bubble + optimizer(run) + links.replicas(run);
        return new TrainingTime(
                products(run) * each,
                attention(run) * each,
                experts(run) * each,
                traffic(run) * each,
                (operations - device) * each,
                (sent + links.sends(run) / passes) * each,
                bubble / rates.factor(),
                optimizer(run) / rates.factor(),
                links.replicas(run) / rates.factor(),
                0,
                once * (scale(run) - 1) / rates.factor());
    }

    /// Records the terms of a step on one device. Rates are the reached ones, with all losses.
    ///
    /// @param passes operations of a method as a multiple of plain training
    public void explain(TrainingRun run, double passes, StepLedger ledger) {
        TrainingTime time = time(run, passes);
        double tokens = run.globalBatch() * run.sequence() / run.devices();
        double factor = rates.factor();
        ExplainedTerms terms = new ExplainedTerms(tokens, ledger);
        double each = passes / factor;
        terms.computes(
                StepTerm.StepPart.PRODUCTS,
                "matrices of layers",
                inLayers(run) * passes,
                time.products() - head(run) * each);
        terms.computes(StepTerm.StepPart.PRODUCTS, "head", headOperations(run) * passes, head(run) * each);
        terms.computes(StepTerm.StepPart.ATTENTION, "attention", attentionOperations(run) * passes, time.attention());
        double loss = lossBytes() / device.bandwidth() * each;
        terms.moves(
                StepTerm.StepPart.TRAFFIC,
                "norms and activations",
                (trafficBytes(run) - lossBytes()) * passes,
                time.traffic() - loss);
        terms.moves(StepTerm.StepPart.TRAFFIC, "loss", lossBytes() * passes, loss);
        if (shape.expertLayers() > 0) {
            double sorted = links.expertNumbers() * rates.expertBytes() / device.bandwidth() * each;
            double sent = links.expertsOutside(run) * each;
            terms.computes(
                    StepTerm.StepPart.EXPERTS,
                    "products of experts",
                    2 * shape.activeExpertElements() * passes(run) * passes,
                    time.experts() - sorted - sent);
            terms.moves(
                    StepTerm.StepPart.EXPERTS,
                    "sorting and combining",
                    links.expertNumbers() * rates.expertBytes() * passes,
                    sorted);
            terms.moves(
                    StepTerm.StepPart.EXPERTS,
                    "EP beyond a domain",
                    TrainingLinks.EXCHANGES * TrainingLinks.ACTIVATION_BYTES * links.expertNumbers() * passes,
                    sent);
        }
        terms.takes(StepTerm.StepPart.HOST, "launches", time.host());
        double beginning = links.tensorLatency(run) * each;
        terms.moves(
                StepTerm.StepPart.LINKS,
                "TP collectives",
                links.tensorBytes(run) * passes,
                links.tensor(run) * each - beginning);
        terms.takes(StepTerm.StepPart.LINKS, "latency of collectives", beginning);
        terms.moves(
                StepTerm.StepPart.LINKS,
                "CP ring",
                links.contextBytes(run) * passes,
                links.context(run, attentionPass(run)) * each);
        terms.moves(StepTerm.StepPart.LINKS, "PP sends", links.sentBytes(run), links.sends(run) / factor);
        terms.takes(StepTerm.StepPart.PIPELINE, "bubble, the fullest stage", time.bubble());
        terms.moves(StepTerm.StepPart.OPTIMIZER, "weights and states", optimizerBytes(run) / tokens, time.optimizer());
        double stepping = links.replicaLatency(run) / factor;
        terms.moves(
                StepTerm.StepPart.REPLICAS,
                "DP gradients and weights",
                links.replicaBytes(run) / tokens,
                time.replicas() - stepping);
        terms.takes(StepTerm.StepPart.REPLICAS, "latency of collectives", stepping);
        terms.takes(StepTerm.StepPart.STRAGGLERS, "the slowest of many", time.scale());
        links.explain(run, passes, attentionPass(run), ledger);
    }

    /// Returns the seconds of one device for each token, without the overhead of stages and replicas.
    public double work(TrainingRun run) {
        return (operations(run) + links.tensor(run) + links.context(run, attentionPass(run))) / rates.factor();
    }

    /// Returns the busy seconds of one device for each token.
    ///
    /// @param memoryWeight weight of a second in which only bytes move
    public double busy(TrainingRun run, double memoryWeight) {
        return (products(run) + attention(run) + experts(run) + memoryWeight * traffic(run)) / rates.factor();
    }

    private double operations(TrainingRun run) {
        return shape.expertLayers() > 0 ? Smooth.max(device(run), hostFloor(run)) : device(run);
    }

    private double device(TrainingRun run) {
        return products(run) + attention(run) + traffic(run) + experts(run);
    }

    private double scale(TrainingRun run) {
        return 1 + rates.scaleLoss() * Math.max(0, Math.log(run.devices() / 8) / Math.log(2));
    }

    /// Returns the factor of filling for sends between stages, which do not wait for a head.
    private double filling(TrainingRun run) {
        return StageLayout.filling(run.pp(), virtualStages(run), run.microBatches());
    }

    private double pipeline(TrainingRun run) {
        return filling(run) * new StageLayout(shape.layers()).fullest(run.pp(), headLayers(run));
    }

    /// Returns the lower bound of a pipeline's factor, for the smallest head: it fills and drains, and all stages
    /// wait for the one with the most layers.
    ///
    /// @param virtualStages interleaved parts of a stage
    /// @param microBatches micro-batches of one pipeline
    /// @return factor of the work, at least 1
    public double pipeline(double stages, double virtualStages, double microBatches) {
        return StageLayout.filling(stages, virtualStages, microBatches) * new StageLayout(shape.layers()).least(stages);
    }

    /// Returns the cost of the head and its loss, in layers.
    private double headLayers(TrainingRun run) {
        double head = head(run) + lossBytes() / device.bandwidth();
        return head
                * shape.layers()
                / (operations(run) - head + links.tensor(run) + links.context(run, attentionPass(run)));
    }

    private double virtualStages(TrainingRun run) {
        return run.virtualStages() > 0 ? run.virtualStages() : Math.max(1, shape.layers() / (2 * run.pp()));
    }

    /// Returns the operations as a multiple of a forward pass.
    private double passes(TrainingRun run) {
        double backward = run.isAdapter() ? 1 : 2;
        return switch (run.recompute()) {
            case NONE -> 1 + backward;
            case SELECTIVE -> 1 + backward + 3 * rates.selective();
            case FULL -> 1 + backward + rates.recompute();
        };
    }

    private double productRate(TrainingRun run) {
        return rates.products() * shape.hidden() / (shape.hidden() + rates.width() * Math.sqrt(run.tp()));
    }

    private double products(TrainingRun run) {
        return inLayers(run) / productRate(run) + head(run);
    }

    private double inLayers(TrainingRun run) {
        return 2 * shape.denseElements() * passes(run);
    }

    private double head(TrainingRun run) {
        return headOperations(run) / rates.head();
    }

    private double headOperations(TrainingRun run) {
        return 2 * shape.headElements() * (run.isAdapter() ? 2 : 3);
    }

    private double attention(TrainingRun run) {
        return attentionOperations(run) / rates.attention();
    }

    private double attentionOperations(TrainingRun run) {
        return attentionPass(run) * (run.recompute() == Recompute.FULL ? ATTENTION_PASSES + 1 : ATTENTION_PASSES);
    }

    /// Returns the operations of one pass, with a causal mask.
    private double attentionPass(TrainingRun run) {
        return shape.attentionNumbers() * run.sequence();
    }

    private double traffic(TrainingRun run) {
        return trafficBytes(run) / device.bandwidth();
    }

    private double trafficBytes(TrainingRun run) {
        double more = run.recompute() == Recompute.FULL ? 4.0 / 3 : 1;
        return shape.layers() * shape.hidden() * rates.trafficBytes() * more + lossBytes();
    }

    private double lossBytes() {
        return shape.headElements() / shape.hidden() * LOSS_BYTES;
    }

    private double experts(TrainingRun run) {
        if (shape.expertLayers() == 0) {
            return 0;
        }
        double width = shape.expertSize();
        double rate = productRate(run) * width / (width + rates.expertWidth());
        return (2 * shape.activeExpertElements() * passes(run) / rate
                                + links.expertNumbers() * rates.expertBytes() / device.bandwidth())
                        / rates.experts()
                + links.expertsOutside(run);
    }

    /// Returns the lower bound set by the host, which launches many small kernels for each layer with experts.
    private double hostFloor(TrainingRun run) {
        return rates.expertLayer() * shape.expertLayers() / TrainingLinks.tokensOfPiece(run);
    }

    private double optimizer(TrainingRun run) {
        if (run.offload() != Offload.NONE) {
            return 0;
        }
        return optimizerBytes(run) / (device.bandwidth() * OPTIMIZER_SHARE) / TrainingLinks.tokensOfDevice(run);
    }

    private double optimizerBytes(TrainingRun run) {
        double trained = run.isAdapter() ? TrainingLinks.ADAPTER_SHARE : 1;
        double sharers = run.sharding() == Sharding.NONE ? 1 : run.replicas() * run.cp();
        return trained * links.held(run) / sharers * OPTIMIZER_BYTES;
    }
}
