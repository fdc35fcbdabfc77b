// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.cost.TrainingRun.Order;
import dev.muster.plan.cost.TrainingRun.Recompute;
import dev.muster.plan.cost.TrainingRun.Sharding;
import dev.muster.plan.time.Interruption;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One walk through a space. Keeps the best run of each way to share a model by matrices, sequences and stages, and of
/// those the best few.
///
/// What is left out cannot be among them: a run is never faster than its work in its pipeline, and of runs that
/// differ in recompute, or in what replicas share, those listed later are slower.
final class TrainingWalk {
    /// The number of layouts that are kept, beside the best.
    private static final int KEPT = 12;
    /// Sums of many terms may come out this much apart in another order.
    private static final double HOUR = 3600;
    private static final double ROUNDING = 1 + 1e-12;

    private final TrainingSpace space;
    private final TrainingCost cost;
    private final TrainingGoal goal;
    private final boolean isAdapter;
    private final TrainingLimits limits;
    private final HourlyPrice price;
    private final List<TrainingCandidate> found = new ArrayList<>();
    private final WorkTable work;
    private @Nullable TrainingCandidate bestHere;
    private long tried;

    TrainingWalk(
            TrainingSpace space,
            TrainingCost cost,
            TrainingGoal goal,
            boolean isAdapter,
            TrainingLimits limits,
            HourlyPrice price) {
        this.space = space;
        this.cost = cost;
        this.goal = goal;
        this.isAdapter = isAdapter;
        this.limits = limits;
        this.price = price;
        this.work = new WorkTable();
    }

    List<TrainingCandidate> found() {
        return List.copyOf(found);
    }

    long tried() {
        return tried;
    }

    void run() {
        for (int tensor : space.tensors()) {
            for (int context : space.contexts()) {
                work.reset();
                int[] experts = space.experts(tensor, context);
                int most = experts.length == 0 ? 0 : space.mostStages(tensor, context);
                for (int stages = 1; stages <= most; stages++) {
                    Interruption.check();
                    bestHere = null;
                    share(tensor, context, stages, experts);
                    keep();
                }
            }
        }
    }

    private void keep() {
        if (bestHere == null) {
            return;
        }
        found.add(bestHere);
        found.sort(TrainingCandidate::compare);
        if (found.size() > KEPT) {
            found.removeLast();
        }
    }

    /// Reports whether no run with so much time for each token can be among those kept.
    private boolean isHopeless(double devices, double secondsPerToken, double active) {
        double merit = TrainingCandidate.merit(goal, devices, secondsPerToken, active);
        double bound = merit > 0 ? merit * ROUNDING : merit / ROUNDING;
        return (bestHere != null && bound < bestHere.merit())
                || (found.size() == KEPT && bound < found.getLast().merit());
    }

    private void share(int tensor, int context, int stages, int[] experts) {
        int[] divisors = space.batchDivisors();
        int most = space.mostCopies(tensor, context, stages);
        int[] parts = space.virtualStages(stages);
        for (int i = divisors.length - 1; i >= 0; i--) {
            int replicas = divisors[i];
            if (replicas > most || !space.isLaunchable(tensor, tensor * context * stages * replicas)) {
                continue;
            }
            tried++;
            // The most pieces and the most turns wait least.
            double waiting = cost.pipeline(stages, parts[parts.length - 1], space.batch() / replicas);
            if (isHopeless(
                    (double) tensor * context * stages * replicas,
                    work.least(tensor, context) * waiting,
                    work.leastActive())) {
                continue;
            }
            for (int expert : experts) {
                if ((long) tensor * context * replicas % expert == 0) {
                    pieces(new Share(tensor, context, stages, replicas, expert), parts);
                }
            }
        }
    }

    private void pieces(Share share, int[] parts) {
        for (int microBatch : space.batchDivisors()) {
            Interruption.check();
            if (!space.divides(share.replicas, microBatch)) {
                continue;
            }
            int rounds = space.batch() / share.replicas / microBatch;
            boolean fits = false;
            for (int part : parts) {
                if (TrainingSpace.takesTurns(part, share.stages, rounds)) {
                    for (Order order : space.orders(share.stages, share.replicas, share.expert)) {
                        for (Offload offload : space.offloads()) {
                            fits |= cheapest(share, microBatch, part, order, offload);
                        }
                    }
                }
            }
            if (!fits && cost.growsWithMicroBatch() && isTooLarge(share, microBatch)) {
                return;
            }
        }
    }

    /// Reports whether nothing fits, however little it holds. Parts that take turns hold more.
    private boolean isTooLarge(Share share, int microBatch) {
        for (Offload offload : space.offloads()) {
            for (Recompute recompute : space.recomputes()) {
                for (Sharding sharding : space.shardings(share.replicas, offload)) {
                    TrainingRun run = run(share, microBatch, 1, recompute, sharding, Order.REPLICAS_FIRST, offload);
                    if (cost.memory(run).fits()) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// Finds, for each kind of recompute, the first sharding that fits; one that shards as much and recomputes more
    /// is slower. Reports whether any was found to fit. Tells whether any was seen to fit.
    private boolean cheapest(Share share, int microBatch, int part, Order order, Offload offload) {
        List<Sharding> shardings = space.shardings(share.replicas, offload);
        int open = shardings.size();
        double waiting = cost.pipeline(share.stages, part, space.batch() / share.replicas / microBatch);
        for (Recompute recompute : space.recomputes()) {
            double seconds = work.get(share, microBatch, recompute);
            tried++;
            double active = work.active(share, microBatch, recompute);
            if (isHopeless(share.devices(), seconds * waiting, active)) {
                break;
            }
            for (int i = 0; i < open; i++) {
                TrainingRun run = run(share, microBatch, part, recompute, shardings.get(i), order, offload);
                if (cost.memory(run).fits()) {
                    consider(new TrainingCandidate(run, cost.secondsPerToken(run, seconds), active, goal));
                    open = i;
                }
            }
        }
        return open < shardings.size();
    }

    private void consider(TrainingCandidate candidate) {
        if (limits.isAny() && !keepsLimits(candidate)) {
            return;
        }
        if (bestHere == null || TrainingCandidate.compare(candidate, bestHere) < 0) {
            bestHere = candidate;
        }
    }

    private boolean keepsLimits(TrainingCandidate candidate) {
        double seconds = limits.tokens() / candidate.tokensPerSecond();
        return seconds <= limits.seconds()
                && (!limits.hasBudget()
                        || price.usdPerHour((int) candidate.run().devices()) * seconds / HOUR <= limits.usd());
    }

    private TrainingRun run(
            Share share,
            int microBatch,
            int part,
            Recompute recompute,
            Sharding sharding,
            Order order,
            Offload offload) {
        return new TrainingRun(
                space.sequence(),
                microBatch,
                space.batch(),
                share.devices(),
                share.tensor,
                share.stages,
                share.context,
                share.expert,
                part,
                recompute,
                sharding,
                order,
                isAdapter,
                offload);
    }

    /// A division of the work.
    private record Share(int tensor, int context, int stages, int replicas, int expert) {
        double devices() {
            return (double) tensor * context * stages * replicas;
        }
    }

    /// The seconds of one device for each token, for one pair of TP and CP, computed once. Computed once.
    private final class WorkTable {
        private static final int WAYS = 3;

        private final double[] seconds =
                new double[space.batchDivisors().length * space.expertDivisors().length * WAYS];
        private final double[] active = goal == TrainingGoal.ENERGY ? new double[seconds.length] : new double[0];
        private double least;
        private double leastActive;

        void reset() {
            Arrays.fill(seconds, Double.NaN);
            Arrays.fill(active, Double.NaN);
            least = Double.NaN;
        }

        /// Returns the least of all: no recompute, the largest pieces, experts near.
        double least(int tensor, int context) {
            if (Double.isNaN(least)) {
                TrainingRun run = run(new Share(tensor, context, 1, 1, 1), space.batch(), Recompute.NONE);
                least = cost.work(run);
                leastActive = goal == TrainingGoal.ENERGY ? cost.active(run) : 0;
            }
            return least;
        }

        /// Returns the busy part of that, for energy.
        double leastActive() {
            return leastActive;
        }

        double get(Share share, int microBatch, Recompute recompute) {
            int index = index(share, microBatch, recompute);
            if (Double.isNaN(seconds[index])) {
                seconds[index] = cost.work(run(share, microBatch, recompute));
            }
            return seconds[index];
        }

        /// Returns the busy part of that; 0 if energy does not count.
        double active(Share share, int microBatch, Recompute recompute) {
            if (goal != TrainingGoal.ENERGY) {
                return 0;
            }
            int index = index(share, microBatch, recompute);
            if (Double.isNaN(active[index])) {
                active[index] = cost.active(run(share, microBatch, recompute));
            }
            return active[index];
        }

        private int index(Share share, int microBatch, Recompute recompute) {
            int piece = Arrays.binarySearch(space.batchDivisors(), microBatch);
            int expert = Arrays.binarySearch(space.expertDivisors(), share.expert);
            int way = recompute == Recompute.NONE ? 0 : recompute == Recompute.SELECTIVE ? 1 : 2;
            return (piece * space.expertDivisors().length + expert) * WAYS + way;
        }

        private TrainingRun run(Share share, int microBatch, Recompute recompute) {
            return TrainingWalk.this.run(
                    share, microBatch, 1, recompute, Sharding.NONE, Order.REPLICAS_FIRST, Offload.NONE);
        }
    }
}
