package dev.muster.cli;

import dev.muster.cli.model.TrainingExplanationText;
import dev.muster.cli.model.TrainingPlanText;
import dev.muster.cli.render.Count;
import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Reading;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.TrainingMethod;
import dev.muster.plan.catalogue.DeviceCatalogue;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.search.Estimate;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.training.TrainingAnswer;
import dev.muster.plan.training.TrainingCluster;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLoad;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import dev.muster.plan.training.TrainingSearch;
import dev.muster.plan.training.TrainingSoftware;
import dev.muster.plan.training.UnlikeDevices;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The planner of `muster train`: options, the devices of a registry, and the search.
final class TrainingPlanning {
    static final OptionSpec SEQUENCE = OptionSpec.value("seq", "TOKENS", "tokens of a sequence; 4096 unless said");
    static final OptionSpec BATCH = OptionSpec.value(
            "batch", "COUNT", "sequences of a step over all devices; 256 unless said, 16 for adapters");
    static final OptionSpec RANK = OptionSpec.value("rank", "NUMBER", "rank of adapters; 16 unless said");
    static final OptionSpec PRECISION = OptionSpec.choice(
            "precision",
            "FORMAT",
            List.of("bf16", "fp8", "mxfp8", "nvfp4"),
            "what products compute in: bf16 (default), fp8, mxfp8 or nvfp4");
    static final OptionSpec GOAL = OptionSpec.choice(
            "goal",
            "WHAT",
            List.of("speed", "cost", "devices", "energy"),
            "be best at speed (default), cost (device time per token), devices (the fewest) or energy (per token)");
    static final OptionSpec FRAMEWORK = OptionSpec.choice(
            "framework",
            "NAME",
            TrainingSoftware.labels(),
            "megatron, torchtitan, pytorch, maxtext, megatron-deepspeed or neuronx-distributed; else the usual one");
    static final List<OptionSpec> OPTIONS = Stream.of(
                    List.of(SEQUENCE, BATCH, RANK, PRECISION, GOAL, FRAMEWORK),
                    List.of(HostNetwork.HOSTS, ServingPlanning.EXPLAIN),
                    TrainingBudget.OPTIONS,
                    TrainingOffload.OPTIONS)
            .flatMap(List::stream)
            .toList();

    private static final int DEFAULT_SEQUENCE = 4096;
    private static final int DEFAULT_BATCH = 256;
    private static final int ADAPTER_BATCH = 16;
    private static final double PERCENT = 100;

    private TrainingPlanning() {}

    /// What is asked.
    ///
    /// @throws UsageException if an option makes no sense
    static TrainingRequest request(Arguments arguments, ModelSummary model, TrainingMethod method) {
        if (!method.hasRank()) {
            CommonOptions.refuse(arguments, List.of(RANK), "only adapters (lora, qlora) have a rank");
        }
        return new TrainingRequest(
                model.architecture(),
                method,
                ServingPlanning.number(arguments, RANK, TrainingLoad.USUAL_RANK, 1),
                arguments.find(PRECISION).orElse("bf16"),
                ServingPlanning.number(arguments, SEQUENCE, DEFAULT_SEQUENCE, 1),
                ServingPlanning.number(arguments, BATCH, method.isAdapter() ? ADAPTER_BATCH : DEFAULT_BATCH, 1),
                goal(arguments.find(GOAL).orElse("speed")),
                TrainingOffload.most(arguments),
                TrainingBudget.limits(arguments));
    }

    private static TrainingGoal goal(String label) {
        return TrainingGoal.valueOf(label.toUpperCase(Locale.ROOT));
    }

    /// The best answer over all kinds of devices.
    ///
    /// @throws CommandException if nothing can be planned at all
    static TrainingAnswer plan(Arguments arguments, Session session, TrainingRequest request, String model) {
        AcceleratorRegistry registry = session.loadRegistry(arguments);
        Optional<CalibrationDocument> measured = MeasuredHere.load(arguments, session);
        DeviceCatalogue devices = Catalogues.devices(arguments);
        List<DevicePool> pools = ServingDevices.pools(registry, devices, measured, session);
        if (pools.isEmpty()) {
            throw ServingDevices.noDevices();
        }
        Optional<ModelShape> shape = ModelShape.of(request.architecture());
        Optional<TrainingSoftware> asked = arguments.find(FRAMEWORK).flatMap(TrainingSoftware::find);
        TrainingSearch search =
                TrainingSearch.of(CoefficientTable.builtIn(), TrainingBudget.offers(arguments, devices));
        List<TrainingAnswer> answers = new ArrayList<>();
        String problem = "no framework was measured on these devices; choose one with --framework";
        for (TrainingCluster cluster : clusters(arguments, session, registry, pools, measured)) {
            DevicePool pool = cluster.pool();
            Optional<TrainingSoftware> software = asked.or(() -> shape.flatMap(known -> TrainingSoftware.usual(
                    pool.device().family(),
                    TrainingLoad.of(request.method(), known, request.rank()),
                    known.experts() > 0,
                    request.offload())));
            if (shape.isPresent() && software.isEmpty()) {
                session.note("muster: no framework was measured on " + pool.name()
                        + "; it is left out (choose one with --framework, and take its figures as a guess)");
                continue;
            }
            switch (search.find(request, cluster, software.orElse(TrainingSoftware.MEGATRON))) {
                case Reading.Known<TrainingAnswer>(TrainingAnswer answer, var _) -> answers.add(answer);
                case Reading.Unknown<TrainingAnswer>(var _, String detail) -> problem = detail;
            }
        }
        if (answers.isEmpty()) {
            String remedy = shape.isEmpty()
                    ? "; give a model by name, file or folder"
                    : request.limits().hasBudget() ? "; give prices of such devices with --prices FILE" : "";
            throw new CommandException("cannot plan '" + Printable.of(model) + "': " + Printable.of(problem) + remedy);
        }
        TrainingAnswer best = answers.stream()
                .min(Comparator.comparingInt(TrainingPlanning::rank)
                        .thenComparingDouble(answer -> badness(answer, request.goal())))
                .orElseThrow();
        TrainingBudget.sayStale(best, session);
        sayIdle(best.first().cluster(), pools, session);
        sayBatch(best, request, search, session);
        return best;
    }

    /// Devices of each kind alone, and where there are several kinds all together.
    private static List<TrainingCluster> clusters(
            Arguments arguments,
            Session session,
            AcceleratorRegistry registry,
            List<DevicePool> pools,
            Optional<CalibrationDocument> measured) {
        List<TrainingCluster> clusters = new ArrayList<>();
        int hosts = HostNetwork.hosts(arguments);
        for (DevicePool pool : pools) {
            clusters.add(TrainingCluster.of(
                    pool,
                    HostNetwork.links(registry, pool, hosts, session),
                    TrainingOffload.store(arguments, registry, pool, measured)));
        }
        UnlikeDevices.pool(pools)
                .ifPresent(all -> clusters.add(TrainingCluster.of(
                                all,
                                HostNetwork.links(registry, all, hosts, session),
                                TrainingOffload.store(arguments, registry, all, measured))
                        .withKinds(pools.stream()
                                .map(pool -> pool.withCount(hosts * pool.count()))
                                .toList())));
        return clusters;
    }

    /// Where sequences do not divide among devices, some of those do nothing: says how many sequences would.
    private static void sayBatch(
            TrainingAnswer answer, TrainingRequest request, TrainingSearch search, Session session) {
        TrainingPlan plan = answer.first();
        int devices = plan.cluster().devices();
        int batch = Math.ceilDiv(request.batch(), devices) * devices;
        if (!(answer instanceof TrainingAnswer.Feasible)
                || request.goal() != TrainingGoal.SPEED
                || plan.idle() == 0
                || batch == request.batch()) {
            return;
        }
        search.find(request.withBatch(batch), plan.cluster(), plan.software())
                .find()
                .map(TrainingAnswer::first)
                .filter(other -> other.memory().fits()
                        && other.idle() < plan.idle()
                        && other.tokensPerSecond().p50()
                                > plan.tokensPerSecond().p50())
                .ifPresent(other -> session.note("muster: " + Count.of(request.batch(), "sequence")
                        + " do not divide among " + devices + " devices; with --batch " + batch + ", "
                        + other.devices() + " work in place of " + plan.devices() + ", and tokens take "
                        + Math.round(PERCENT
                                * (1
                                        - plan.tokensPerSecond().p50()
                                                / other.tokensPerSecond().p50()))
                        + " % less time"));
    }

    /// Devices of other kinds do nothing in a plan on one.
    private static void sayIdle(TrainingCluster chosen, List<DevicePool> pools, Session session) {
        if (chosen.kinds().isEmpty()) {
            pools.stream()
                    .filter(pool -> !pool.name().equals(chosen.pool().name()))
                    .forEach(pool -> session.note("muster: " + pool.count() + " x " + pool.name()
                            + " stay idle: alone, and all together in equal parts, they are worse for the goal"));
        }
    }

    /// What fits and keeps the limits comes first, then what fits.
    private static int rank(TrainingAnswer answer) {
        return switch (answer) {
            case TrainingAnswer.Feasible _ -> 0;
            case TrainingAnswer.Limited _ -> 1;
            case TrainingAnswer.Infeasible _ -> 2;
        };
    }

    /// The answer as text or document, as far as the options ask for it.
    static TrainingPlanText text(
            Arguments arguments, ModelSummary model, TrainingRequest request, TrainingAnswer answer) {
        TrainingPlan shown = answer.first();
        Optional<TrainingExplanationText> explanation = arguments.has(ServingPlanning.EXPLAIN)
                ? Optional.of(new TrainingExplanationText(
                        shown, TrainingExplanation.of(request, shown, CoefficientTable.builtIn())))
                : Optional.empty();
        return new TrainingPlanText(model, request, answer, explanation);
    }

    /// The best for the goal first; of what does not fit, what lacks least.
    private static double badness(TrainingAnswer answer, TrainingGoal goal) {
        TrainingPlan plan = answer.first();
        if (answer instanceof TrainingAnswer.Infeasible) {
            return plan.memory().fullness();
        }
        double speed = plan.tokensPerSecond().p50();
        return switch (goal) {
            case SPEED -> -speed;
            case COST -> plan.devices() / speed;
            case DEVICES -> plan.devices();
            case ENERGY -> plan.joulesPerToken().find().map(Estimate::p50).orElse(Double.POSITIVE_INFINITY);
        };
    }
}
