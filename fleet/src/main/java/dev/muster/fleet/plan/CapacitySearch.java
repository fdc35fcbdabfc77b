// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.fleet.plan.Capacity.ModelShare;
import dev.muster.fleet.plan.Capacity.ReplicaGroup;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Packs replicas of models onto hosts. Every set of prices for replicas bounds how many sets can fit: no host holds
/// more
/// than its most valuable pattern is worth, which is the dual of the linear program over patterns. Prices rise for
/// models
/// of which the patterns hold too few; that tightens the bound, and the patterns on the way are those that a placement
/// is
/// made of. Confined to one thread.
record CapacitySearch(List<HostClass> classes, Function<AcceleratorRegistry, Planner> planners) {
    /// A replica that takes more hosts than this is taken not to fit.
    private static final int MOST_HOSTS = 64;

    private static final int ROUNDS = 400;
    /// Until so many rounds have passed prices are far off, and so are the patterns.
    private static final int SETTLING = 200;

    private static final double STEP = 0.5;
    /// Keeps rounding of floating-point numbers from making the bound too small.
    private static final double ROUNDING = 1 + 1e-9;

    Capacity find(List<ServingRequest> models, ServingChoices choices) {
        int[][] sizes = new int[models.size()][classes.size()];
        List<Optional<Shortfall>> problems = new ArrayList<>();
        for (int model = 0; model < sizes.length; model++) {
            problems.add(measure(models.get(model), choices, sizes[model]));
        }
        long free = classes.stream()
                .mapToLong(one -> (long) one.devices() * one.offers().size())
                .sum();
        boolean all = Arrays.stream(sizes).allMatch(row -> Arrays.stream(row).anyMatch(size -> size > 0));
        Placement best = new Placement(models.size(), classes.size());
        double bound = 0;
        if (all && !models.isEmpty()) {
            bound = Double.POSITIVE_INFINITY;
            double[] prices = new double[models.size()];
            Arrays.fill(prices, 1.0 / prices.length);
            Usage usage = new Usage(sizes, classes);
            for (int round = 1; round <= ROUNDS; round++) {
                bound = Math.min(bound, usage.add(prices) * ROUNDING);
                usage.reprice(prices, STEP / Math.sqrt(round));
                if (round == SETTLING) {
                    usage.forget();
                }
            }
            best = usage.place();
        }
        return new Capacity(best.sets(), (long) Math.floor(bound), shares(models, sizes, problems, best), free);
    }

    /// Fills in how many devices of each class one replica takes; 0 where it does not fit. Returns why it fits nowhere.
    private Optional<Shortfall> measure(ServingRequest model, ServingChoices choices, int[] sizes) {
        Shortfall problem = Shortfall.of(Shortfall.Cause.NO_FREE_DEVICE);
        for (int i = 0; i < sizes.length; i++) {
            HostClass one = classes.get(i);
            int most = Math.min(MOST_HOSTS, one.offers().size());
            PlanAnswer<ServingPlan> answer = serve(one, model, choices, 1);
            int hosts = 1;
            while (answer instanceof PlanAnswer.Infeasible<ServingPlan> && hosts < most) {
                hosts++;
                answer = serve(one, model, choices, hosts);
            }
            switch (answer) {
                case PlanAnswer.Feasible<ServingPlan> found ->
                    sizes[i] = hosts == 1 ? found.best().layout().devices() : hosts * one.devices();
                case PlanAnswer.Infeasible<ServingPlan> none ->
                    problem = none.closest().shortfall();
                case PlanAnswer.Unanswered<ServingPlan> unknown -> problem = unknown.reason();
            }
        }
        return Arrays.stream(sizes).allMatch(size -> size == 0) ? Optional.of(problem) : Optional.empty();
    }

    private PlanAnswer<ServingPlan> serve(HostClass one, ServingRequest model, ServingChoices choices, int hosts) {
        return planners.apply(one.registry())
                .withHosts(hosts)
                .serve(model.withGoal(ServingGoal.DEVICES), choices)
                .answer();
    }

    private List<ModelShare> shares(
            List<ServingRequest> models, int[][] sizes, List<Optional<Shortfall>> problems, Placement best) {
        List<ModelShare> shares = new ArrayList<>();
        for (int model = 0; model < sizes.length; model++) {
            Map<ReplicaGroup, Long> places = new LinkedHashMap<>();
            for (int i = 0; i < classes.size(); i++) {
                int size = sizes[model][i];
                int hosts = Math.max(1, Math.ceilDiv(size, classes.get(i).devices()));
                places.merge(
                        new ReplicaGroup(classes.get(i).kind(), size, hosts, 0), best.replicas[model][i], Long::sum);
            }
            List<ReplicaGroup> found = new ArrayList<>();
            places.forEach((place, replicas) -> {
                if (replicas > 0) {
                    found.add(new ReplicaGroup(place.kind(), place.devices(), place.hosts(), replicas));
                }
            });
            shares.add(new ModelShare(models.get(model), best.replicas(model), found, problems.get(model)));
        }
        return shares;
    }
}
