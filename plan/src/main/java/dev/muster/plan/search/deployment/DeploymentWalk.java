// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.search.PlanFigures;
import dev.muster.plan.search.PredictionIntervals;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.ServingSimulation.Figures;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.simulate.Deployment;
import dev.muster.plan.simulate.SimulatedRun;
import dev.muster.plan.simulate.Workload;
import dev.muster.plan.time.Interruption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Walks through the units of a [DeploymentSpace]. A deployment of several units is judged by one of them under its
/// share of the load; before it is named the best, all of it is simulated, and has to keep the objectives, too: else
/// the
/// next best takes its place.
/// Confined to one thread and used once.
final class DeploymentWalk {
    private static final int LISTED = 8;
    private static final int FRONT_BY_ONE = 8;

    private final DeploymentSearch search;
    private final SimulationRequest asked;
    /// The objectives, and those that predictions have to keep so that measured values keep these.
    private final Slo slo;

    private final Slo limits;
    private final DevicePool pool;
    private final ServingEngine software;
    private final List<DeploymentUnit> units;
    private final LoadShare loads;
    private final RentalOffers.OfDevice offers;
    private final PredictionIntervals intervals;
    /// Units that keep the objectives under their share.
    private final Map<Units, Judged> judged = new HashMap<>();
    private final List<Judged> kept = new ArrayList<>();
    private Optional<Judged> best = Optional.empty();
    private long tried;

    DeploymentWalk(
            DeploymentSearch search,
            SimulationRequest asked,
            Slo slo,
            DevicePool pool,
            ServingEngine software,
            List<DeploymentUnit> units) {
        this.search = search;
        this.loads = new LoadShare(asked, slo);
        this.asked = loads.asked();
        this.slo = slo;
        this.pool = pool;
        this.software = software;
        this.units = units;
        this.offers = search.rentals().ofDevice(pool);
        this.intervals = new PredictionIntervals(search.coefficients(), pool);
        boolean isMeasured = !units.isEmpty() && intervals.isMeasured(units.getFirst().model);
        this.limits = slo.within(intervals.underLoad(software, isMeasured));
    }

    private record Units(DeploymentUnit unit, int count) {}

    /// Some units, and their result.
    static final class Judged {
        private final DeploymentUnit unit;
        private final int count;
        private final Deployment deployment;
        private final SimulatedRun run;
        /// The value of the goal first, then devices, changes, and simulated values; less is better.
        private final double[] rank;
        /// True if all units were simulated, false if one of them for all.
        private final boolean isWhole;

        private Judged(
                DeploymentUnit unit,
                int count,
                Deployment deployment,
                SimulatedRun run,
                double[] rank,
                boolean isWhole) {
            this.unit = unit;
            this.count = count;
            this.deployment = deployment;
            this.run = run;
            this.rank = rank;
            this.isWhole = isWhole;
        }

        private boolean isBefore(Judged other) {
            return Arrays.compare(rank, other.rank) < 0;
        }

        private boolean isSame(Judged other) {
            return unit.equals(other.unit) && count == other.count;
        }
    }

    PlanAnswer<DeploymentPlan> answer() {
        Optional<DeploymentPlan> first = findBest();
        if (first.isEmpty()) {
            return new NearestDeployment(search, this, asked, slo, pool, software).answer();
        }
        List<DeploymentPlan> plans = new ArrayList<>();
        plans.add(first.get());
        kept.sort((one, other) -> Arrays.compare(one.rank, other.rank));
        for (Judged one : kept) {
            if (plans.size() < LISTED && !one.isSame(best.orElseThrow())) {
                plans.add(describe(one));
            }
        }
        return new PlanAnswer.Feasible<>(plans, tried, List.of());
    }

    /// Returns the best that keeps the objectives. If a number of units misses them, smaller numbers are taken to miss
    /// them, too.
    Optional<DeploymentPlan> findBest() {
        for (DeploymentUnit unit : units) {
            tried += counts(unit).size();
        }
        while (true) {
            units.forEach(this::walk);
            if (best.isEmpty() || best.get().count == 1) {
                return best.map(this::describe);
            }
            Judged share = best.get();
            Judged whole = judgeWhole(share);
            if (keeps(whole.run)) {
                best = Optional.of(whole);
                return best.map(this::describe);
            }
            share.unit.miss(share.count);
            kept.clear();
            best = Optional.empty();
        }
    }

    private void walk(DeploymentUnit unit) {
        Interruption.check();
        List<Integer> open = counts(unit).stream()
                .takeWhile(count -> best.filter(one -> isBehind(rank(unit, count, Optional.empty()), one))
                        .isEmpty())
                .filter(count -> isAffordable(unit, count))
                .toList();
        if (open.isEmpty() || !isKept(unit, open.getLast())) {
            return;
        }
        int least = 0;
        for (int most = open.size() - 1; least < most; ) {
            int middle = (least + most) / 2;
            if (isKept(unit, open.get(middle))) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        while (least < open.size() && !tries(unit, open.get(least))) {
            least++;
        }
    }

    /// Reports whether the facts before a simulation are worse than the best already.
    private static boolean isBehind(double[] least, Judged best) {
        return Arrays.compare(least, best.rank) > 0;
    }

    /// Returns the numbers of units to consider: one more makes everything faster, so that the fastest have as many
    /// as fit.
    List<Integer> counts(DeploymentUnit unit) {
        int replicas = asked.fleet().replicas();
        if (replicas > 0) {
            boolean divides = replicas % unit.replicas() == 0 && replicas / unit.replicas() <= unit.room;
            return divides ? List.of(replicas / unit.replicas()) : List.of();
        }
        return isStatic() ? DeploymentSpace.counts(unit.room) : unit.room > 0 ? List.of(unit.room) : List.of();
    }

    /// Reports whether the goal is known without a simulation, and worse with each unit more.
    private boolean isStatic() {
        return switch (asked.serving().goal()) {
            case DEVICES, COST -> true;
            case THROUGHPUT, LATENCY -> false;
            case MEMORY, ENERGY ->
                throw new IllegalArgumentException("a deployment under load is planned for devices,"
                        + " cost, throughput or latency, not for "
                        + asked.serving().goal().label());
        };
    }

    private boolean isAffordable(DeploymentUnit unit, int count) {
        return asked.serving()
                .usdPerHour()
                .map(most -> dollars(unit, count) <= most)
                .orElse(true);
    }

    private double dollars(DeploymentUnit unit, int count) {
        return offers.cheapest(count * unit.replicas(), unit.model.layout().devices())
                .find()
                .map(Rental::usdPerHour)
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// Reports whether one of some units keeps the objectives under its share of the load.
    private boolean isKept(DeploymentUnit unit, int count) {
        Units some = new Units(unit, count);
        if (judged.containsKey(some)) {
            return !unit.misses(count);
        }
        if (unit.misses(count) || unit.floor.isHopeless(unit, loads.of(count), limits)) {
            return false;
        }
        Judged share = judge(unit, count, limits);
        if (keeps(share.run)) {
            judged.put(some, share);
            return true;
        }
        unit.miss(count);
        unit.ran(count, share.run.mostRunning());
        return false;
    }

    /// Judges some units.
    ///
    /// @return true if they keep the objectives, so that more of them are of no use
    private boolean tries(DeploymentUnit unit, int count) {
        if (unit.isRepetition(count) || !isKept(unit, count)) {
            return false;
        }
        Judged share = Objects.requireNonNull(judged.get(new Units(unit, count)));
        unit.ran(count, share.run.mostRunning());
        kept.add(share);
        if (best.isEmpty() || share.isBefore(best.get())) {
            best = Optional.of(share);
        }
        return true;
    }

    private boolean keeps(SimulatedRun run) {
        if (run.isLost() || run.rejected() > 0) {
            return false;
        }
        Figures figures = run.figures(asked.targets());
        return figures.isStable() && limits.missed(figures).isEmpty();
    }

    /// Simulates the share of one unit.
    ///
    /// @param until objectives that end it early once missed
    Judged judge(DeploymentUnit unit, int count, Slo until) {
        Deployment deployment = SimulatedLoad.deployment(asked, unit.replica, unit.policy, unit.prefill, unit.decode);
        SimulatedRun run = loads.run(count, deployment, until);
        double[] rank = run.isLost() ? new double[0] : rank(unit, count, Optional.of(figures(run, count)));
        return new Judged(unit, count, deployment, run, rank, count == 1);
    }

    private Judged judgeWhole(Judged share) {
        DeploymentUnit unit = share.unit;
        Deployment deployment = SimulatedLoad.deployment(
                asked, unit.replica, unit.policy, share.count * unit.prefill, share.count * unit.decode);
        SimulatedRun run = loads.runWhole(share.count, deployment, limits);
        return new Judged(unit, share.count, deployment, run, share.rank, true);
    }

    /// Returns the figures of all units, from those of one.
    private Figures figures(SimulatedRun run, int count) {
        Figures one = run.figures(asked.targets());
        return new Figures(
                one.answered() * count,
                one.outputTokens() * count,
                one.seconds(),
                one.timeToFirstToken(),
                one.timePerOutputToken(),
                one.latency(),
                one.good() * count,
                one.isStable());
    }

    /// @param figures figures; empty without a simulation: then the least possible rank
    private double[] rank(DeploymentUnit unit, int count, Optional<Figures> figures) {
        ServingGoal goal = asked.serving().goal();
        double tokens = figures.map(Figures::tokensPerSecond).orElse(Double.POSITIVE_INFINITY);
        double tpot = figures.map(one -> one.timePerOutputToken().p50())
                .orElseGet(() -> unit.floor.outputToken(loads.of(count).shortestInput()));
        double loss = switch (goal) {
            case DEVICES -> count * unit.devices();
            case COST -> dollars(unit, count);
            case THROUGHPUT -> -tokens;
            case LATENCY -> tpot;
            case MEMORY, ENERGY -> 0;
        };
        Parallelism layout = unit.model.layout();
        return new double[] {
            loss, count * unit.devices(), unit.changes, -tokens, tpot, layout.pp(), layout.tp(), layout.ep()
        };
    }

    /// Returns the Pareto front of all units with the engine's own token budget and limit of sequences; up to eight
    /// units by one, above that by doubling. Units that a bound rules out are not simulated.
    List<DeploymentPlan> front() {
        List<DeploymentPlan> plans = new ArrayList<>();
        for (DeploymentUnit unit : units) {
            if (unit.options.isEmpty()) {
                for (int count = 1; count <= unit.room; count += count < FRONT_BY_ONE ? 1 : count) {
                    Interruption.check();
                    Workload share = loads.of(count);
                    double user = unit.floor.mostPerUser(share);
                    double device = unit.floor.mostTokens(unit, share) / unit.devices();
                    if (plans.stream().noneMatch(one -> beats(one, user, device))) {
                        DeploymentPlan plan = describe(judge(unit, count, Slo.NONE));
                        if (plan.simulation().rejected() == 0 && plan.figures().isStable()) {
                            plans.removeIf(
                                    one -> beats(plan, one.tokensPerSecondPerUser(), one.tokensPerSecondPerDevice()));
                            plans.add(plan);
                        }
                    }
                }
            }
        }
        return DeploymentPlan.front(plans);
    }

    private static boolean beats(DeploymentPlan plan, double user, double device) {
        return plan.tokensPerSecondPerUser() >= user && plan.tokensPerSecondPerDevice() >= device;
    }

    List<DeploymentUnit> units() {
        return units;
    }

    /// Returns judged units as a plan.
    DeploymentPlan describe(Judged judged) {
        DeploymentUnit unit = judged.unit;
        int replicas = judged.count * unit.replicas();
        long held = Math.max(1, unit.replica.kvTokens() / unit.request.tokens());
        int sequences = (int) Math.max(1, Math.min(held, judged.run.mostRunning()));
        ServingRequest request =
                unit.request.withConcurrency((int) Math.min(Integer.MAX_VALUE, (long) replicas * sequences));
        ServingPlan plan =
                PlanFigures.of(unit.model, software, request, intervals).plan(replicas, pool, offers);
        ServingSimulation simulation = SimulatedLoad.describe(plan, judged.deployment, judged.run, asked.targets());
        if (!judged.isWhole) {
            simulation = simulation.times(judged.count, figures(judged.run, judged.count));
        }
        return new DeploymentPlan(simulation, unit.options, missed(simulation.figures()));
    }

    /// Returns the objectives that figures do not keep with the confidence that is wanted.
    private List<Objective> missed(Figures figures) {
        List<Objective> missed = new ArrayList<>();
        for (int i = 0; i < slo.objectives().size(); i++) {
            Objective limit = limits.objectives().get(i);
            if (limit.value(figures) > limit.seconds()) {
                missed.add(slo.objectives().get(i));
            }
        }
        return missed;
    }

    /// Returns the seconds of an objective that figures keep with the confidence that is wanted.
    double kept(Objective objective, Figures figures) {
        int place = slo.objectives().indexOf(objective);
        return objective.value(figures)
                * objective.seconds()
                / limits.objectives().get(place).seconds();
    }
}
