// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.model.ModelKind;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.Interruption;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Tries every way to lay a model on devices of one kind, on one machine or several, and keeps the best. Exact under
/// the cost model: no rule of thumb leaves anything out. Immutable and safe to share between threads.
public record ServingSearch(Coefficients coefficients, RentalOffers rentals) {
    /// A replica over more devices than this serves no faster.
    private static final int MAX_DEVICES = 1024;

    /// Returns a search that predicts with these coefficients and knows no prices.
    public static ServingSearch of(Coefficients coefficients) {
        return of(coefficients, RentalOffers.NONE);
    }

    /// Returns a search that predicts with these coefficients and counts with these prices.
    public static ServingSearch of(Coefficients coefficients, RentalOffers rentals) {
        return new ServingSearch(coefficients, rentals);
    }

    /// Returns the best plan; unknown if the architecture, the format, or a fact for the goal is unknown.
    public Attempt<PlanAnswer<ServingPlan>> find(ServingRequest request, DevicePool pool, ServingEngine software) {
        return find(request, pool, software, false);
    }

    /// Returns the best plan, and a number of others; unknown if the architecture, the format, or a fact for the goal
    /// is unknown.
    public Attempt<PlanAnswer<ServingPlan>> find(
            ServingRequest request, DevicePool pool, ServingEngine software, boolean everyReplicaCount) {
        return find(request, model(request, pool, software), everyReplicaCount);
    }

    /// Returns the plans if the model is known already.
    Attempt<PlanAnswer<ServingPlan>> find(ServingRequest request, Model model, boolean everyReplicaCount) {
        if (model.known instanceof Attempt.Failed<Known>(Shortfall reason)) {
            return new Attempt.Failed<>(reason);
        }
        List<ServingPlan> plans = new ArrayList<>(
                listAll(request, model, everyReplicaCount).find().orElseThrow());
        for (Reading<?> fact : needed(request, plans.getFirst())) {
            if (!fact.isKnown()) {
                return Attempt.failed(Cause.UNKNOWN_FACT, fact);
            }
        }
        plans.sort(ServingPlan.order(request.goal()));
        ServingPlan first = plans.getFirst();
        PlanAnswer<ServingPlan> answer = first.isAccepted()
                ? new PlanAnswer.Feasible<>(plans, plans.size(), List.of())
                : new PlanAnswer.Infeasible<>(
                        plans, new NearestFit(this, request, model.pool, model.software, plans).remedies(), List.of());
        return Attempt.of(answer);
    }

    /// Returns the facts that goal and limits require, from any plan on these devices.
    private static List<Reading<?>> needed(ServingRequest request, ServingPlan any) {
        List<Reading<?>> needed = new ArrayList<>();
        if (request.goal() == ServingGoal.COST || request.hasBudget()) {
            needed.add(any.rental());
        }
        if (request.goal() == ServingGoal.ENERGY) {
            needed.add(any.joulesPerToken());
        }
        return needed;
    }

    /// Reports whether any layout fits and keeps the limits.
    boolean fits(ServingRequest request, DevicePool pool, ServingEngine software) {
        return fits(request, model(request, pool, software));
    }

    /// Reports whether any layout fits within the limits. Without limits memory alone is asked for.
    ///
    /// @param model that of the request
    boolean fits(ServingRequest request, Model model) {
        if (request.isLimited()) {
            return listAll(request, model, false)
                    .find()
                    .map(plans -> plans.stream().anyMatch(ServingPlan::isAccepted))
                    .orElse(false);
        }
        return listReplicas(request, model)
                .find()
                .map(replicas -> fits(replicas, request.concurrency(), request.tokens()))
                .orElse(false);
    }

    /// Reports whether as many sequences fit on any of some layouts.
    ///
    /// @param tokens tokens of a sequence
    static boolean fits(List<Replica> layouts, int concurrency, int tokens) {
        for (Replica one : layouts) {
            int room = Math.min(one.room, concurrency);
            if (one.model.memory(Math.ceilDiv(concurrency, room), tokens).fits()) {
                return true;
            }
        }
        return false;
    }

    ServingSearch withoutRentals() {
        return new ServingSearch(coefficients, RentalOffers.NONE);
    }

    /// The facts that follow from the model of a request, its format, the devices and the engine, independent of the
    /// load.
    ///
    /// @param known facts for layouts; unknown if the engine does not run the model
    record Model(
            DevicePool pool,
            ServingEngine software,
            EngineRules rules,
            Reading<StoredWeights> stored,
            Attempt<Known> known) {}

    /// @param modelling the engine's model of a layout
    record Known(ModelShape shape, WeightParts parts, Function<Candidate, LayoutModel> modelling) {}

    Model model(ServingRequest request, DevicePool pool, ServingEngine software) {
        Reading<StoredWeights> stored = StoredWeights.of(request.architecture(), request.format());
        EngineRules rules = EngineRules.of(software, request.architecture(), request.format(), pool.device());
        return new Model(pool, software, rules, stored, known(request, stored, pool, software, rules));
    }

    /// Returns the reason why a model of another kind is not planned for; empty for text generation.
    public static Optional<Shortfall> refuseKind(ServingRequest request) {
        ModelKind kind = request.architecture().kind();
        return kind == ModelKind.TEXT_GENERATION
                ? Optional.empty()
                : Optional.of(Shortfall.of(Cause.OTHER_KIND, request.model().name(), kind, true));
    }

    private Attempt<Known> known(
            ServingRequest request,
            Reading<StoredWeights> stored,
            DevicePool pool,
            ServingEngine software,
            EngineRules rules) {
        Optional<Shortfall> otherKind = refuseKind(request);
        if (otherKind.isPresent()) {
            return new Attempt.Failed<>(otherKind.get());
        }
        Optional<ModelShape> shape = ModelShape.of(request.architecture());
        if (shape.isEmpty()) {
            return Attempt.failed(
                    Cause.UNKNOWN_ARCHITECTURE, request.architecture().doubt());
        }
        if (!pool.device().isComplete()) {
            return Attempt.failed(Cause.UNKNOWN_FIGURES, pool.name());
        }
        if (!software.runsOn(pool.device().family())) {
            return Attempt.failed(Cause.NOT_ON_DEVICE, software.display(), pool.name());
        }
        if (stored.isKnown() && !software.reads(request.format())) {
            return Attempt.failed(Cause.FORMAT_NOT_READ, software.display(), request.format());
        }
        if (request.kvBits() == Byte.SIZE && software == ServingEngine.LLAMA_CPP) {
            return Attempt.failed(Cause.CACHE_FORMAT, software.display());
        }
        Optional<EngineRules.Broken> refusal = rules.findRefusal(request);
        if (refusal.isPresent()) {
            return new Attempt.Failed<>(refusal.get().shortfall());
        }
        return Attempt.of(stored.map(weights ->
                new Known(shape.get(), WeightParts.of(weights), modelling(request, pool, software, coefficients))));
    }

    /// Returns every layout, in no order.
    Attempt<List<ServingPlan>> listAll(
            ServingRequest request, DevicePool pool, ServingEngine software, boolean everyReplicaCount) {
        return listAll(request, model(request, pool, software), everyReplicaCount);
    }

    private Attempt<List<ServingPlan>> listAll(ServingRequest request, Model model, boolean everyReplicaCount) {
        return model.known.map(_ -> plans(request, model, replicas(request, model, true), everyReplicaCount));
    }

    /// Returns layouts that fit and are better for the goal than a plan, and that its engine refuses; the best first.
    List<ServingPlan> listRefused(ServingPlan plan) {
        ServingRequest request = plan.request();
        Model model = model(request, plan.pool(), plan.software());
        List<Replica> refused = replicas(request, model, false);
        Comparator<ServingPlan> order = ServingPlan.order(request.goal());
        return plans(request, model, refused, false).stream()
                .filter(other -> other.isAccepted() && order.compare(other, plan) < 0)
                .sorted(order)
                .toList();
    }

    private List<ServingPlan> plans(
            ServingRequest request, Model model, List<Replica> layouts, boolean everyReplicaCount) {
        RentalOffers.OfDevice offers = rentals.ofDevice(model.pool);
        PredictionIntervals intervals = new PredictionIntervals(coefficients, model.pool);
        List<ServingPlan> plans = new ArrayList<>();
        for (Replica one : layouts) {
            PlanFigures figures = PlanFigures.of(one.model, model.software, request, intervals);
            boolean fewest = request.goal() == ServingGoal.DEVICES;
            boolean every = everyReplicaCount || fewerMayBeBetter(request);
            int most = every || !fewest ? one.room : 1;
            for (int replicas = every || fewest ? 1 : one.room; replicas <= most; replicas++) {
                Interruption.check();
                plans.add(figures.plan(replicas, model.pool, offers));
            }
        }
        return plans;
    }

    /// Returns every layout that its engine starts, with as many replicas as fit, independent of the load.
    public Attempt<List<Replica>> listReplicas(ServingRequest request, DevicePool pool, ServingEngine software) {
        return listReplicas(request, model(request, pool, software));
    }

    public Attempt<List<Replica>> listReplicas(ServingRequest request, Model model) {
        ServingRequest any = request.withConcurrency(Integer.MAX_VALUE);
        return model.known.map(_ -> replicas(any, model, true));
    }

    /// One replica in a layout, and the number of them that fit.
    public record Replica(LayoutModel model, int room) {}

    /// Returns every layout that fits, of a known model.
    ///
    /// @param starts true if the engine starts it, or refuses it by one of its rules
    private List<Replica> replicas(ServingRequest request, Model model, boolean starts) {
        DevicePool pool = model.pool;
        Known known = model.known.find().orElseThrow();
        List<Replica> replicas = new ArrayList<>();
        for (Parallelism layout : layouts(known.shape, pool, model.software)) {
            Interruption.check();
            int room = Math.min(pool.room(layout), request.concurrency());
            if (room > 0 && model.rules.findBroken(known.shape, layout).isEmpty() == starts) {
                replicas.add(new Replica(
                        known.modelling.apply(new Candidate(
                                request, known.shape, known.parts, pool.deviceIn(layout), layout, coefficients)),
                        room));
            }
        }
        return replicas;
    }

    public static Function<Candidate, LayoutModel> modelling(
            ServingRequest request, DevicePool pool, ServingEngine software, Coefficients coefficients) {
        if (software == ServingEngine.LLAMA_CPP) {
            return LlamaCppLayout::of;
        }
        Servable engine = Servable.of(software, request, pool.device(), coefficients);
        return candidate -> ServingLayout.of(engine, candidate);
    }

    /// Reports whether fewer replicas may be better: one more makes everything faster, but needs devices, which cost
    /// money and energy.
    private static boolean fewerMayBeBetter(ServingRequest request) {
        return switch (request.goal()) {
            case COST, ENERGY -> true;
            case THROUGHPUT, LATENCY, DEVICES, MEMORY -> request.isLimited();
        };
    }

    /// Returns the layouts of one replica: TP divides the heads, PP the layers; experts lie on the TP group, or on
    /// devices with data parallel attention.
    private static List<Parallelism> layouts(ModelShape shape, DevicePool pool, ServingEngine software) {
        int most = pool.isSliced() ? 1 : Math.min(pool.count(), MAX_DEVICES);
        List<Parallelism> layouts = new ArrayList<>();
        for (int stages = 1; stages <= Math.min(most, (int) shape.layers()); stages++) {
            for (int tensor = 1; tensor * stages <= most; tensor++) {
                boolean divides = shape.heads() % tensor == 0;
                if (!divides || (tensor > 1 && !canShare(pool, tensor, software))) {
                    continue;
                }
                layouts.add(new Parallelism(tensor, stages, 1, 1));
                if (shape.experts() > 0 && tensor > 1 && shape.experts() % tensor == 0) {
                    layouts.add(new Parallelism(tensor, stages, tensor, 1));
                    layouts.add(new Parallelism(1, stages, tensor, tensor));
                }
            }
        }
        return layouts;
    }

    /// Reports whether TP and EP are possible: the engine has them, and the link between the devices is known.
    private static boolean canShare(DevicePool pool, int devices, ServingEngine software) {
        return software != ServingEngine.LLAMA_CPP
                && pool.deviceIn(new Parallelism(devices, 1, 1, 1)).link() > 0;
    }
}
