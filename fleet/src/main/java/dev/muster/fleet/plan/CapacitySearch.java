package dev.muster.fleet.plan;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.fleet.plan.Capacity.ModelShare;
import dev.muster.fleet.plan.Capacity.Place;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Packs replicas of models onto hosts. Every set of prices for the devices of the kinds bounds what can fit (it is a
/// solution of the dual linear program); prices rise where the packing wants more than there is, which tightens the
/// bound and tells the packing where each model is best put. Confined to one thread.
final class CapacitySearch {
    /// A replica that takes more hosts than this is taken not to fit.
    private static final int MOST_HOSTS = 64;

    private static final int ROUNDS = 200;
    private static final double STEP = 0.5;

    private final List<HostClass> classes;
    private final Function<AcceleratorRegistry, Planner> planners;

    CapacitySearch(List<HostClass> classes, Function<AcceleratorRegistry, Planner> planners) {
        this.classes = classes;
        this.planners = planners;
    }

    Capacity find(List<ServingRequest> models, ServingChoices choices) {
        int[][] sizes = new int[models.size()][classes.size()];
        String[] problems = new String[models.size()];
        for (int model = 0; model < sizes.length; model++) {
            problems[model] = measure(models.get(model), choices, sizes[model]);
        }
        long[] supply = classes.stream()
                .mapToLong(one -> (long) one.devices() * one.offers().size())
                .toArray();
        boolean all = Arrays.stream(sizes).allMatch(row -> Arrays.stream(row).anyMatch(size -> size > 0));
        Packing best = new Packing(0, new long[models.size()][classes.size()]);
        long bound = 0;
        if (all && models.size() > 0) {
            double[] prices = new double[classes.size()];
            Arrays.fill(prices, 1);
            bound = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && best.sets < bound; round++) {
                bound = Math.min(bound, bound(sizes, supply, prices));
                best = packMost(sizes, prices, best, bound);
                raise(sizes, supply, prices, STEP / (1 + round));
            }
        }
        return new Capacity(
                best.sets,
                bound,
                shares(models, sizes, problems, best),
                Arrays.stream(supply).sum());
    }

    /// Fills in how many devices of each class one replica takes; 0 where it does not fit. Returns why it fits nowhere.
    private String measure(ServingRequest model, ServingChoices choices, int[] sizes) {
        String problem = "no device is free";
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
        return Arrays.stream(sizes).allMatch(size -> size == 0) ? problem : "";
    }

    private PlanAnswer<ServingPlan> serve(HostClass one, ServingRequest model, ServingChoices choices, int hosts) {
        return planners.apply(one.registry())
                .withHosts(hosts)
                .serve(model.withGoal(ServingGoal.DEVICES), choices)
                .answer();
    }

    /// No placement has more sets: at these prices all devices together are worth so many.
    private static long bound(int[][] sizes, long[] supply, double[] prices) {
        double worth = 0;
        for (int i = 0; i < supply.length; i++) {
            worth += prices[i] * supply[i];
        }
        double set = 0;
        for (int[] model : sizes) {
            set += model[cheapest(model, prices)] * prices[cheapest(model, prices)];
        }
        // What rounding of floating-point numbers takes away must not make the bound too small.
        return (long) Math.floor(worth / set * (1 + 1e-12));
    }

    private static int cheapest(int[] model, double[] prices) {
        int best = -1;
        for (int i = 0; i < model.length; i++) {
            if (model[i] > 0 && (best < 0 || model[i] * prices[i] < model[best] * prices[best])) {
                best = i;
            }
        }
        return best;
    }

    private static void raise(int[][] sizes, long[] supply, double[] prices, double step) {
        double[] wanted = new double[supply.length];
        for (int[] model : sizes) {
            wanted[cheapest(model, prices)] += model[cheapest(model, prices)];
        }
        double mean = 0;
        for (int i = 0; i < supply.length; i++) {
            mean += wanted[i] / supply[i] / supply.length;
        }
        for (int i = 0; i < supply.length; i++) {
            double excess = wanted[i] / supply[i] / mean - 1;
            prices[i] *= Math.exp(step * Math.max(-1, Math.min(1, excess)));
        }
    }

    /// The most sets that the packing finds at these prices, by halving.
    private Packing packMost(int[][] sizes, double[] prices, Packing known, long bound) {
        Packing best = known;
        long low = known.sets;
        long high = bound;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            Packing packing = pack(sizes, prices, middle);
            if (packing.sets == middle) {
                best = packing;
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return best;
    }

    /// Puts so many replicas of each model where it is cheapest, the largest first, into the fullest hosts that have
    /// room.
    private Packing pack(int[][] sizes, double[] prices, long sets) {
        // By class, and by how many devices are left, how many hosts have so many.
        long[][] hosts = new long[classes.size()][];
        for (int i = 0; i < hosts.length; i++) {
            hosts[i] = new long[classes.get(i).devices() + 1];
            hosts[i][classes.get(i).devices()] = classes.get(i).offers().size();
        }
        long[][] placed = new long[sizes.length][classes.size()];
        List<Integer> models = IntStream.range(0, sizes.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(model -> Arrays.stream(sizes[model])
                                .filter(size -> size > 0)
                                .count())
                        .thenComparingInt(model -> -sizes[model][cheapest(sizes[model], prices)]))
                .toList();
        for (int model : models) {
            int[] size = sizes[model];
            long missing = sets;
            List<Integer> order = IntStream.range(0, size.length)
                    .boxed()
                    .filter(i -> size[i] > 0)
                    .sorted(Comparator.comparingDouble(i -> size[i] * prices[i]))
                    .toList();
            for (int i : order) {
                long put = put(hosts[i], size[i], missing);
                placed[model][i] += put;
                missing -= put;
            }
            if (missing > 0) {
                return new Packing(-1, placed);
            }
        }
        return new Packing(sets, placed);
    }

    private static long put(long[] hosts, int size, long wanted) {
        int whole = hosts.length - 1;
        if (size > whole) {
            int needed = size / whole;
            long put = Math.min(wanted, hosts[whole] / needed);
            hosts[whole] -= put * needed;
            hosts[0] += put * needed;
            return put;
        }
        long put = 0;
        int left = size;
        while (left <= whole && put < wanted) {
            if (hosts[left] == 0) {
                left++;
            } else {
                long some = Math.min(wanted - put, hosts[left]);
                hosts[left] -= some;
                hosts[left - size] += some;
                put += some;
                // The fullest hosts with room may be those that have just been filled.
                left = size;
            }
        }
        return put;
    }

    private List<ModelShare> shares(List<ServingRequest> models, int[][] sizes, String[] problems, Packing best) {
        List<ModelShare> shares = new ArrayList<>();
        for (int model = 0; model < sizes.length; model++) {
            List<Place> places = new ArrayList<>();
            for (int i = 0; i < classes.size(); i++) {
                if (best.placed[model][i] > 0) {
                    int size = sizes[model][i];
                    int hosts = Math.ceilDiv(size, classes.get(i).devices());
                    places.add(new Place(classes.get(i).kind(), size, hosts, best.placed[model][i]));
                }
            }
            shares.add(new ModelShare(models.get(model), best.sets, places, problems[model]));
        }
        return shares;
    }

    /// Replicas in their places.
    private static final class Packing {
        /// How many sets were placed; -1 where not all found room.
        final long sets;
        /// Replicas by model and class.
        final long[][] placed;

        Packing(long sets, long[][] placed) {
            this.sets = sets;
            this.placed = placed;
        }
    }
}
