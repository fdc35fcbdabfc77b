// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Every way in which a framework can lay a model on devices. All arrays rise; callers do not change them.
final class TrainingSpace {
    private static final int[] ONE = {1};
    /// Embedding and head, which a framework may count as a layer each.
    private static final int OUTSIDE_LAYERS = 2;

    private final ModelShape shape;
    private final TrainingFramework software;
    private final TrainingCluster cluster;
    private final int devices;
    private final int domain;
    private final int sequence;
    private final int batch;
    private final List<Offload> offloads;
    private final int[] batchDivisors;
    private final int[] expertDivisors;
    private final Optional<EngineRules> rules;

    /// The ways to train.
    ///
    /// @param cluster the devices
    /// @param sequence tokens of a sequence
    /// @param batch sequences of a step
    /// @param offloads possible offloads
    /// @param rules rules of the framework; empty to ignore them
    TrainingSpace(
            ModelShape shape,
            TrainingFramework software,
            TrainingCluster cluster,
            int sequence,
            int batch,
            List<Offload> offloads,
            Optional<EngineRules> rules) {
        this.rules = rules;
        this.shape = shape;
        this.software = software;
        this.cluster = cluster;
        this.devices = cluster.devices();
        this.domain = cluster.domain();
        this.sequence = sequence;
        this.batch = batch;
        this.offloads = offloads;
        this.batchDivisors = divisors(batch);
        this.expertDivisors =
                software.hasExpertParallel() && shape.experts() > 0 ? divisors((int) shape.experts()) : ONE;
    }

    int sequence() {
        return sequence;
    }

    int batch() {
        return batch;
    }

    /// Devices that share every matrix: heads divide among them.
    int[] tensors() {
        return software.hasTensorParallel()
                ? Arrays.stream(divisors((int) shape.heads()))
                        .filter(tensor -> tensor <= devices)
                        .toArray()
                : ONE;
    }

    /// Devices that such groups can use: no group lies over two domains unless it is larger than one, so that
    /// where groups do not fill a domain, one domain is all.
    private int usable(int tensor) {
        return devices > domain && tensor < domain && domain % tensor != 0 ? domain : devices;
    }

    /// Context parallel devices: each takes two pieces, one early and one late, so that all do as much.
    int[] contexts() {
        if (!software.hasContextParallel()) {
            return ONE;
        }
        return IntStream.iterate(1, context -> context <= devices, context -> 2 * context)
                .filter(context -> context == 1 || sequence % (2 * context) == 0)
                .toArray();
    }

    /// Returns the most stages.
    int mostStages(int tensor, int context) {
        return software.hasPipelineParallel()
                ? (int) Math.min((long) shape.layers(), usable(tensor) / ((long) tensor * context))
                : 1;
    }

    /// Parts of a stage that take turns: all of one size, or the first and the last a layer smaller, where embedding
    /// and head stand for one each.
    int[] virtualStages(int stages) {
        int layers = (int) shape.layers();
        if (!software.hasInterleavedStages() || stages == 1) {
            return ONE;
        }
        if (layers % stages == 0) {
            return divisors(layers / stages);
        }
        int counted = layers + OUTSIDE_LAYERS;
        return counted % stages == 0
                ? Arrays.stream(divisors(counted / stages))
                        .filter(parts -> parts == 1 || counted / (stages * parts) > 1)
                        .toArray()
                : ONE;
    }

    /// Reports whether micro-batches come in whole rounds of as many as there are stages, which parts that take turns
    /// need.
    static boolean takesTurns(int virtualStages, int stages, int microBatches) {
        return virtualStages == 1 || microBatches % stages == 0;
    }

    /// Copies, or sequences that a device works on at once: the batch divides by either.
    int[] batchDivisors() {
        return batchDivisors;
    }

    /// Returns the most replicas.
    int mostCopies(int tensor, int context, int stages) {
        return (int) (usable(tensor) / ((long) tensor * context * stages));
    }

    /// Reports whether the hosts there are hold so many devices with as many on each, as launchers start processes, and
    /// each host whole tensor parallel groups, or each group whole hosts.
    boolean isLaunchable(int tensor, int count) {
        int hosts = cluster.hosts(count);
        int each = count / hosts;
        return hosts <= cluster.hosts() && (hosts == 1 || each % tensor == 0 || tensor % each == 0);
    }

    /// Reports whether the sequences of a replica divide into such pieces.
    boolean divides(int replicas, int microBatch) {
        return batch / replicas % microBatch == 0;
    }

    /// Devices that share the experts of a layer.
    int[] expertDivisors() {
        return expertDivisors;
    }

    /// Those of them that the framework starts with such groups.
    int[] experts(int tensor, int context) {
        return rules.isEmpty()
                ? expertDivisors
                : Arrays.stream(expertDivisors)
                        .filter(expert -> rules.get()
                                .findBroken(shape, new Parallelism(tensor, 1, expert, 1), sequence, context)
                                .isEmpty())
                        .toArray();
    }

    /// Kinds of recompute, the fastest first.
    List<Recompute> recomputes() {
        return software == TrainingFramework.PYTORCH
                ? List.of(Recompute.NONE, Recompute.FULL)
                : List.of(Recompute.NONE, Recompute.SELECTIVE, Recompute.FULL);
    }

    List<Offload> offloads() {
        return offloads;
    }

    /// Returns the states that replicas shard, the fastest first. One replica shards nothing. Offloaded states are
    /// always sharded.
    List<Sharding> shardings(int replicas, Offload offload) {
        if (offload != Offload.NONE) {
            return List.of(Sharding.WEIGHTS);
        }
        return replicas == 1 ? software.shardings().subList(0, 1) : software.shardings();
    }

    /// Orders that differ. Devices that share experts follow each other, which leaves one.
    List<Order> orders(int stages, int replicas, int expert) {
        return stages == 1 || replicas == 1 || expert > 1 || software != TrainingFramework.MEGATRON
                ? List.of(Order.REPLICAS_FIRST)
                : List.of(Order.REPLICAS_FIRST, Order.STAGES_FIRST);
    }

    private static int[] divisors(int number) {
        return IntStream.iterate(1, low -> (long) low * low <= number, low -> low + 1)
                .filter(low -> number % low == 0)
                .flatMap(low -> low == number / low ? IntStream.of(low) : IntStream.of(low, number / low))
                .sorted()
                .toArray();
    }
}
