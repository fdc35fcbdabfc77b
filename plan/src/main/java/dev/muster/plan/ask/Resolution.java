// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.catalogue.OfferRequest;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.plan.rules.RulePlanner;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import dev.muster.plan.serving.Slo.LatencyStatistic;
import dev.muster.plan.serving.Slo.Objective;
import dev.muster.plan.serving.TaskEngine;
import dev.muster.plan.serving.TaskRequest;
import dev.muster.plan.training.OffloadStore.Place;
import dev.muster.plan.training.TrainingGoal;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.plan.training.TrainingPrecision;
import dev.muster.plan.training.TrainingRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// Fills in the defaults of questions, and refuses values that exclude each other.
final class Resolution {
    private static final int DEFAULT_INPUT = 1024;
    private static final double GIGA = 1e9;

    private static final double NANOS = 1e9;

    private Resolution() {}

    static Question plan(ModelSummary model, ParameterValues values) {
        ModelKind kind = model.architecture().kind();
        if (kind != ModelKind.TEXT_GENERATION) {
            return task(model, kind, values);
        }
        values.refuse(
                List.of(Parameters.STEPS, Parameters.FRAMES, Parameters.AUDIO, Parameters.MAX_LATENCY),
                "it is for models that do not write text");
        if (!values.hasAny(QuestionKind.arrivals())) {
            String without = "it is part of a load; add {}, {}, {} or {}";
            values.refuse(QuestionKind.PLAN.loadParameters(), without, arrivals());
            return serve(model, values);
        }
        values.refuse(List.of(Parameters.IMAGES), "images are planned without a load");
        values.refuse(
                List.of(Parameters.CONTEXT),
                "under load, prompts have {} and answers {} tokens",
                Parameters.INPUT,
                Parameters.GENERATE);
        values.refuse(List.of(Parameters.CONCURRENCY), "the load determines the number of sequences");
        values.refuse(
                List.of(Parameters.MAX_TTFT, Parameters.MAX_TPOT),
                "under load, limits are statistics over all requests; use {} and {}",
                Parameters.TTFT,
                Parameters.TPOT);
        values.refuse(List.of(Parameters.EXPLAIN), "simulated loads are not explained");
        values.refuse(List.of(Parameters.OFFLOAD), "loads are simulated on devices only");
        return deploy(model, values);
    }

    private static Question.Perform task(ModelSummary model, ModelKind kind, ParameterValues values) {
        List<Parameter<?>> others = new ArrayList<>(QuestionKind.PLAN.parameters());
        others.removeAll(QuestionKind.task(kind));
        values.refuse(others, "this model is {}, which is planned without it", kind.title());
        TaskRequest usual = TaskRequest.of(model);
        List<Integer> size = values.find(Parameters.RESOLUTION).orElse(List.of(usual.width(), usual.height()));
        Optional<Integer> batch = values.find(Parameters.CONCURRENCY);
        TaskRequest request = usual.withTokens(
                        values.find(Parameters.INPUT).orElse(usual.input()),
                        values.find(Parameters.GENERATE).orElse(usual.output()))
                .withSeconds(values.find(Parameters.AUDIO)
                        .map(time -> time.toNanos() / NANOS)
                        .orElse(usual.seconds()))
                .withImages(
                        size.getFirst(),
                        size.getLast(),
                        values.find(Parameters.FRAMES).orElse(usual.frames()),
                        values.find(Parameters.STEPS).orElse(usual.steps()))
                .withBatch(batch.orElse(0))
                .withGoal(
                        values.find(Parameters.GOAL)
                                .orElse(
                                        batch.filter(one -> one == 1).isPresent()
                                                ? ServingGoal.LATENCY
                                                : ServingGoal.THROUGHPUT),
                        seconds(values.find(Parameters.MAX_LATENCY)));
        Optional<WeightFormat> format = values.find(Parameters.FORMATS).map(List::getFirst);
        return new Question.Perform(
                values,
                format.map(request::withFormat).orElse(request),
                taskEngine(values),
                values.find(Parameters.EMIT));
    }

    private static double seconds(Optional<Duration> time) {
        return time.map(one -> one.toNanos() / NANOS).orElse(Double.POSITIVE_INFINITY);
    }

    /// Returns the engine that was named, or the one that the launch target starts.
    private static Optional<TaskEngine> taskEngine(ParameterValues values) {
        Optional<ServingEngine> engine = values.find(Parameters.ENGINE);
        if (engine.isPresent()) {
            return Optional.of(TaskEngine.find(engine.get().label())
                    .orElseThrow(() -> QuestionException.of(
                            "{}: {} does not run this kind of model",
                            Parameters.ENGINE,
                            engine.get().display())));
        }
        return values.find(Parameters.EMIT).flatMap(target -> TaskEngine.find(target.label()));
    }

    private static Object[] arrivals() {
        return QuestionKind.arrivals().toArray();
    }

    static Question.Serve serve(ModelSummary model, ParameterValues values) {
        int context = values.find(Parameters.CONTEXT).orElse(ServingRequest.DEFAULT_CONTEXT);
        int output = values.find(Parameters.GENERATE).orElse(Math.min(ServingRequest.DEFAULT_OUTPUT, context / 2));
        if (output >= context) {
            throw QuestionException.of(
                    "{} {} leaves no token of {} {} for the prompt; the context is prompt and answer together",
                    Parameters.GENERATE,
                    output,
                    Parameters.CONTEXT,
                    context);
        }
        int concurrency = values.find(Parameters.CONCURRENCY).orElse(1);
        boolean fillsMemory = values.has(Parameters.EMIT) && !values.has(Parameters.CONCURRENCY);
        ServingGoal usual = concurrency == 1 && !fillsMemory ? ServingGoal.LATENCY : ServingGoal.THROUGHPUT;
        ServingRequest request = ServingRequest.of(model)
                .withTokens(context - output, output)
                .withImages(images(model, values))
                .withConcurrency(concurrency)
                .withGoal(values.find(Parameters.GOAL).orElse(usual))
                .withSlo(predicted(values));
        ServingRequest asked = withFormat(
                withBudget(values.has(Parameters.CONTEXT) ? request.withContextLimit() : request, values), values);
        return new Question.Serve(values, asked, choices(values), fillsMemory, values.find(Parameters.EMIT));
    }

    private static ImageInput images(ModelSummary model, ParameterValues values) {
        int count = values.find(Parameters.IMAGES).orElse(0);
        if (count == 0) {
            values.refuse(List.of(Parameters.RESOLUTION), "it is that of images; add {}", Parameters.IMAGES);
            return ImageInput.NONE;
        }
        List<Integer> size =
                values.find(Parameters.RESOLUTION).orElse(List.of(ImageInput.USUAL_SIDE, ImageInput.USUAL_SIDE));
        return ImageInput.of(model, count, size.getFirst(), size.getLast())
                .orElseThrow(() -> QuestionException.of(
                        "{}: the tokens that {} makes of an image are not known; add them to {} if you know them",
                        Parameters.IMAGES,
                        model.name(),
                        Parameters.CONTEXT));
    }

    /// The limits of a plan without a load, which are kept by its predicted means.
    private static Slo predicted(ParameterValues values) {
        List<Objective> limits = new ArrayList<>();
        values.find(Parameters.MAX_TTFT)
                .ifPresent(most -> limits.add(new Objective(LatencyMetric.TTFT, LatencyStatistic.MEAN, most)));
        values.find(Parameters.MAX_TPOT)
                .ifPresent(most -> limits.add(new Objective(LatencyMetric.TPOT, LatencyStatistic.MEAN, most)));
        return new Slo(limits);
    }

    private static ServingRequest withBudget(ServingRequest request, ParameterValues values) {
        return values.find(Parameters.BUDGET).map(request::withBudget).orElse(request);
    }

    private static ServingRequest withFormat(ServingRequest request, ParameterValues values) {
        return values.find(Parameters.FORMATS)
                .map(formats -> request.withFormat(formats.getFirst()))
                .orElse(request)
                .withKvBits(values.find(Parameters.KV_DTYPE).orElse(0));
    }

    /// The engine is the one that was named, else the one that the launch target starts.
    private static ServingChoices choices(ParameterValues values) {
        Optional<ServingEngine> engine = values.find(Parameters.ENGINE)
                .or(() -> values.find(Parameters.EMIT).flatMap(LaunchTarget::findEngine));
        boolean offload = values.has(Parameters.OFFLOAD);
        if (offload && engine.isPresent() && engine.get() != ServingEngine.LLAMA_CPP) {
            throw QuestionException.of("{} needs llama.cpp; ask for it with {}", Parameters.OFFLOAD, Parameters.ENGINE);
        }
        List<WeightFormat> formats = values.find(Parameters.FORMATS).orElse(List.of());
        return new ServingChoices(engine, formats, offload, values.has(Parameters.PARETO));
    }

    static Question.Simulate simulate(ModelSummary model, ParameterValues values) {
        return new Question.Simulate(values, load(model, values), choices(values));
    }

    private static Question.Deploy deploy(ModelSummary model, ParameterValues values) {
        List<Objective> objectives = new ArrayList<>();
        QuestionKind.targets().forEach(one -> values.find(one).ifPresent(objectives::addAll));
        if (objectives.isEmpty()) {
            values.refuse(
                    List.of(Parameters.CONFIDENCE),
                    "it is that of targets; add {}, {} or {}",
                    QuestionKind.targets().toArray());
        }
        Slo slo = new Slo(objectives, values.find(Parameters.CONFIDENCE).orElse(Slo.AS_PREDICTED));
        SimulationRequest load = load(model, values);
        ServingGoal usual = slo.isAny() ? ServingGoal.DEVICES : ServingGoal.THROUGHPUT;
        ServingRequest serving =
                load.serving().withGoal(values.find(Parameters.GOAL).orElse(usual));
        return new Question.Deploy(
                values,
                load.withServing(withBudget(serving, values)),
                slo,
                choices(values),
                values.find(Parameters.EMIT));
    }

    private static SimulationRequest load(ModelSummary model, ParameterValues values) {
        ServingRequest serving = withFormat(
                ServingRequest.of(model)
                        .withTokens(
                                values.find(Parameters.INPUT).orElse(DEFAULT_INPUT),
                                values.find(Parameters.GENERATE).orElse(ServingRequest.DEFAULT_OUTPUT)),
                values);
        ServingLoad load = arrivals(values);
        try {
            SimulationRequest request = SimulationRequest.of(serving, load).withFleet(fleet(values));
            request = with(request, values.find(Parameters.REQUESTS), SimulationRequest::withRequests);
            request = with(request, values.find(Parameters.TRACE), SimulationRequest::withLengths);
            request = with(request, values.find(Parameters.LENGTHS), SimulationRequest::withSpread);
            request = with(request, values.find(Parameters.WARM_UP), SimulationRequest::withWarmUp);
            request = with(request, values.find(Parameters.SLO), SimulationRequest::withTargets);
            request = with(request, values.find(Parameters.PREFIX_HIT), SimulationRequest::withPrefixHit);
            request = with(request, values.find(Parameters.SPECULATIVE), SimulationRequest::withSpeculation);
            request = with(request, values.find(Parameters.ENGINE_OPTIONS), SimulationRequest::withOptions);
            return with(request, values.find(Parameters.SEED), (copy, seed) -> copy.withSeed(seed));
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("cannot simulate: {}", String.valueOf(e.getMessage()));
        }
    }

    private static <T> SimulationRequest with(
            SimulationRequest request, Optional<T> value, BiFunction<SimulationRequest, T, SimulationRequest> change) {
        return value.map(given -> change.apply(request, given)).orElse(request);
    }

    private static ServingLoad arrivals(ParameterValues values) {
        List<Parameter<?>> loads = List.of(Parameters.USERS, Parameters.RATE, Parameters.BURST);
        if (loads.stream().filter(values::has).count() > 1) {
            throw QuestionException.of("give one load: {}, {} or {}", loads.toArray());
        }
        try {
            return values.find(Parameters.USERS)
                    .<ServingLoad>map(ServingLoad.Users::new)
                    .or(() -> values.find(Parameters.BURST).map(ServingLoad.Burst::new))
                    .or(() -> values.find(Parameters.RATE).map(ServingLoad.Rate::new))
                    .or(() -> values.find(Parameters.TRACE).map(ServingLoad.Replay::new))
                    .orElseThrow(
                            () -> QuestionException.of("a simulation needs a load: give {}, {}, {} or {}", arrivals()));
        } catch (QuestionException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw QuestionException.of("cannot simulate: {}", String.valueOf(e.getMessage()));
        }
    }

    private static SimulationRequest.Replicas fleet(ParameterValues values) {
        SimulationRequest.Replicas best = SimulationRequest.Replicas.BEST;
        return new SimulationRequest.Replicas(
                values.find(Parameters.TP).orElse(best.tp()),
                values.find(Parameters.REPLICAS).orElse(best.replicas()),
                values.find(Parameters.DECODE).orElse(best.decodeReplicas()),
                values.find(Parameters.LINK).map(rate -> rate * GIGA).orElse(best.linkBandwidth()),
                values.find(Parameters.ROUTER).orElse(best.router()));
    }

    static Question.Train train(ModelSummary model, ParameterValues values) {
        TrainingMethod method = values.find(Parameters.METHOD).orElse(TrainingMethod.Simple.FULL_FINE_TUNE);
        if (!method.hasRank()) {
            values.refuse(List.of(Parameters.RANK), "only adapters (lora, qlora) have a rank");
        }
        TrainingRequest usual = TrainingRequest.of(model, method);
        TrainingRequest request = usual.withRank(values.find(Parameters.RANK).orElse(TrainingRequest.DEFAULT_RANK))
                .withPrecision(values.find(Parameters.PRECISION).orElse(TrainingPrecision.BF16))
                .withSequence(values.find(Parameters.SEQUENCE).orElse(usual.sequence()))
                .withBatch(values.find(Parameters.BATCH).orElse(usual.batch()))
                .withGoal(values.find(Parameters.TRAINING_GOAL).orElse(TrainingGoal.SPEED))
                .withOffload(offload(values))
                .withLimits(limits(values));
        return new Question.Train(
                values,
                request,
                values.find(Parameters.FRAMEWORK)
                        .or(() -> values.find(Parameters.EMIT).flatMap(LaunchTarget::findFramework)),
                values.find(Parameters.OFFLOAD_TO)
                        .filter(place -> place == Place.DISK)
                        .isPresent(),
                values.find(Parameters.EMIT));
    }

    private static Offload offload(ParameterValues values) {
        Offload most = values.find(Parameters.TRAINING_OFFLOAD).orElse(Offload.NONE);
        if (most == Offload.NONE) {
            values.refuse(
                    List.of(Parameters.OFFLOAD_TO, Parameters.HOST_BANDWIDTH, Parameters.DISK_BANDWIDTH),
                    "nothing is offloaded without {} optimizer or all",
                    Parameters.TRAINING_OFFLOAD);
        }
        return most;
    }

    private static TrainingLimits limits(ParameterValues values) {
        double risk = values.find(Parameters.RISK).orElse(0.0);
        if (!values.has(Parameters.TOKENS)) {
            values.refuse(
                    List.of(Parameters.DEADLINE, Parameters.TRAINING_BUDGET),
                    "it limits a whole training; add {}",
                    Parameters.TOKENS);
            values.refuse(
                    List.of(Parameters.MTBF, Parameters.RESTART, Parameters.CHECKPOINT_BANDWIDTH),
                    "it is about a whole training; add {}",
                    Parameters.TOKENS);
            return TrainingLimits.NONE.withRisk(risk);
        }
        return new TrainingLimits(
                values.find(Parameters.TOKENS).orElseThrow(),
                values.find(Parameters.DEADLINE)
                        .map(time -> (double) time.toSeconds())
                        .orElse(Double.POSITIVE_INFINITY),
                values.find(Parameters.TRAINING_BUDGET).orElse(Double.POSITIVE_INFINITY),
                values.find(Parameters.MTBF).orElse(TrainingLimits.USUAL_MTBF_HOURS),
                values.find(Parameters.RESTART)
                        .map(time -> time.toNanos() / NANOS)
                        .orElse(TrainingLimits.USUAL_RESTART_SECONDS),
                values.find(Parameters.CHECKPOINT_BANDWIDTH)
                        .map(rate -> rate * GIGA)
                        .orElse(0.0),
                risk);
    }

    static Question quantize(ModelSummary model, ParameterValues values) {
        if (model.architecture().kind() == ModelKind.TEXT_GENERATION
                && !model.architecture().layers().isEmpty()) {
            return Question.fit(model, values);
        }
        List<Parameter<?>> others = new ArrayList<>(QuestionKind.QUANTIZE.parameters());
        others.remove(Parameters.DEVICES);
        values.refuse(others, "ai-hwaccel's rules, which judge sizes and models that do not chat, do not consider it");
        return Question.rules(QuestionKind.QUANTIZE, model, values);
    }

    static Question.Cost cost(ModelSummary model, ParameterValues values) {
        if (!values.hasAny(List.of(Parameters.OWN, Parameters.OWN_MACHINES))) {
            values.refuse(
                    List.of(Parameters.PURCHASE_PRICE, Parameters.YEARS, Parameters.KWH, Parameters.PUE),
                    "it is about machines of your own; name one with {}, or several with {}",
                    Parameters.OWN,
                    Parameters.OWN_MACHINES);
        }
        if (!values.has(Parameters.OWN)) {
            values.refuse(
                    List.of(Parameters.PURCHASE_PRICE),
                    "the machines of a list have prices of their own; name one machine with {}",
                    Parameters.OWN);
        }
        Optional<Question> plan =
                model.architecture().layers().isEmpty() ? Optional.empty() : Optional.of(plan(model, values));
        if (plan.isEmpty()) {
            List<Parameter<?>> others = new ArrayList<>(QuestionKind.COST.parameters());
            others.removeAll(List.of(
                    Parameters.FORMATS,
                    Parameters.PROVIDERS,
                    Parameters.SPOT,
                    Parameters.STALE_PRICES,
                    Parameters.ALL));
            values.refuse(others, "a mere size is not planned; give a model by name, file or folder");
        }
        QuantizationLevel level = values.find(Parameters.FORMATS)
                .map(formats -> level(formats.getFirst()))
                .orElse(QuantizationLevel.BFLOAT16);
        Bytes needed;
        try {
            needed = RulePlanner.estimateMemory(parameters(model), level);
        } catch (ArithmeticException e) {
            throw QuestionException.of("cannot estimate the memory: {}", String.valueOf(e.getMessage()));
        }
        return new Question.Cost(values, model, Question.Cost.request(OfferRequest.of(needed, level), values), plan);
    }

    /// Returns the level of ai-hwaccel that takes the bits of a format.
    private static QuantizationLevel level(WeightFormat format) {
        int bits = format.weightBits();
        if (format == StandardFormat.FP16) {
            return QuantizationLevel.FLOAT16;
        }
        return bits > Short.SIZE
                ? QuantizationLevel.NONE
                : bits > Byte.SIZE
                        ? QuantizationLevel.BFLOAT16
                        : bits > Byte.SIZE / 2 ? QuantizationLevel.INT8 : QuantizationLevel.INT4;
    }

    static long parameters(ModelSummary model) {
        return model.parameters()
                .find()
                .orElseThrow(() -> QuestionException.of(
                        "the number of parameters of '{}' is unknown; give a size, such as 70B", model.name()));
    }
}
