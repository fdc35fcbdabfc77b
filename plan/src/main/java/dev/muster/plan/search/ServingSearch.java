package dev.muster.plan.search;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.plan.accuracy.ErrorInterval;
import dev.muster.plan.accuracy.MeasuredClass;
import dev.muster.plan.memory.FormatNames;
import dev.muster.plan.memory.StoredWeights;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.StepLayout;
import dev.muster.plan.time.WeightParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Tries every way to lay a model on devices of one kind, and keeps the best. Exact under the cost model: no rule of
/// thumb leaves anything out. Immutable and safe to share between threads.
///
/// @since 0.1
public final class ServingSearch {
    /// Pools larger than this are for fleets, not for one machine.
    private static final int MAX_DEVICES = 1024;

    private final Coefficients coefficients;

    private ServingSearch(Coefficients coefficients) {
        this.coefficients = coefficients;
    }

    /// A search that predicts with these coefficients.
    public static ServingSearch of(Coefficients coefficients) {
        return new ServingSearch(coefficients);
    }

    /// The best plan; unknown where the architecture or the format is not known well enough.
    public Reading<ServingAnswer> find(ServingRequest request, DevicePool pool, ServingSoftware software) {
        Reading<List<ServingPlan>> tried = listAll(request, pool, software);
        if (tried instanceof Reading.Unknown<List<ServingPlan>>(UnknownReason reason, String detail)) {
            return Reading.unknown(reason, detail);
        }
        List<ServingPlan> plans = new ArrayList<>(tried.find().orElseThrow());
        plans.sort(order(request.goal()));
        ServingPlan first = plans.getFirst();
        ServingAnswer answer = first.memory().fits()
                ? new ServingAnswer.Feasible(first, plans)
                : new ServingAnswer.Infeasible(plans, new NearestFit(this, request, pool, software).sentences());
        return tried.map(_ -> answer);
    }

    /// Whether any layout fits.
    boolean fits(ServingRequest request, DevicePool pool, ServingSoftware software) {
        return listAll(request, pool, software)
                .find()
                .map(plans -> plans.stream().anyMatch(plan -> plan.memory().fits()))
                .orElse(false);
    }

    /// Every layout, in no order.
    Reading<List<ServingPlan>> listAll(ServingRequest request, DevicePool pool, ServingSoftware software) {
        Optional<ModelShape> shape = ModelShape.of(request.architecture());
        Reading<StoredWeights> stored = FormatNames.weights(request.format(), request.architecture());
        if (shape.isEmpty()) {
            return Reading.unknown(UnknownReason.NOT_STATED, "the architecture of the model is not known");
        }
        return stored.map(weights -> {
            WeightParts parts = WeightParts.of(weights);
            List<ServingPlan> plans = new ArrayList<>();
            for (StepLayout layout : layouts(shape.get(), pool, software)) {
                Candidate candidate = new Candidate(request, shape.get(), parts, pool.device(), layout, coefficients);
                LayoutModel model = software == ServingSoftware.LLAMA_CPP
                        ? LlamaCppLayout.of(candidate)
                        : ServingLayout.of(software, candidate);
                plans.add(plan(model, request, pool, software));
            }
            return plans;
        });
    }

    /// Layouts of one copy: matrices are shared by divisors of the heads, layers by up to as many devices as there are
    /// layers, experts by the devices that share the rest, or by devices that attend to sequences of their own.
    private static List<StepLayout> layouts(ModelShape shape, DevicePool pool, ServingSoftware software) {
        int most = Math.min(pool.count(), MAX_DEVICES);
        List<StepLayout> layouts = new ArrayList<>();
        for (int stages = 1; stages <= Math.min(most, (int) shape.layers()); stages++) {
            for (int tensor = 1; tensor * stages <= most; tensor++) {
                boolean divides = shape.heads() % tensor == 0;
                if (!divides || (software == ServingSoftware.LLAMA_CPP && tensor > 1)) {
                    continue;
                }
                layouts.add(new StepLayout(tensor, stages, 1, 1));
                if (shape.experts() > 0 && tensor > 1 && shape.experts() % tensor == 0) {
                    layouts.add(new StepLayout(tensor, stages, tensor, 1));
                    layouts.add(new StepLayout(1, stages, tensor, tensor));
                }
            }
        }
        return layouts;
    }

    private ServingPlan plan(LayoutModel model, ServingRequest request, DevicePool pool, ServingSoftware software) {
        int each = model.layout().devices();
        int copies = request.goal() == ServingGoal.DEVICES ? 1 : Math.min(pool.count() / each, request.concurrency());
        int sequences = Math.ceilDiv(request.concurrency(), copies);
        double perSequence = model.promptWork() + request.output() * model.tokenWork(sequences);
        double busy = (double) copies * request.output() / perSequence;
        double running = request.concurrency()
                * request.output()
                / (model.firstToken() + request.output() * model.step(sequences).seconds());
        return new ServingPlan(
                pool,
                software,
                model.layout(),
                copies,
                model.memory(sequences),
                Estimate.of(model.firstToken(), firstTokenInterval(model)),
                Estimate.of(
                        model.step(sequences).seconds(),
                        speedInterval(model, sequences).inverse()),
                Estimate.of(Math.min(busy, running), speedInterval(model, sequences)),
                model.step(sequences),
                model.isMeasured());
    }

    private ErrorInterval speedInterval(LayoutModel model, int sequences) {
        return widened(ErrorInterval.of(model.speedClass(sequences), coefficients), model);
    }

    private ErrorInterval firstTokenInterval(LayoutModel model) {
        ErrorInterval interval = ErrorInterval.of(model.promptClass(), coefficients);
        boolean isRate = model.promptClass() == MeasuredClass.PREFILL;
        return widened(isRate ? interval.inverse() : interval, model);
    }

    /// Nobody measured how much wider it should be for an engine on devices that it was never measured on: twice, in
    /// logarithms, is a guess.
    private static ErrorInterval widened(ErrorInterval interval, LayoutModel model) {
        return model.isMeasured() ? interval : interval.doubled();
    }

    /// What fits stands before what does not; then the goal; then fewer devices, fewer stages, fewer sharers.
    public static Comparator<ServingPlan> order(ServingGoal goal) {
        Comparator<ServingPlan> byGoal = switch (goal) {
            case THROUGHPUT ->
                Comparator.comparingDouble(plan -> -plan.tokensPerSecond().p50());
            case LATENCY -> Comparator.comparingDouble(plan -> plan.perToken().p50());
            case DEVICES -> Comparator.comparingInt(ServingPlan::devices);
        };
        return Comparator.comparing((ServingPlan plan) -> !plan.memory().fits())
                .thenComparingDouble(plan -> plan.memory().fits()
                        ? 0
                        : plan.memory().total() / plan.memory().capacity())
                .thenComparing(byGoal)
                .thenComparingDouble(plan -> plan.perToken().p50())
                .thenComparingInt(ServingPlan::devices)
                .thenComparingInt(plan -> plan.layout().stages())
                .thenComparingInt(plan -> plan.layout().tensor());
    }
}
