// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.fleet.Domain;
import dev.muster.fleet.Fleet;
import dev.muster.fleet.plan.FleetAnswer.Considered;
import dev.muster.fleet.plan.FleetAnswer.HostShare;
import dev.muster.fleet.plan.HostClass.Offer;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/// Plans how a model runs on the free devices of a fleet. Hosts that offer the same are planned for once, so that a
/// fleet of thousands takes hardly longer than one of a few. Immutable and safe to share between threads.
///
/// Unless a number of hosts is asked for, a plan takes the fewest of a kind that hold the model and keep the limits; of
/// the kinds, the one that is best for the goal.
///
/// @since 0.2
public final class FleetPlanner {
    /// More hosts than this are not tried for one plan.
    private static final int MOST_HOSTS = 4096;
    /// Up to so many hosts every number is tried, beyond it doubles.
    private static final int SCANNED = 16;
    private static final int SHOWN_REASONS = 5;

    private final HostClass.Sorted hosts;
    private final Function<AcceleratorRegistry, Planner> planners;

    private FleetPlanner(HostClass.Sorted hosts, Function<AcceleratorRegistry, Planner> planners) {
        this.hosts = hosts;
        this.planners = planners;
    }

    /// A planner for the hosts that may be used.
    public static FleetPlanner of(Fleet fleet, Admission admission) {
        return new FleetPlanner(HostClass.sort(fleet, admission), Planner::of);
    }

    /// The same with planners of hosts that know more, such as prices or another catalogue.
    public FleetPlanner withPlanners(Function<AcceleratorRegistry, Planner> others) {
        return new FleetPlanner(hosts, others);
    }

    /// The best way to serve a model.
    ///
    /// @param count the number of hosts to take; 0 for the fewest that do
    public FleetAnswer<ServingPlan> serve(ServingRequest request, ServingChoices choices, int count) {
        return serve(request.goal(), count, planner -> planner.serve(request, choices));
    }

    /// The best way to serve a model at full concurrency: as many sequences at once as the memory of the hosts holds.
    ///
    /// @param count the number of hosts to take; 0 for the fewest that do
    public FleetAnswer<ServingPlan> serveAsManyAsFit(ServingRequest request, ServingChoices choices, int count) {
        return serve(request.goal(), count, planner -> planner.serveAsManyAsFit(request, choices));
    }

    private FleetAnswer<ServingPlan> serve(ServingGoal goal, int count, Function<Planner, ServingOutcome> serve) {
        return find(
                count,
                (one, many) ->
                        onWholeHosts(serve.apply(planners.apply(one.registry()).withHosts(many))
                                .answer()),
                ServingPlan.order(goal),
                plan -> HostNeed.of(plan));
    }

    /// Launch targets start a replica within a host, or on whole hosts; of the plans that do, such come first.
    private static PlanAnswer<ServingPlan> onWholeHosts(PlanAnswer<ServingPlan> answer) {
        if (!(answer instanceof PlanAnswer.Feasible<ServingPlan> found)) {
            return answer;
        }
        List<ServingPlan> plans = new ArrayList<>(found.considered());
        plans.sort(Comparator.comparing(plan -> !HostNeed.isOnWholeHosts(plan)));
        return new PlanAnswer.Feasible<>(plans, found.tried(), found.notes());
    }

    /// The best way to train a model.
    ///
    /// @param count the number of hosts to take; 0 for the fewest that do
    public FleetAnswer<TrainingPlan> train(
            TrainingRequest request, Optional<TrainingFramework> framework, boolean onDrives, int count) {
        return find(
                count,
                (one, many) -> planners.apply(one.registry()).withHosts(many).train(request, framework, onDrives),
                Comparator.comparingDouble(plan -> -plan.tokensPerSecond().p50()),
                plan -> HostNeed.of(plan));
    }

    /// The number of replicas of some models that fit beside each other, as many of each.
    public Capacity capacity(List<ServingRequest> models, ServingChoices choices) {
        return new CapacitySearch(hosts.classes(), planners).find(models, choices);
    }

    private <P> FleetAnswer<P> find(
            int count,
            BiFunction<HostClass, Integer, PlanAnswer<P>> plan,
            Comparator<P> order,
            Function<P, HostNeed> needs) {
        List<Attempt<P>> attempts = new ArrayList<>();
        byKind().forEach(kind -> attempts.addAll(attempts(kind, count, plan, order)));
        if (attempts.isEmpty()) {
            PlanAnswer<P> none = new PlanAnswer.Unanswered<>(unusable(), List.of(Advice.USABLE_HOSTS), List.of());
            return new FleetAnswer<>(none, List.of(), List.of(), List.of(), hosts.refused());
        }
        attempts.sort(Attempt.order(order));
        Attempt<P> best = attempts.getFirst();
        List<Considered<P>> considered =
                attempts.stream().map(Attempt::toConsidered).toList();
        if (!(best.answer instanceof PlanAnswer.Feasible<P> found)) {
            return new FleetAnswer<>(best.answer, List.of(), List.of(), considered, hosts.refused());
        }
        HostNeed need = needs.apply(found.best());
        List<Offer> chosen = new NearHosts(best.hosts.offers()).take(need.groups(), need.size());
        List<HostShare> shares = new ArrayList<>();
        for (Offer offer : chosen) {
            shares.add(new HostShare(
                    offer.host(),
                    offer.free().stream()
                            .limit(need.devices())
                            .map(AcceleratorProfile::id)
                            .toList()));
        }
        List<PlanNote> notes = new ArrayList<>(spread(chosen, need));
        best.hosts.assumption().ifPresent(notes::add);
        return new FleetAnswer<>(found.withNotes(notes), shares, NearHosts.shared(chosen), considered, hosts.refused());
    }

    /// The reasons why no host can be used, the most frequent first.
    private Shortfall unusable() {
        List<Object> reasons = hosts.refused().entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(SHOWN_REASONS)
                .flatMap(one -> Stream.<Object>of(one.getKey(), one.getValue()))
                .toList();
        return new Shortfall(reasons.isEmpty() ? Cause.NO_HOST : Cause.NO_USABLE_HOST, reasons);
    }

    /// A replica that spans hosts of several NVLink domains is slower than its plan says, which counts on one.
    private static List<PlanNote> spread(List<Offer> chosen, HostNeed need) {
        for (int group = 0; group < need.groups(); group++) {
            List<Offer> own = chosen.subList(group * need.size(), (group + 1) * need.size());
            long domains = own.stream()
                    .flatMap(offer -> offer.host().domains().stream())
                    .filter(domain -> domain.kind() == Domain.DomainKind.NVLINK)
                    .distinct()
                    .count();
            if (domains > 1) {
                return List.of(PlanNote.of(PlanNote.Topic.SPREAD_REPLICA, need.size(), domains));
            }
        }
        return List.of();
    }

    /// Hosts by the kind of their devices, those that offer most first.
    private Collection<List<HostClass>> byKind() {
        Map<String, List<HostClass>> byKind = new LinkedHashMap<>();
        for (HostClass one : hosts.classes()) {
            byKind.computeIfAbsent(one.kind(), _ -> new ArrayList<>()).add(one);
        }
        byKind.values()
                .forEach(kind ->
                        kind.sort(Comparator.comparingInt(HostClass::devices).reversed()));
        return byKind.values();
    }

    /// Hosts that offer fewer devices are looked at while they do as well: they are taken rather than those that offer
    /// more. Several hosts are tried where no single one of the kind does.
    private static <P> List<Attempt<P>> attempts(
            List<HostClass> kind, int count, BiFunction<HostClass, Integer, PlanAnswer<P>> plan, Comparator<P> order) {
        List<Attempt<P>> attempts = new ArrayList<>();
        Optional<P> best = Optional.empty();
        boolean worse = false;
        for (int i = 0; i < kind.size() && !worse; i++) {
            Attempt<P> attempt = onSo(kind.get(i), Math.max(1, count), plan);
            attempts.add(attempt);
            Optional<P> found = attempt.answer.isFeasible() ? attempt.answer.findFirst() : Optional.empty();
            worse = attempt.answer instanceof PlanAnswer.Infeasible<P>
                    || (best.isPresent() && found.isPresent() && order.compare(best.get(), found.get()) < 0);
            best = best.or(() -> found);
        }
        if (count > 0 || best.isPresent()) {
            return attempts;
        }
        // What holds for those that offer most holds for others only in greater numbers: the first that do are enough.
        List<Attempt<P>> several = new ArrayList<>();
        for (int i = 0; i < kind.size() && !isFound(several); i++) {
            several.add(onMore(i < attempts.size() ? attempts.get(i) : onSo(kind.get(i), 1, plan), plan));
        }
        return several;
    }

    private static <P> boolean isFound(List<Attempt<P>> attempts) {
        return attempts.stream().anyMatch(attempt -> attempt.answer.isFeasible());
    }

    private static <P> Attempt<P> onSo(HostClass one, int count, BiFunction<HostClass, Integer, PlanAnswer<P>> plan) {
        int most = Math.min(MOST_HOSTS, one.offers().size());
        return count <= most
                ? new Attempt<>(one, count, plan.apply(one, count))
                : new Attempt<>(
                        one,
                        0,
                        new PlanAnswer.Unanswered<>(
                                Shortfall.of(Cause.TOO_FEW_HOSTS, count, one.devices(), one.kind(), most),
                                List.of(Advice.FEWER_HOSTS),
                                List.of()));
    }

    private static <P> Attempt<P> onMore(Attempt<P> first, BiFunction<HostClass, Integer, PlanAnswer<P>> plan) {
        int most = Math.min(MOST_HOSTS, first.hosts.offers().size());
        Attempt<P> nearest = first;
        for (int many = 2; many <= most && nearest.answer instanceof PlanAnswer.Infeasible<P>; ) {
            nearest = onSo(first.hosts, many, plan);
            many += many < SCANNED ? 1 : many;
        }
        return nearest;
    }

    /// The answer for some hosts of a class.
    private record Attempt<P>(HostClass hosts, int count, PlanAnswer<P> answer) {
        /// Feasible answers come first; then better ones; then hosts that have less to spare.
        static <P> Comparator<Attempt<P>> order(Comparator<P> plans) {
            return Comparator.<Attempt<P>>comparingInt(attempt -> attempt.rank())
                    .thenComparing((a, b) -> a.answer.findFirst().isPresent()
                                    && b.answer.findFirst().isPresent()
                            ? plans.compare(
                                    a.answer.findFirst().get(),
                                    b.answer.findFirst().get())
                            : 0)
                    .thenComparingInt(Attempt::spare);
        }

        private int rank() {
            return switch (answer) {
                case PlanAnswer.Feasible<P> _ -> 0;
                case PlanAnswer.Infeasible<P> _ -> 1;
                case PlanAnswer.Unanswered<P> _ -> 2;
            };
        }

        /// Of those that have too few hosts, the kind with the most comes first.
        private int spare() {
            return answer instanceof PlanAnswer.Unanswered<P> ? -hosts.offers().size() : hosts.devices();
        }

        Considered<P> toConsidered() {
            return new Considered<>(
                    hosts.kind(), hosts.devices(), hosts.offers().size(), answer.isFeasible() ? count : 0, answer);
        }
    }
}
