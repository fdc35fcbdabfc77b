// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan;

import dev.muster.model.ModelDimension;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelSummary;
import dev.muster.model.memory.GgufFormat;
import dev.muster.model.memory.StandardFormat;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner.FitAnswer;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.PlanNote.Topic;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.answer.Remedy.Advice;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.answer.Shortfall.Cause;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.search.Attempt;
import dev.muster.plan.search.HostLinks;
import dev.muster.plan.search.LargestFit;
import dev.muster.plan.search.PlannedDevices;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.ServingChoices;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.CoefficientTable;
import dev.muster.plan.time.ModelShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Plans of serving over all kinds of devices, engines and formats. Confined to one thread.
final class ServingPlanner {
    /// The most concurrent sequences that llama.cpp is chosen for on devices that also run vLLM.
    private static final int MANY = 16;

    private static final Set<DeviceFamily> SERVERS = Set.of(DeviceFamily.NVIDIA_SHARED, DeviceFamily.OTHER);
    private static final List<WeightFormat> FORMATS =
            List.of(StandardFormat.BF16, StandardFormat.FP8, StandardFormat.AWQ_INT4);
    private static final List<WeightFormat> GGUF_FORMATS =
            List.of(GgufFormat.F16, GgufFormat.Q8_0, GgufFormat.Q6_K, GgufFormat.Q4_K_M, GgufFormat.Q3_K_M);

    private static final int SIXTEEN = 16;

    private final Planner planner;
    private final PlannedDevices devices;
    /// The notes, each once, in order of occurrence.
    private final Set<PlanNote> notes = new LinkedHashSet<>();

    ServingPlanner(Planner planner) {
        this.planner = planner;
        this.devices = planner.devices();
        notes.addAll(devices.notes());
    }

    /// Devices of one kind and the engine that serves on them.
    record Served(DevicePool pool, ServingEngine engine) {}

    ServingOutcome serve(ServingRequest asked, ServingChoices choices) {
        return serve(asked, choices, asked.concurrency());
    }

    /// @param usual number of concurrent sequences for which the engine is chosen
    private ServingOutcome serve(ServingRequest asked, ServingChoices choices, int usual) {
        List<WeightFormat> formats = choices.formats().isEmpty() ? List.of(asked.format()) : choices.formats();
        noteContext(asked);
        List<Served> served = served(choices, formats, usual);
        if (served.isEmpty()) {
            return outcome(asked, unanswered(devices.whyNone(), noDevices(devices.whyNone())));
        }
        ServingSearch search = ServingSearch.of(CoefficientTable.builtIn(), planner.offers());
        ServingOutcome best = null;
        for (WeightFormat format : formats) {
            ServingOutcome one = serve(asked.withFormat(format), choices, served, search);
            best = best == null || isBetter(one, best, asked.goal()) ? one : best;
        }
        if (best == null) {
            throw new IllegalStateException("there is at least one format");
        }
        if (formats.size() > 1) {
            notes.add(PlanNote.of(Topic.BEST_FORMAT, formats, best.request().format(), asked.goal()));
        }
        best.answer().findFirst().flatMap(planner.runs.corrections()::findNote).ifPresent(notes::add);
        SplitPlanner splitting = new SplitPlanner(planner, devices);
        splitting.findObstacle(choices).ifPresent(notes::add);
        List<MixedPlan> splits = best.answer() instanceof PlanAnswer.Unanswered<ServingPlan>
                ? List.of()
                : splitting.find(best, choices, formats);
        if (splits.isEmpty()) {
            noteOthers(served, best.answer());
        }
        return new ServingOutcome(best.request(), best.answer().withNotes(List.copyOf(notes)), splits);
    }

    ServingOutcome serveAsManyAsFit(ServingRequest asked, ServingChoices choices) {
        ServingOutcome one = serve(asked, choices);
        if (!(one.answer() instanceof PlanAnswer.Feasible<ServingPlan> found)
                || !one.splits().isEmpty()) {
            return one;
        }
        ServingPlan best = found.best();
        int sequences = LargestFit.of(ServingSearch.of(CoefficientTable.builtIn()))
                .sequences(
                        one.request(),
                        best.pool().withCount(best.devices()),
                        best.software(),
                        ServingRequest.MOST_SEQUENCES);
        notes.clear();
        notes.add(PlanNote.of(Topic.MOST_SEQUENCES, sequences, asked.tokens()));
        // The engine is that of the plan whose memory was filled.
        return serve(asked.withConcurrency(sequences), choices, asked.concurrency());
    }

    List<PlanNote> notes() {
        return List.copyOf(notes);
    }

    /// Returns the reason why no device can be used.
    Shortfall whyNone() {
        return devices.whyNone();
    }

    private ServingOutcome outcome(ServingRequest request, PlanAnswer<ServingPlan> answer) {
        return new ServingOutcome(request, answer.withNotes(List.copyOf(notes)), List.of());
    }

    private static <P> PlanAnswer<P> unanswered(Shortfall reason, List<Remedy> remedies) {
        return new PlanAnswer.Unanswered<>(reason, remedies, List.of());
    }

    /// Returns the remedies for a request without devices.
    static List<Remedy> noDevices(Shortfall reason) {
        return reason.cause() == Cause.NO_DEVICE ? List.of(Advice.HYPOTHETICAL_DEVICES) : List.of();
    }

    /// Notes a model that is known by its name alone, and a context that exceeds the model's; engines refuse it, unless
    /// configured to extend it.
    void noteContext(ServingRequest request) {
        notes.addAll(PlanNote.of(request.model()));
        request.architecture().find(ModelDimension.CONTEXT).ifPresent(most -> {
            if (request.tokens() > most) {
                notes.add(PlanNote.of(Topic.LONG_CONTEXT, request.model().name(), most, request.tokens()));
            }
        });
    }

    /// @param sequences number of concurrent sequences
    List<Served> served(ServingChoices choices, List<WeightFormat> formats, int sequences) {
        boolean isGguf = formats.stream().allMatch(GgufFormat.class::isInstance);
        Optional<ServingEngine> asked = choices.engine()
                .or(() -> isGguf || choices.offload() ? Optional.of(ServingEngine.LLAMA_CPP) : Optional.empty());
        List<Served> served = new ArrayList<>();
        for (DevicePool pool : devices.pools()) {
            ServingEngine engine = asked.orElseGet(() -> usual(pool, formats, sequences));
            if (asked.isEmpty() && !ServingEngine.isMeasuredOn(pool.device().family())) {
                notes.add(PlanNote.of(Topic.UNMEASURED_ENGINE, pool.name(), engine));
            }
            served.add(new Served(joined(pool), engine));
        }
        return served;
    }

    /// Returns the usual engine of such devices: llama.cpp on those that it dropped, vLLM where llama.cpp is usual and
    /// does not read the formats or would serve many sequences.
    private ServingEngine usual(DevicePool pool, List<WeightFormat> formats, int sequences) {
        ServingEngine usual = ServingEngine.usual(pool.device().family());
        if (usual == ServingEngine.LLAMA_CPP && EngineRules.runsOn(ServingEngine.VLLM, pool.device())) {
            if (formats.stream().noneMatch(usual::reads)
                    && formats.stream().anyMatch(one -> ServingEngine.VLLM.runs(one, pool.device()))
                    && ServingEngine.VLLM.runsOn(pool.device().family())) {
                return ServingEngine.VLLM;
            }
            if (sequences > MANY && SERVERS.contains(pool.device().family())) {
                return ServingEngine.VLLM;
            }
        }
        if (EngineRules.runsOn(usual, pool.device())) {
            return usual;
        }
        notes.add(PlanNote.of(Topic.LLAMA_CPP, usual, pool.name()));
        return ServingEngine.LLAMA_CPP;
    }

    private DevicePool joined(DevicePool pool) {
        HostLinks links = HostLinks.of(planner.machines.registry(), pool, planner.machines.hosts());
        links.findNote(pool).ifPresent(notes::add);
        return links.pool(pool);
    }

    /// Returns the best answer over all kinds of devices: plans that fit come first, then the goal decides.
    private ServingOutcome serve(
            ServingRequest request, ServingChoices choices, List<Served> served, ServingSearch search) {
        Comparator<ServingPlan> order = ServingPlan.order(request.goal());
        ServingOutcome best = null;
        Shortfall problem = devices.whyNone();
        List<PlanNote> unknown = new ArrayList<>();
        for (Served one : served) {
            ServingRequest usable = choices.formats().isEmpty() ? usable(request, one) : request;
            switch (search.find(usable, one.pool, one.engine, choices.everyReplicaCount())) {
                case Attempt.Found<PlanAnswer<ServingPlan>>(PlanAnswer<ServingPlan> answer) -> {
                    ServingOutcome next =
                            new ServingOutcome(usable, answer.map(planner.runs.corrections()::correct), List.of());
                    best = best == null || isBetter(next, best, order) ? next : best;
                }
                case Attempt.Failed<PlanAnswer<ServingPlan>>(Shortfall reason) -> {
                    problem = reason;
                    unknown.add(PlanNote.of(Topic.UNPLANNED_DEVICES, one.pool.name(), reason));
                }
            }
        }
        if (best == null) {
            return new ServingOutcome(request, unanswered(problem, remedies(request, problem)), List.of());
        }
        notes.addAll(unknown);
        return best;
    }

    private static boolean isBetter(ServingOutcome one, ServingOutcome other, ServingGoal goal) {
        return isBetter(one, other, ServingPlan.order(goal));
    }

    private static boolean isBetter(ServingOutcome one, ServingOutcome other, Comparator<ServingPlan> order) {
        Optional<ServingPlan> first = one.answer().findFirst();
        Optional<ServingPlan> second = other.answer().findFirst();
        return first.isPresent() && (second.isEmpty() || order.compare(first.get(), second.get()) < 0);
    }

    /// Returns the request as an engine can run it on its devices: a default format is replaced if the published
    /// weights
    /// cannot be used, for llama.cpp by a GGUF type with no more bits, else by 16 bits.
    ServingRequest usable(ServingRequest request, Served served) {
        boolean isPublished = WeightFormat.isPublished(request.format(), request.architecture());
        if (runs(request, served) || !(isPublished || request.format() == StandardFormat.BF16)) {
            return request;
        }
        List<WeightFormat> others = new ArrayList<>();
        if (isPublished && served.engine == ServingEngine.LLAMA_CPP) {
            others.addAll(GGUF_FORMATS);
            others.removeIf(format -> format.weightBits() > publishedBits(request));
        }
        others.addAll(List.of(StandardFormat.BF16, StandardFormat.FP16));
        for (WeightFormat other : others) {
            ServingRequest instead = request.withFormat(other);
            if (runs(instead, served)) {
                notes.add(
                        isPublished
                                ? PlanNote.of(
                                        Topic.CONVERTED_FORMAT,
                                        request.format(),
                                        served.engine,
                                        served.pool.name(),
                                        other)
                                : PlanNote.of(Topic.FP16_FORMAT, served.pool.name(), served.engine));
                return instead;
            }
        }
        return request;
    }

    private static boolean runs(ServingRequest request, Served served) {
        DeviceFigures device = served.pool.device();
        return served.engine.runs(request.format(), device)
                && EngineRules.of(served.engine, request.architecture(), request.format(), device)
                        .findRefusal(request)
                        .isEmpty();
    }

    private void noteOthers(List<Served> served, PlanAnswer<ServingPlan> answer) {
        answer.findFirst()
                .ifPresent(first -> served.stream()
                        .map(Served::pool)
                        .filter(pool -> !pool.equals(first.pool()))
                        .forEach(pool -> notes.add(PlanNote.of(Topic.WORSE_DEVICES, pool.count(), pool.name()))));
    }

    private static boolean isText(ServingRequest request) {
        return request.architecture().kind() == ModelKind.TEXT_GENERATION;
    }

    /// Returns the remedies for a request that cannot be answered. A model that was given in full has none.
    static List<Remedy> remedies(ServingRequest request, Shortfall reason) {
        if (!isText(request)) {
            return List.of(Advice.TEXT_MODEL);
        }
        if (reason.isRefusal()) {
            return List.of(Advice.OTHER_FORMAT_ENGINE_OR_DEVICES);
        }
        if (!request.architecture().doubt().isBlank()
                && ModelShape.of(request.architecture()).isEmpty()) {
            return List.of();
        }
        if (request.goal() == ServingGoal.COST || request.hasBudget()) {
            return List.of(Advice.MODEL_AND_FORMAT, Advice.PRICES);
        }
        return request.goal() == ServingGoal.ENERGY
                ? List.of(Advice.MODEL_AND_FORMAT, Advice.OTHER_GOAL)
                : List.of(Advice.MODEL_AND_FORMAT);
    }

    FitAnswer fit(ServingRequest request, ServingChoices choices) {
        Optional<Shortfall> otherKind = ServingSearch.refuseKind(request);
        if (otherKind.isPresent()) {
            return new FitAnswer(List.of(), otherKind, remedies(request, otherKind.get()), List.copyOf(notes));
        }
        LargestFit largest = LargestFit.of(ServingSearch.of(CoefficientTable.builtIn()));
        List<FormatFit> fits = new ArrayList<>();
        List<WeightFormat> formats = choices.formats().isEmpty() ? List.of(request.format()) : choices.formats();
        for (Served one : served(choices, formats, request.concurrency())) {
            for (WeightFormat format : choices.formats().isEmpty() ? fitFormats(request, one) : choices.formats()) {
                switch (largest.find(request.withFormat(format), one.pool, one.engine)) {
                    case Attempt.Found<FormatFit>(FormatFit fit) -> fits.add(fit);
                    case Attempt.Failed<FormatFit>(Shortfall reason) -> {
                        return new FitAnswer(
                                List.of(), Optional.of(reason), remedies(request, reason), List.copyOf(notes));
                    }
                }
            }
        }
        if (!fits.isEmpty()) {
            if (choices.formats().isEmpty() && choices.engine().isEmpty() && request.concurrency() <= MANY) {
                addLlamaCpp(fits, request, largest);
            }
            return new FitAnswer(fits, Optional.empty(), List.of(), List.copyOf(notes));
        }
        Shortfall none = devices.whyNone();
        return new FitAnswer(fits, Optional.of(none), noDevices(none), List.copyOf(notes));
    }

    /// Adds the formats of llama.cpp, if the usual engines do not keep all bits of the published weights.
    private void addLlamaCpp(List<FormatFit> fits, ServingRequest request, LargestFit largest) {
        boolean isWhole = fits.stream()
                .anyMatch(fit -> fit.plan().isPresent() && fit.format().weightBits() >= publishedBits(request));
        if (isWhole) {
            return;
        }
        List<Served> usual = served(ServingChoices.USUAL, List.of(request.format()), request.concurrency());
        for (Served one : byLlamaCpp(usual)) {
            for (WeightFormat format : fitFormats(request, one)) {
                largest.find(request.withFormat(format), one.pool, one.engine)
                        .find()
                        .ifPresent(fits::add);
            }
        }
    }

    /// Returns the best fit of each model that fits: by the usual engine, or by llama.cpp if that keeps more bits.
    List<FormatFit> recommend(List<ModelSummary> models, ServingChoices choices) {
        Map<WeightFormat, List<Served>> usualOf = new HashMap<>();
        LargestFit largest = LargestFit.of(ServingSearch.of(CoefficientTable.builtIn()));
        List<FormatFit> found = new ArrayList<>();
        for (ModelSummary model : models) {
            List<Served> usual = usualOf.computeIfAbsent(
                    ServingRequest.of(model).format(), format -> served(choices, List.of(format), 1));
            List<Served> others = choices.engine().isPresent() ? List.of() : byLlamaCpp(usual);
            Optional<FormatFit> best = best(model, usual, largest);
            boolean isWhole =
                    best.isPresent() && best.get().format().weightBits() >= publishedBits(ServingRequest.of(model));
            (isWhole
                            ? best
                            : Stream.concat(best.stream(), best(model, others, largest).stream())
                                    .max(FitAnswer::compare))
                    .ifPresent(found::add);
        }
        return found;
    }

    private static List<Served> byLlamaCpp(List<Served> usual) {
        return usual.stream()
                .filter(one -> one.engine != ServingEngine.LLAMA_CPP
                        && ServingEngine.LLAMA_CPP.runsOn(one.pool.device().family())
                        && EngineRules.runsOn(ServingEngine.LLAMA_CPP, one.pool.device()))
                .map(one -> new Served(one.pool, ServingEngine.LLAMA_CPP))
                .toList();
    }

    private Optional<FormatFit> best(ModelSummary model, List<Served> served, LargestFit largest) {
        return served.stream()
                .flatMap(one -> recommend(model, one, largest).stream())
                .max(FitAnswer::compare);
    }

    private Optional<FormatFit> recommend(ModelSummary model, Served served, LargestFit largest) {
        long most = model.architecture().find(ModelDimension.CONTEXT).orElse(ServingRequest.DEFAULT_CONTEXT);
        ServingRequest asked = ServingRequest.of(model);
        ServingRequest request = most < asked.tokens()
                ? asked.withTokens((int) Math.max(1, most - asked.output()), asked.output())
                : asked;
        return fitFormats(request, served).stream()
                .map(format -> largest.find(request.withFormat(format), served.pool, served.engine))
                .flatMap(fit -> fit.find().stream())
                .filter(fit -> fit.plan().isPresent())
                .findFirst();
    }

    /// Returns the formats, the one that is planned with first, none with more bits than that one and the published
    /// one.
    private List<WeightFormat> fitFormats(ServingRequest request, Served served) {
        WeightFormat first = usable(request, served).format();
        int most = Math.max(first.weightBits(), publishedBits(request));
        List<WeightFormat> formats = new ArrayList<>(List.of(first));
        for (WeightFormat format : served.engine == ServingEngine.LLAMA_CPP ? GGUF_FORMATS : FORMATS) {
            boolean isAnother = format != first && (format.weightBits() < SIXTEEN || first.weightBits() < SIXTEEN);
            if (isAnother && format.weightBits() <= most && runs(request.withFormat(format), served)) {
                formats.add(format);
            }
        }
        return formats;
    }

    private static int publishedBits(ServingRequest request) {
        return WeightFormat.findPublished(request.architecture())
                .map(WeightFormat::weightBits)
                .orElse(SIXTEEN);
    }
}
