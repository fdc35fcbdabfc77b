// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceChoice;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.unit.Bandwidth;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.PlannerInputs.Catalogues;
import dev.muster.plan.PlannerInputs.Machines;
import dev.muster.plan.PlannerInputs.Rates;
import dev.muster.plan.PlannerInputs.Runs;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.catalogue.OfferChoice;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.catalogue.PriceCatalogue;
import dev.muster.plan.cost.MemoryBasis;
import dev.muster.plan.cost.StepCommunication;
import dev.muster.plan.search.PlannedDevices;
import dev.muster.plan.search.RentalOffers;
import dev.muster.plan.search.ServingWork;
import dev.muster.plan.search.training.TrainingWork;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingFramework;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Plans how models run on the devices of a registry: which engine, which weight format, how many devices share it and
/// how, what memory that takes, how fast it will be and what it costs. Immutable and safe to share between threads;
/// each `with…` makes a new one. Work of a thread that is interrupted ends with
/// [java.util.concurrent.CancellationException].
///
/// ```java
/// ServingRequest request = ServingRequest.of(model).withConcurrency(64).withGoal(ServingGoal.THROUGHPUT);
/// String answer = switch (Planner.of(registry).serve(request).answer()) {
///     case PlanAnswer.Feasible<ServingPlan> found -> found.best().toString();
///     case PlanAnswer.Infeasible<ServingPlan> none -> "fits with " + none.remedies().getFirst();
///     case PlanAnswer.Unanswered<ServingPlan> unknown -> "unknown: " + unknown.reason().cause();
/// };
/// ```
///
/// @since 0.1
public final class Planner {
    /// More devices than any installation has in one place.
    public static final int MOST_DEVICES = 1 << 20;

    final Machines machines;
    final Catalogues catalogues;
    final Rates rates;
    final Runs runs;

    private Planner(Machines machines, Catalogues catalogues, Rates rates, Runs runs) {
        this.machines = machines;
        this.catalogues = catalogues;
        this.rates = rates;
        this.runs = runs;
    }

    /// Returns a planner for the healthy, idle devices of a registry, with detected facts and the catalogues that
    /// come with Muster.
    public static Planner of(AcceleratorRegistry registry) {
        return new Planner(Machines.of(registry), Catalogues.builtIn(), Rates.NONE, Runs.NONE);
    }

    /// Returns a planner of another machine, with the same catalogues, prices and corrections. Rates that were measured
    /// on the machine of this planner do not count there.
    public Planner elsewhere(AcceleratorRegistry machine) {
        Machines there = new Machines(machine, DeviceChoice.defaults(machine), machines.memory(), 1);
        return new Planner(there, catalogues, Rates.NONE, runs);
    }

    private Planner with(Machines other) {
        return new Planner(other, catalogues, rates, runs);
    }

    private Planner with(Catalogues other) {
        return new Planner(machines, other, rates, runs);
    }

    private Planner with(Rates other) {
        return new Planner(machines, catalogues, other, runs);
    }

    /// Returns a copy for some devices.
    ///
    /// @throws IllegalArgumentException if there are more of them, on all hosts, than can be planned for
    public Planner withDevices(DeviceChoice devices) {
        return with(new Machines(registry(), devices, machines.memory(), machines.hosts()));
    }

    /// Returns a copy that uses the given device catalogue.
    public Planner withCatalogue(DeviceCatalogue devices) {
        return with(new Catalogues(devices, catalogues.prices(), catalogues.today()));
    }

    /// Returns a copy with other prices.
    public Planner withPrices(PriceCatalogue offers) {
        return with(new Catalogues(catalogues.devices(), Optional.of(offers), catalogues.today()));
    }

    /// Returns a copy for a given day, so that plans state the age of their prices.
    public Planner withToday(LocalDate day) {
        return with(new Catalogues(catalogues.devices(), catalogues.prices(), Optional.of(day)));
    }

    /// Returns a copy with measured rates, which override those of data sheets.
    public Planner withMeasured(CalibrationDocument measured) {
        return with(
                new Rates(Optional.of(measured), rates.hostBandwidth(), rates.diskBandwidth(), rates.collectives()));
    }

    /// Returns a copy whose predictions are corrected by measured runs.
    public Planner withCorrections(PlanCorrections measuredRuns) {
        return new Planner(machines, catalogues, rates, new Runs(measuredRuns, runs.meshes()));
    }

    /// Returns a copy that counts on the free memory of devices, which is the default, or on all of it.
    public Planner withMemory(MemoryBasis basis) {
        return with(new Machines(registry(), machines.choice(), basis, machines.hosts()));
    }

    /// Returns a copy for several hosts like the one of the registry, joined by its network.
    ///
    /// @throws IllegalArgumentException if there is none, or more devices than can be planned for
    public Planner withHosts(int count) {
        return with(new Machines(registry(), machines.choice(), machines.memory(), count));
    }

    /// Returns a copy with a given rate of the host's memory.
    public Planner withHostBandwidth(Bandwidth rate) {
        return with(new Rates(rates.rates(), Optional.of(rate), rates.diskBandwidth(), rates.collectives()));
    }

    /// Returns a copy with a given rate of the host's drives.
    public Planner withDiskBandwidth(Bandwidth rate) {
        return with(new Rates(rates.rates(), rates.hostBandwidth(), Optional.of(rate), rates.collectives()));
    }

    /// Returns a copy with the measured times of collectives between ranks, for any devices. Without them, times
    /// measured between devices of the kind are used, if [#withMeasured(CalibrationDocument)] has them.
    public Planner withCollectives(MeshCalibration mesh) {
        return with(new Rates(rates.rates(), rates.hostBandwidth(), rates.diskBandwidth(), Optional.of(mesh)));
    }

    /// Returns a copy with collectives that were measured between ranks, for questions that name a backend.
    public Planner withMeasuredMeshes(List<MeshCalibration> measuredMeshes) {
        return new Planner(machines, catalogues, rates, new Runs(runs.corrections(), measuredMeshes));
    }

    /// Returns a copy in which communication takes as long as it was measured over a backend, such as `shm`; empty
    /// where nothing was measured over it.
    public Optional<Planner> withMeasuredCollectives(String backend) {
        return runs.meshes().stream()
                .filter(mesh -> mesh.backend().equals(backend))
                .findFirst()
                .map(this::withCollectives);
    }

    /// Returns the prices.
    public PriceCatalogue prices() {
        return catalogues.prices().orElseGet(PriceCatalogue::builtIn);
    }

    /// Returns the device catalogue.
    public DeviceCatalogue catalogue() {
        return catalogues.devices();
    }

    /// Returns the current day, if it is known.
    public Optional<LocalDate> today() {
        return catalogues.today();
    }

    /// Returns the registry of the devices.
    public AcceleratorRegistry registry() {
        return machines.registry();
    }

    /// The best way to serve a model, with the usual engine of the devices.
    public ServingOutcome serve(ServingRequest request) {
        return serve(request, ServingChoices.USUAL);
    }

    /// Returns the best way to serve a model.
    public ServingOutcome serve(ServingRequest request, ServingChoices choices) {
        return new ServingPlanner(this).serve(request, choices);
    }

    /// Returns the best way to serve as many sequences as the memory holds, at most [ServingRequest#MOST_SEQUENCES]:
    /// the default of a server without a given number. A note states the number.
    public ServingOutcome serveAsManyAsFit(ServingRequest request, ServingChoices choices) {
        return new ServingPlanner(this).serveAsManyAsFit(request, choices);
    }

    /// Returns the best way to run a model that does not chat: one that embeds, ranks, transcribes or draws.
    ///
    /// @param engine the program; empty for the usual one of the devices
    /// @since 0.3
    public PlanAnswer<TaskPlan> run(TaskRequest request, Optional<TaskEngine> engine) {
        return new TaskPlanner(this).plan(request, engine);
    }

    /// Simulates a load on the best of the requested layouts, request by request and step by step.
    ///
    /// @throws IllegalArgumentException if an option of the engine is not known or makes no sense
    public PlanAnswer<ServingSimulation> simulate(SimulationRequest request, ServingChoices choices) {
        return new SimulationPlanner(this, request, choices).simulate();
    }

    /// Returns the deployment that keeps objectives under a load and is best for the goal of its request: layout,
    /// replicas, options of the engine, bits of the KV cache, prefill and decode together or apart. Bounds leave
    /// out what cannot keep them, the simulation decides on the rest.
    ///
    /// @param request the load; the goal of its request is devices, cost, throughput or latency, and of its
    /// limits the budget counts
    /// @throws IllegalArgumentException if the goal is another, or an option of the engine is not known or
    /// makes no sense
    public PlanAnswer<DeploymentPlan> deploy(SimulationRequest request, Slo slo, ServingChoices choices) {
        return new DeploymentPlanner(this, request, slo, choices).find();
    }

    /// Returns the best deployment, as [#deploy] finds it; empty if none keeps the objectives, without the nearest
    /// ones,
    /// which take most of the time of that answer.
    ///
    /// @throws IllegalArgumentException if an option of the engine is not known or makes no sense
    /// @since 0.3
    public Optional<DeploymentPlan> findDeployment(SimulationRequest request, Slo slo, ServingChoices choices) {
        return new DeploymentPlanner(this, request, slo, choices).findBest();
    }

    /// Returns the Pareto front of deployments by tokens per second of each user and of each device under a load, the
    /// most interactive first, whether they keep the objectives or not.
    ///
    /// @throws IllegalArgumentException if an option of the engine is not known or makes no sense
    public List<DeploymentPlan> deploymentFront(SimulationRequest request, Slo slo, ServingChoices choices) {
        return new DeploymentPlanner(this, request, slo, choices).front();
    }

    /// Returns the clients' figures of a plan under loads of the requested kind, from light to heavy.
    ///
    /// @throws IllegalArgumentException if an option of the engine is not known or makes no sense
    public List<ServingSimulation.LoadPoint> loadCurve(SimulationRequest request, ServingPlan plan) {
        return new SimulationPlanner(this, request, ServingChoices.USUAL).curve(plan);
    }

    /// Returns the best way to train a model, with the usual framework of the devices.
    public PlanAnswer<TrainingPlan> train(TrainingRequest request) {
        return train(request, Optional.empty(), false);
    }

    /// Returns the best way to train a model.
    ///
    /// @param framework the framework; empty for the usual one of each kind of device
    /// @param onDrives true if states that lie outside of devices lie on drives, rather than in the memory of hosts
    public PlanAnswer<TrainingPlan> train(
            TrainingRequest request, Optional<TrainingFramework> framework, boolean onDrives) {
        return new TrainingPlanner(this).train(request, framework, onDrives);
    }

    /// Returns the answers to a request on the devices of this planner and on those of another. If no format was asked
    /// for, and one machine does not hold the published one, both are planned in the format with the most bits that
    /// fits on both, if there is one.
    public Comparison compare(Planner other, ServingRequest request, ServingChoices choices) {
        return CommonFormat.compare(this, other, request, choices);
    }

    /// Returns rented machines that hold a model, the cheapest first.
    public List<OfferChoice> cost(OfferRequest request) {
        return OfferChoice.rank(prices(), catalogue(), request);
    }

    /// Returns the context and the number of sequences of a model that fit, by weight format.
    public FitAnswer fit(ServingRequest request, ServingChoices choices) {
        return new ServingPlanner(this).fit(request, choices);
    }

    /// Returns those of some models that run on the devices, each in the format with the most bits that fits: as
    /// published if that does.
    public List<FormatFit> recommend(List<ModelSummary> models) {
        return recommend(models, ServingChoices.USUAL);
    }

    /// Returns those of some models that run on the devices, as [#recommend(List)], by the engine of the choices, or
    /// else by the one of the usual engine and llama.cpp that keeps more bits.
    ///
    /// @since 0.3
    public List<FormatFit> recommend(List<ModelSummary> models, ServingChoices choices) {
        return new ServingPlanner(this).recommend(models, choices);
    }

    /// Returns the bits of a number in the KV cache of a plan: those of the engine unless requested.
    public static int kvBits(ServingPlan plan) {
        return Byte.SIZE * ServingWork.kvBytes(plan);
    }

    /// Returns the arithmetic of a plan.
    public static ServingExplanation explain(ServingPlan plan) {
        return ServingWork.explain(plan, CoefficientTable.builtIn());
    }

    /// Returns the arithmetic of a plan.
    public static TrainingExplanation explain(TrainingPlan plan) {
        return TrainingWork.explain(plan, CoefficientTable.builtIn());
    }

    /// Returns the communication of a plan's ranks for one token of every sequence. Empty if an engine passes layers
    /// on without collectives, as llama.cpp does.
    public static StepCommunication communication(ServingPlan plan) {
        return ServingWork.communication(plan, CoefficientTable.builtIn());
    }

    /// Returns the communication of a plan's ranks in a step.
    public static StepCommunication communication(TrainingPlan plan) {
        return TrainingWork.communication(plan, CoefficientTable.builtIn());
    }

    /// Returns notes on devices that are left out, with the reason, and on assumptions about the others.
    public List<PlanNote> notes() {
        return devices().notes();
    }

    PlannedDevices devices() {
        return PlannedDevices.of(
                registry(),
                machines.choice(),
                catalogue(),
                rates.rates(),
                machines.memory(),
                rates.hostBandwidth(),
                rates.collectives());
    }

    RentalOffers offers() {
        return RentalOffers.of(prices(), catalogue(), today());
    }

    /// One request on two machines.
    ///
    /// @param here answer of the planner that was asked
    /// @param there answer of the other one
    /// @since 0.1
    public record Comparison(ServingOutcome here, ServingOutcome there) {
        /// Reports whether there is a plan for both.
        public boolean fitsOnBoth() {
            return here.answer().isFeasible() && there.answer().isFeasible();
        }

        /// Returns the ratio of a figure of the plan here to that of the plan there; empty if one of them is missing.
        ///
        /// @param figure finds the figure of a plan
        public Optional<Double> ratio(Function<ServingPlan, Optional<Double>> figure) {
            return plan(here)
                    .flatMap(figure)
                    .flatMap(one -> plan(there).flatMap(figure).map(other -> other / one));
        }

        private static Optional<ServingPlan> plan(ServingOutcome outcome) {
            return outcome.answer() instanceof PlanAnswer.Feasible<ServingPlan> found
                    ? Optional.of(found.best())
                    : Optional.empty();
        }
    }

    /// The fits of a model, with notes.
    ///
    /// @param fits by weight format and kind of device; empty if nothing can be said
    /// @param problem reason for a missing answer; empty otherwise
    /// @param remedies inputs and changes with which there is an answer
    /// @param notes omissions, assumptions and choices
    /// @since 0.1
    public record FitAnswer(
            List<FormatFit> fits, Optional<Shortfall> problem, List<Remedy> remedies, List<PlanNote> notes) {
        /// Compares fits: most bits last, which lose least; of equal bits the published format, then the fastest. For
        /// fits with a plan.
        static int compare(FormatFit one, FormatFit other) {
            return Comparator.<FormatFit>comparingInt(fit -> fit.format().weightBits())
                    .thenComparing(FitAnswer::isPublished)
                    .thenComparingDouble(FitAnswer::speed)
                    .compare(one, other);
        }

        private static boolean isPublished(FormatFit fit) {
            return WeightFormat.isPublished(
                    fit.format(), fit.plan().orElseThrow().request().architecture());
        }

        private static double speed(FormatFit fit) {
            return fit.plan().orElseThrow().tokensPerSecond().p50();
        }

        /// Copies the lists.
        public FitAnswer {
            fits = List.copyOf(fits);
            remedies = List.copyOf(remedies);
            notes = List.copyOf(notes);
        }

        /// Returns the recommended format: of those that fit the request the one with the most bits, which loses
        /// least, and no more than the model was published with, unless its format does not run; of several the
        /// published one, then the fastest. Empty if none fits.
        public Optional<FormatFit> findRecommended() {
            return fits.stream().filter(fit -> fit.plan().isPresent()).max(FitAnswer::compare);
        }
    }
}
