// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.core.text.FixedText;
import dev.muster.plan.cost.MemoryTerm;
import dev.muster.plan.cost.MemoryTerm.MemoryPart;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.search.MemoryTermList;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingPrecision;
import java.util.List;

/// The memory of frameworks with pipeline stages on a device, in bytes: fused kernels, flash attention, sequence
/// parallelism over the ranks of TP. Of all stages the fullest counts: the first, which keeps the most micro-batches,
/// or the last, which has the head and the loss.
public final class StagedMemory {
    private static final double HALF = 2;
    private static final double KIBI = 1024;
    private static final double MILLION = 1e6;
    private static final double PERCENT = 100;
    private static final double EIGHT = 1;
    /// Bytes of a gradient, which is accumulated in 32 bits.
    private static final double GRADIENT = 4;
    /// The weight in 32 bits and two moments.
    private static final double OPTIMIZER = 12;
    /// Logits in 32 bits and their gradient in 16.
    private static final double LOSS = 6;
    /// Bytes of a token's route to each expert.
    private static final double ROUTE = 12;
    /// Context and libraries of a device.
    private static final double LIBRARIES = 0.8 * (1L << 30);
    /// Buffers of the communicators of one axis.
    private static final double COMMUNICATOR = 0.35 * (1L << 30);
    /// The allocator's loss, as a share of temporary memory.
    private static final double FRAGMENTS = 0.05;

    private final ModelShape shape;
    private final TrainingLoad load;
    private final double capacity;
    /// Bytes of a number that a product reads.
    private final double input;
    private final double layerNumbers;
    private final double expertNumbers;
    private final double embeddingNumbers;
    private final double headNumbers;
    private final boolean isTied;

    /// Creates the memory model of a model in training.
    ///
    /// @param precision precision of matrix products, in which their inputs are kept
    public StagedMemory(
            ModelShape shape, WeightParts parts, TrainingLoad load, double capacity, TrainingPrecision precision) {
        this.shape = shape;
        this.load = load;
        this.capacity = capacity;
        this.input = precision == TrainingPrecision.BF16 ? HALF : EIGHT;
        this.layerNumbers = (parts.attention().elements() + parts.dense().elements()) / shape.layers();
        this.expertNumbers = shape.expertLayers() > 0 ? parts.experts().elements() / shape.expertLayers() : 0;
        this.embeddingNumbers = parts.embedding().elements();
        this.headNumbers = parts.head().elements();
        this.isTied = parts.isTied();
    }

    public TrainingMemoryUse of(TrainingRun run) {
        if (run.pp() == 1) {
            return use(run, only());
        }
        TrainingMemoryUse first = use(run, first(run));
        TrainingMemoryUse last = use(run, last(run));
        return first.total() >= last.total() ? first : last;
    }

    /// A stage.
    ///
    /// @param outside numbers of embedding and head on it
    /// @param microBatches micro-batches in flight, in whole stages
    /// @param hasLoss true if it computes the loss
    private record Stage(double outside, double microBatches, boolean hasLoss) {}

    private Stage only() {
        return new Stage(embeddingNumbers + (isTied ? 0 : headNumbers), 1, true);
    }

    private Stage first(TrainingRun run) {
        return new Stage(embeddingNumbers, firstMicroBatches(run), false);
    }

    private Stage last(TrainingRun run) {
        return new Stage(headNumbers, lastMicroBatches(run), true);
    }

    private Stage fullest(TrainingRun run) {
        if (run.pp() == 1) {
            return only();
        }
        return use(run, first(run)).total() >= use(run, last(run)).total() ? first(run) : last(run);
    }

    private double dense(TrainingRun run, Stage stage) {
        return (layersOf(run) * layerNumbers + stage.outside) / run.tp();
    }

    private double experts(TrainingRun run) {
        return Math.min(layersOf(run), shape.expertLayers()) * expertNumbers / run.ep();
    }

    /// Returns the terms of the memory, the largest first.
    List<MemoryTerm> terms(TrainingRun run) {
        Stage stage = fullest(run);
        TrainingMemoryUse use = use(run, stage);
        double numbers = dense(run, stage) + experts(run);
        String trained = load.isAdapter() ? millions(adapters(run)) + " of adapters" : millions(numbers);
        String shared = run.sharding() == Sharding.NONE || replicas(run) == 1
                ? ""
                : " / up to " + Math.round(replicas(run)) + " that share them";
        double tokens = tokens(run);
        double axes = workspace(run) - LIBRARIES;
        return MemoryTermList.create()
                .add(MemoryPart.WEIGHTS, "weights", millions(numbers) + weightsShared(run), use.weights())
                .add(
                        MemoryPart.GRADIENTS,
                        "gradients",
                        trained + " x " + (int) GRADIENT + " bytes" + shared,
                        use.gradients())
                .add(
                        MemoryPart.OPTIMIZER,
                        "weights in 32 bits and two moments",
                        trained + " x " + (int) OPTIMIZER + " bytes" + shared,
                        use.optimizer())
                .add(
                        MemoryPart.ACTIVATIONS,
                        "kept for the backward pass",
                        FixedText.of(tokens, 0) + " tokens x " + FixedText.of(stage.microBatches, 2) + " pieces x "
                                + FixedText.of(each(run) / KIBI, 1) + " KiB",
                        tokens * stage.microBatches * each(run))
                .add(
                        MemoryPart.ACTIVATIONS,
                        "recomputed block",
                        FixedText.of(tokens, 0) + " tokens x " + FixedText.of(live(run) / KIBI, 1) + " KiB",
                        tokens * live(run))
                .add(
                        MemoryPart.ACTIVATIONS,
                        "logits and their gradient",
                        FixedText.of(tokens, 0) + " tokens x " + FixedText.of(shape.vocabulary(), 0) + " x "
                                + (int) LOSS + " bytes",
                        stage.hasLoss ? loss(run) : 0)
                .add(
                        MemoryPart.ACTIVATIONS,
                        "layers gathered from all replicas",
                        "this one and the next",
                        gathered(run, numbers))
                .add(MemoryPart.WORKSPACE, "context and libraries", "", LIBRARIES)
                .add(MemoryPart.WORKSPACE, "communicators", "one for each way of sharing", axes)
                .add(
                        MemoryPart.WORKSPACE,
                        "lost by the allocator",
                        FixedText.of(PERCENT * FRAGMENTS, 0) + " % of activations",
                        FRAGMENTS * use.activations())
                .largestFirst();
    }

    private String weightsShared(TrainingRun run) {
        double models = load.trainedModels() + load.frozenModels();
        String bytes = load.isAdapter()
                ? " x " + FixedText.of(load.frozenBytes(), 2) + " bytes, and adapters"
                : " x " + (int) HALF + " bytes" + (models > 1 ? " x " + (int) models + " models" : "");
        return bytes + (weightSharers(run) > 1 ? " / " + Math.round(weightSharers(run)) + " that share them" : "");
    }

    private static String millions(double numbers) {
        return FixedText.of(numbers / MILLION, 0) + " M numbers";
    }

    /// Returns the micro-batches in flight on the first stage, in whole stages.
    private static double firstMicroBatches(TrainingRun run) {
        double stages = run.pp();
        double most = run.virtualStages() > 1 ? stages * (1 + (stages - 1) / (stages * run.virtualStages())) : stages;
        return Math.min(run.microBatches(), most);
    }

    /// Returns those of the last stage: one, and with virtual stages those that wait for the next.
    private static double lastMicroBatches(TrainingRun run) {
        double parts = Math.max(1, run.virtualStages());
        return Math.min(run.microBatches(), ((parts - 1) * run.pp() + 1) / parts);
    }

    private TrainingMemoryUse use(TrainingRun run, Stage stage) {
        double dense = dense(run, stage);
        double experts = experts(run);
        double activations =
                kept(run, stage.microBatches) + (stage.hasLoss ? loss(run) : 0) + gathered(run, dense + experts);
        double workspace = workspace(run) + FRAGMENTS * activations;
        if (run.offload() == Offload.ALL) {
            return new TrainingMemoryUse(0, 0, 0, activations, workspace, capacity);
        }
        double weights = load.isAdapter()
                ? (dense + experts) * load.frozenBytes() / weightSharers(run) + adapters(run) * HALF
                : (dense + experts) * HALF * (load.trainedModels() + load.frozenModels()) / weightSharers(run);
        return new TrainingMemoryUse(
                weights,
                states(run, dense, experts, GRADIENT, run.sharding().compareTo(Sharding.GRADIENTS) >= 0),
                run.offload() == Offload.NONE
                        ? states(run, dense, experts, OPTIMIZER, run.sharding() != Sharding.NONE)
                        : 0,
                activations,
                workspace,
                capacity);
    }

    private double layersOf(TrainingRun run) {
        return Math.ceil(shape.layers() / run.pp());
    }

    private static double replicas(TrainingRun run) {
        return run.replicas() * run.cp();
    }

    private static double expertCopies(TrainingRun run) {
        return Math.max(1, replicas(run) * run.tp() / run.ep());
    }

    private double adapters(TrainingRun run) {
        return plainAdapters(run) + expertAdapters(run);
    }

    private double plainAdapters(TrainingRun run) {
        return load.adapterNumbers() / (run.tp() * run.pp());
    }

    private double expertAdapters(TrainingRun run) {
        return load.expertAdapterNumbers() / (run.ep() * run.pp());
    }

    private static double weightSharers(TrainingRun run) {
        return run.sharding() == Sharding.WEIGHTS ? replicas(run) : 1;
    }

    /// Returns the bytes of gradients or optimizer states; experts have fewer replicas than the rest.
    private double states(TrainingRun run, double dense, double experts, double bytes, boolean isShared) {
        if (load.isAdapter()) {
            return bytes
                    * (plainAdapters(run) / (isShared ? replicas(run) : 1)
                            + expertAdapters(run) / (isShared ? expertCopies(run) : 1));
        }
        double replicas = replicas(run);
        double expertCopies = expertCopies(run);
        return load.trainedModels()
                * bytes
                * (dense / (isShared ? replicas : 1) + experts / (isShared ? expertCopies : 1));
    }

    /// Returns the bytes of layers gathered from all replicas, this one and the next, and of their gradients.
    private double gathered(TrainingRun run, double numbers) {
        if (run.sharding() != Sharding.WEIGHTS) {
            return 0;
        }
        return 2 * (HALF + HALF) * numbers / layersOf(run);
    }

    private double workspace(TrainingRun run) {
        int axes = (run.tp() > 1 ? 1 : 0)
                + (run.pp() > 1 ? 1 : 0)
                + (run.cp() > 1 ? 1 : 0)
                + (run.ep() > 1 ? 1 : 0)
                + (run.replicas() > 1 ? 1 : 0);
        return LIBRARIES + axes * COMMUNICATOR;
    }

    /// Returns the bytes of activations of a stage's layers that wait for the backward pass.
    private double kept(TrainingRun run, double microBatches) {
        return tokens(run) * (microBatches * each(run) + live(run));
    }

    private static double tokens(TrainingRun run) {
        return run.microBatch() * run.sequence() / (run.tp() * run.cp());
    }

    private double loss(TrainingRun run) {
        return tokens(run) * LOSS * shape.vocabulary();
    }

    /// Returns the bytes of a token in the block that is recomputed while its backward pass runs.
    private double live(TrainingRun run) {
        if (run.recompute() != Recompute.FULL) {
            return 0;
        }
        boolean hasExperts = Math.min(layersOf(run), shape.expertLayers()) > 0;
        return (hasExperts ? Math.max(expertBlock(run), denseBlock(run)) : denseBlock(run)) + attention(run);
    }

    /// Returns the bytes of a token in all layers of a stage.
    private double each(TrainingRun run) {
        double layers = layersOf(run);
        double expertLayers = Math.min(layers, shape.expertLayers());
        return run.recompute() == Recompute.FULL
                ? layers * HALF * shape.hidden()
                : layers * attention(run) + expertLayers * expertBlock(run) + (layers - expertLayers) * denseBlock(run);
    }

    /// Returns the bytes of a token in the attention of a layer: the norm's input and output, queries, keys, values,
    /// the result and its statistics. Norms are recomputed where anything is.
    private double attention(TrainingRun run) {
        double projected = shape.heads() * shape.keySize() + shape.kvHeads() * (shape.keySize() + shape.valueSize());
        double result = 2 * shape.heads() * shape.valueSize() + 4 * shape.heads();
        return norm(run) + HALF * projected + result;
    }

    /// Returns the bytes of input and output of a norm.
    private double norm(TrainingRun run) {
        return (HALF + (run.recompute() == Recompute.SELECTIVE ? 0 : input)) * shape.hidden();
    }

    /// Returns the bytes of a token in a dense block: the norm's, gate, up and their product.
    private double denseBlock(TrainingRun run) {
        return norm(run) + inner(run) * shape.feedForward();
    }

    /// Returns the bytes of a token in a block of experts: the inputs of each of them, and their results.
    private double expertBlock(TrainingRun run) {
        double each = input * shape.hidden() + inner(run) * shape.expertSize() + ROUTE;
        return norm(run) + shape.activeExperts() * each;
    }

    /// Returns the bytes of each number inside a block: before and behind the activation.
    private double inner(TrainingRun run) {
        boolean isGated = shape.matrices() == 3;
        return HALF * (isGated ? 2 : 1) + (run.recompute() == Recompute.SELECTIVE ? 0 : input);
    }
}
