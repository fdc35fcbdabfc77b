// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.training;

import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.model.ModelKind;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.MeasuredClass;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.PowerDraw;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.EagerShape;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.TrainingModel;
import dev.muster.plan.time.TrainingRates;
import dev.muster.plan.time.TrainingShape;
import dev.muster.plan.time.WeightParts;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Finds the best way to train a model. Exact under the cost model: what is left out is ruled out by a bound, never by
/// a rule of thumb. Immutable and safe to share between threads.
///
/// @param coefficients coefficients of predictions
/// @param offers prices of machines
/// @param multiple the multiple of a predicted peak that has to fit on a device
public record TrainingSearch(Coefficients coefficients, RentalOffers offers, double multiple) {
    public static TrainingSearch of(Coefficients coefficients) {
        return of(coefficients, RentalOffers.NONE);
    }

    /// Returns a search that also uses prices of machines.
    public static TrainingSearch of(Coefficients coefficients, RentalOffers offers) {
        return new TrainingSearch(coefficients, offers, 1);
    }

    /// Returns a copy whose plans exceed the memory of a device with no more than a probability.
    public TrainingSearch withRisk(double risk) {
        return new TrainingSearch(
                coefficients,
                offers,
                Math.max(1, coefficients.interval(MeasuredClass.TRAINING_MEMORY).multiple(1 - risk)));
    }

    /// Returns the best plan; unknown if the model is not known well enough for the framework.
    public Attempt<PlanAnswer<TrainingPlan>> find(
            TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
        return problem(request, cluster, software).map(problem -> {
            TrainingWalk walk = problem.walk();
            walk.run();
            List<TrainingCandidate> found = walk.found();
            if (found.isEmpty() && request.limits().isAny()) {
                PlanAnswer<TrainingPlan> unlimited = find(
                                request.withLimits(request.limits().unlimited()), cluster, software)
                        .find()
                        .orElseThrow();
                return unlimited.isFeasible()
                        ? new PlanAnswer.Infeasible<>(
                                unlimited.considered(),
                                new NearestLimits(this, request, cluster, software).remedies(),
                                List.of())
                        : unlimited;
            }
            if (found.isEmpty()) {
                TrainingPlan smallest = problem.plan(problem.smallest());
                return new PlanAnswer.Infeasible<>(
                        List.of(smallest), new NearestTraining(this, request, cluster, software).remedies(), List.of());
            }
            List<TrainingPlan> plans =
                    found.stream().map(one -> problem.plan(one.run())).toList();
            return new PlanAnswer.Feasible<>(plans, walk.tried(), List.of());
        });
    }

    /// Returns the best plan within the limits, without alternatives; empty if there is none.
    Optional<TrainingPlan> best(TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
        return problem(request, cluster, software).find().flatMap(problem -> {
            TrainingWalk walk = problem.walk();
            walk.run();
            return walk.found().stream().findFirst().map(one -> problem.plan(one.run()));
        });
    }

    boolean fits(TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
        return least(request, cluster, software).map(TrainingMemoryUse::fits).orElse(false);
    }

    /// Returns the memory of the smallest run; empty if nothing can be planned.
    Optional<TrainingMemoryUse> least(TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
        return problem(request, cluster, software)
                .find()
                .map(problem -> problem.cost().memory(problem.smallest()));
    }

    Attempt<Problem> problem(TrainingRequest request, TrainingCluster cluster, TrainingFramework software) {
        ModelKind kind = request.architecture().kind();
        if (kind.isTrainedOtherwise()) {
            return Attempt.failed(Cause.OTHER_KIND, request.model().name(), kind, false);
        }
        Optional<ModelShape> shape = ModelShape.of(request.architecture());
        Optional<TrainingShape> training = TrainingShape.of(request.architecture());
        if (shape.isEmpty()) {
            return Attempt.failed(
                    Cause.UNKNOWN_ARCHITECTURE, request.architecture().doubt());
        }
        Reading<StoredWeights> stored = StoredWeights.of(request.architecture(), StandardFormat.BF16);
        if (!stored.isKnown()) {
            return Attempt.failed(Cause.UNKNOWN_FACT, stored);
        }
        String devices = cluster.pool().name();
        if (!cluster.pool().device().isComplete()) {
            return Attempt.failed(Cause.UNKNOWN_FIGURES, devices);
        }
        if (!software.runsOn(cluster.pool().device().family())) {
            return Attempt.failed(Cause.NOT_ON_DEVICE, software.display(), devices);
        }
        if (cluster.pool().device().leastFloatBits() > request.precision().unitBits()) {
            return Attempt.failed(Cause.NO_UNITS, devices, request.precision());
        }
        if (request.goal() == TrainingGoal.ENERGY
                && cluster.pool().device().power().isEmpty()) {
            return Attempt.failed(Cause.UNKNOWN_POWER, devices);
        }
        if (request.limits().hasBudget() && !cluster.kinds().isEmpty()) {
            return Attempt.failed(Cause.NO_MIXED_OFFER);
        }
        Reading<Rental> price = offers.cheapest(cluster.pool(), 1);
        if (request.limits().hasBudget() && !price.isKnown()) {
            return Attempt.failed(Cause.UNKNOWN_FACT, price);
        }
        TrainingLoad load = TrainingLoad.of(request.method(), shape.get(), request.rank());
        if (!software.canOffload(request.method(), request.offload())) {
            return Attempt.failed(Cause.NO_OFFLOAD, software.display());
        }
        Optional<EagerShape> eager = EagerShape.of(request.architecture());
        if (software == TrainingFramework.PYTORCH && eager.isEmpty()) {
            return Attempt.failed(Cause.PYTORCH_DENSE_ONLY);
        }
        if (software == TrainingFramework.PYTORCH && request.precision() != TrainingPrecision.BF16) {
            return Attempt.failed(Cause.PYTORCH_BF16_ONLY);
        }
        DeviceFigures device = cluster.pool().device();
        return Attempt.of(stored).map(weights -> {
            TrainingCost cost = software == TrainingFramework.PYTORCH
                    ? new EagerCost(eager.orElseThrow(), cluster, load, coefficients)
                    : staged(
                            request,
                            cluster,
                            software,
                            training.orElseThrow(),
                            load,
                            new StagedMemory(
                                    shape.get(), WeightParts.of(weights), load, device.free(), request.precision()));
            return new Problem(
                    request,
                    cluster,
                    software,
                    shape.get(),
                    training.orElseThrow(),
                    load,
                    multiple > 1 ? new CautiousCost(cost, multiple) : cost,
                    coefficients,
                    offers);
        });
    }

    private StagedCost staged(
            TrainingRequest request,
            TrainingCluster cluster,
            TrainingFramework software,
            TrainingShape shape,
            TrainingLoad load,
            StagedMemory memory) {
        DeviceFigures device = cluster.pool().device();
        String framework = software.measuredAs();
        TrainingRates rates = TrainingRates.of(framework, "", request.precision(), device, coefficients);
        return new StagedCost(
                TrainingModel.of(shape, device, cluster.fabric(), rates),
                memory,
                load,
                new OffloadCost(cluster.store(), cluster.perHost(), load, shape.parameters()),
                coefficients.has(Coefficients.measuredTraining(framework, device.id(), request.precision())));
    }

    /// A request with everything that is known about it.
    ///
    /// @param request the request
    /// @param cluster the devices
    /// @param software the framework
    /// @param shape the model's dimensions
    /// @param training dimensions of a training step
    /// @param load load of the method
    /// @param cost cost of runs
    /// @param coefficients coefficients of predictions
    /// @param offers prices of machines
    record Problem(
            TrainingRequest request,
            TrainingCluster cluster,
            TrainingFramework software,
            ModelShape shape,
            TrainingShape training,
            TrainingLoad load,
            TrainingCost cost,
            Coefficients coefficients,
            RentalOffers offers) {
        private static final Provenance PREDICTED =
                Provenance.of("cost model", Provenance.Method.DERIVED, Provenance.Confidence.ASSUMED);

        TrainingSpace space() {
            return space(Optional.of(rules()));
        }

        EngineRules rules() {
            return EngineRules.of(
                    software, request.architecture(), cluster.pool().device());
        }

        /// @param rules rules of the framework; empty to ignore them
        private TrainingSpace space(Optional<EngineRules> rules) {
            return new TrainingSpace(shape, software, cluster, request.sequence(), request.batch(), offloads(), rules);
        }

        private List<Offload> offloads() {
            return Stream.concat(
                            Stream.of(Offload.NONE),
                            software.offloads(request.method()).stream()
                                    .filter(offload -> offload.compareTo(request.offload()) <= 0))
                    .toList();
        }

        boolean isAdapter() {
            return load.isAdapter();
        }

        TrainingWalk walk() {
            return walk(space());
        }

        Optional<EngineRules.Broken> findBroken(TrainingRun run) {
            Parallelism layout = new Parallelism((int) run.tp(), (int) run.pp(), (int) run.ep(), 1);
            return rules().findBroken(shape, layout, request.sequence(), (int) run.cp());
        }

        /// Returns the best run if the framework had no rules.
        Optional<TrainingCandidate> findUnruled() {
            TrainingWalk walk = walk(space(Optional.empty()));
            walk.run();
            return walk.found().stream().findFirst();
        }

        private TrainingWalk walk(TrainingSpace space) {
            return new TrainingWalk(space, cost, request.goal(), isAdapter(), request.limits(), this::usdPerHour);
        }

        private double usdPerHour(int devices) {
            return rental(devices).find().map(Rental::usdPerHour).orElse(Double.POSITIVE_INFINITY);
        }

        private Reading<Rental> rental(int devices) {
            if (!cluster.kinds().isEmpty()) {
                return Reading.unknown(UnknownReason.NOT_STATED, "no offer has such a mixture of devices");
            }
            return offers.cheapest(cluster.pool(), devices);
        }

        /// Returns the run that takes the least memory on its fullest device.
        TrainingRun smallest() {
            return new SmallestRun(space(), cost, isAdapter()).find();
        }

        TrainingPlan plan(TrainingRun run) {
            double seconds = cost.secondsPerToken(run, cost.work(run));
            double speed = run.devices() / seconds;
            double step = run.globalBatch() * run.sequence() / speed;
            // No measured run had states on its host, unlike devices, or such without certain figures.
            boolean isMeasured = cost.isMeasured()
                    && run.offload() == Offload.NONE
                    && cluster.kinds().isEmpty()
                    && !cluster.pool().isUncertain();
            ErrorInterval interval = speedInterval(isMeasured);
            TrainingMemoryUse part = cost.memory(run);
            // What fits into a part of the memory is compared with all of it from here on.
            TrainingMemoryUse memory = part.fits() && cost instanceof CautiousCost(TrainingCost whole, double _)
                    ? whole.memory(run)
                    : part;
            return new TrainingPlan(
                    request,
                    cluster,
                    software,
                    run,
                    (int) shape.layers(),
                    memory,
                    Estimate.of(memory.total(), coefficients.interval(MeasuredClass.TRAINING_MEMORY)),
                    Estimate.of(speed, interval),
                    Estimate.of(step, interval.inverse()),
                    useful(run)
                            * speed
                            / (run.devices() * cluster.pool().device().half()),
                    cost.time(run),
                    isMeasured,
                    joules(run, seconds, interval.inverse()),
                    rental((int) run.devices()));
        }

        private Reading<Estimate> joules(TrainingRun run, double seconds, ErrorInterval interval) {
            Optional<Double> watts = cluster.pool().device().power();
            if (watts.isEmpty()) {
                return Reading.unknown(UnknownReason.NOT_STATED, "the data sheet does not say how much power it draws");
            }
            double joules = PowerDraw.ofLimit(watts.get()).joules(seconds, cost.active(run));
            return Reading.known(Estimate.of(joules, interval), PREDICTED);
        }

        /// Rows of the measured class tell times of steps or rates of tokens.
        private ErrorInterval speedInterval(boolean isMeasured) {
            ErrorInterval interval = coefficients.interval(cost.speedClass());
            ErrorInterval rate = cost.speedClass() == MeasuredClass.TRAINING_SPEED ? interval : interval.inverse();
            return isMeasured ? rate : rate.doubled();
        }

        /// Operations that a token needs: two for each number it passes and each pass, and those of attention.
        private double useful(TrainingRun run) {
            double passes = load.passes() * (load.isAdapter() ? 2 : 3);
            double numbers = training.denseElements() + training.headElements() + training.activeExpertElements();
            return passes * (2 * numbers + training.attentionNumbers() * run.sequence());
        }
    }
}
