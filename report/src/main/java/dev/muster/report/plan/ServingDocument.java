// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelDimension;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.Planner;
import dev.muster.plan.ServingOutcome;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.cost.Rental;
import dev.muster.plan.cost.StageLayers;
import dev.muster.plan.serving.FormatFit;
import dev.muster.plan.serving.ImageInput;
import dev.muster.plan.serving.MixedPlan;
import dev.muster.plan.serving.MixedPlan.Placement;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingExplanation;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Documents of serving plans: kind `serving-plan`, or `split-plan` if unlike devices share the model by layers.
/// docs/schema describes both.
///
/// @since 0.1
public final class ServingDocument {
    private ServingDocument() {}

    /// Returns the document of an outcome.
    ///
    /// @param isFront true if the Pareto front is marked
    /// @param explanation explanation of the first plan, if requested
    public static JsonValue of(ServingOutcome outcome, boolean isFront, Optional<ServingExplanation> explanation) {
        return outcome.splits().isEmpty() ? uniform(outcome, isFront, explanation) : split(outcome);
    }

    private static JsonObject.ObjectBuilder begin(String kind, ServingOutcome outcome) {
        ServingRequest request = outcome.request();
        JsonObject.ObjectBuilder object = JsonObject.document(kind)
                .put("model", request.model().name())
                .put("format", request.format().label())
                .put("formatIsPublished", WeightFormat.isPublished(request.format(), request.architecture()))
                .put("inputTokens", request.input())
                .put("outputTokens", request.output())
                .put("concurrency", request.concurrency())
                .put("goal", request.goal().label());
        if (request.images().isAny()) {
            object.put("images", images(request.images()));
        }
        if (request.isLimited()) {
            object.put("limits", limits(request));
        }
        return object.put("notes", outcome.answer().notes(), DocumentParts::note);
    }

    private static JsonObject images(ImageInput images) {
        return JsonObject.builder()
                .put("count", images.count())
                .put("width", images.width())
                .put("height", images.height())
                .put("tokens", images.tokens())
                .build();
    }

    private static JsonValue uniform(
            ServingOutcome outcome, boolean isFront, Optional<ServingExplanation> explanation) {
        JsonObject.ObjectBuilder object = begin("serving-plan", outcome);
        List<ServingPlan> plans = outcome.answer().considered();
        switch (outcome.answer()) {
            case PlanAnswer.Feasible<ServingPlan> found ->
                object.put("fits", true)
                        .put("plan", withCommunication(found.best()))
                        .put("stages", stages(found.best()));
            case PlanAnswer.Infeasible<ServingPlan> none ->
                object.put("fits", false).put("nearest", none.remedies(), DocumentParts::remedy);
            case PlanAnswer.Unanswered<ServingPlan> unknown ->
                object.put("fits", false).put("reason", DocumentParts.reason(unknown.reason()));
        }
        object.put("explanation", explanation, ServingDocument::json);
        object.put("considered", plans, ServingDocument::plan);
        if (isFront) {
            object.put("pareto", ServingPlan.front(plans), plan -> JsonNumber.of(plans.indexOf(plan)));
        }
        return object.build();
    }

    private static JsonValue json(ServingExplanation explanation) {
        return JsonObject.builder()
                .put("memory", explanation.memory(), DocumentParts::memory)
                .put("step", explanation.step(), DocumentParts::time)
                .put("timeToFirstToken", explanation.timeToFirstToken(), DocumentParts::time)
                .put("coefficients", explanation.coefficients(), DocumentParts::coefficient)
                .put("ruledOut", explanation.ruledOut(), DocumentParts::ruledOut)
                .build();
    }

    private static List<JsonValue> stages(ServingPlan plan) {
        int layers = Math.toIntExact(
                plan.request().architecture().find(ModelDimension.LAYERS).orElseThrow());
        return DocumentParts.stages(new StageLayers(layers, plan.layout().pp()));
    }

    private static JsonValue limits(ServingRequest request) {
        JsonObject.ObjectBuilder object = JsonObject.builder();
        SimulationDocument.put(object, request.slo());
        request.usdPerHour().ifPresent(most -> object.put("usdPerHour", most));
        return object.build();
    }

    private static JsonValue withCommunication(ServingPlan plan) {
        return builder(plan)
                .put("communication", DocumentParts.communication(Planner.communication(plan)))
                .build();
    }

    public static JsonValue plan(ServingPlan plan) {
        return builder(plan).build();
    }

    private static JsonObject.ObjectBuilder builder(ServingPlan plan) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("engine", plan.software().label())
                .put("device", plan.pool().device().id())
                .put("deviceIds", plan.members(), DocumentParts::device)
                .put("measuredHere", plan.pool().isMeasured())
                .put("engineMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("hosts", plan.pool().hosts())
                .put("replicas", plan.replicas())
                .put("tensorParallel", plan.layout().tp())
                .put("pipelineParallel", plan.layout().pp())
                .put("expertParallel", plan.layout().ep())
                .put("attentionDataParallel", plan.layout().attentionDp())
                .put("mesh", plan.mesh().entrySet(), DocumentParts::axis);
        put(object, plan.memory());
        object.put("fits", plan.memory().fits())
                .put("timeToFirstTokenSeconds", DocumentParts.estimate(plan.timeToFirstToken()))
                .put("timeToFirstTokenQueuedSeconds", DocumentParts.estimate(plan.timeToFirstTokenQueued()))
                .put("timePerOutputTokenSeconds", DocumentParts.estimate(plan.timePerOutputToken()))
                .put("tokensPerSecond", DocumentParts.estimate(plan.tokensPerSecond()));
        object.put("rental", plan.rental().find(), DocumentParts::rental);
        object.put("usdPerMillionTokens", plan.usdPerMillionTokens().find(), DocumentParts::estimate);
        object.put("joulesPerToken", plan.joulesPerToken().find(), DocumentParts::estimate);
        if (!plan.breaches().isEmpty()) {
            object.put("breaches", plan.breaches(), ServingDocument::breach);
        }
        if (!plan.rental().isKnown() || !plan.joulesPerToken().isKnown()) {
            JsonObject.ObjectBuilder unknown = JsonObject.builder();
            putUnknown(unknown, "rental", plan.rental());
            putUnknown(unknown, "joulesPerToken", plan.joulesPerToken());
            object.put("unknown", unknown.build());
        }
        return object;
    }

    private static void put(JsonObject.ObjectBuilder object, DeviceMemoryUse memory) {
        object.put("weightBytes", Math.round(memory.weights()))
                .put("kvCacheBytes", Math.round(memory.kvCache()))
                .put("workspaceBytes", Math.round(memory.workspace()))
                .put("capacityBytes", Math.round(memory.capacity()));
    }

    private static void putUnknown(JsonObject.ObjectBuilder object, String key, Reading<?> fact) {
        if (fact instanceof Reading.Unknown<?>(var reason, String detail)) {
            object.put(
                    key,
                    JsonObject.builder()
                            .put("reason", reason.text())
                            .put("detail", detail)
                            .build());
        }
    }

    private static JsonValue breach(ServingRequest.Breach breach) {
        return JsonObject.builder()
                .put("limit", breach.limit().label())
                .put("allowed", breach.allowed())
                .put("predicted", breach.predicted())
                .build();
    }

    /// Returns the fits of a model on devices, by format: kind `fit`.
    public static JsonValue fits(ServingRequest request, Planner.FitAnswer answer) {
        return JsonObject.document("fit")
                .put("model", request.model().name())
                .put("askedTokens", request.tokens())
                .put("concurrency", request.concurrency())
                .put("fits", answer.fits().stream().anyMatch(FormatFit::isAny))
                .put("formats", answer.fits(), fit -> json(fit, request))
                .put(
                        "recommendedFormat",
                        answer.findRecommended(),
                        fit -> new JsonString(fit.format().label()))
                .build();
    }

    private static JsonValue json(FormatFit fit, ServingRequest request) {
        return JsonObject.builder()
                .put("device", fit.pool().device().id())
                .put("devices", fit.pool().count())
                .put("engine", fit.software().label())
                .put("format", fit.format().label())
                .put("formatIsPublished", WeightFormat.isPublished(fit.format(), request.architecture()))
                .put(
                        "weightBytes",
                        new JsonNumber(Long.toUnsignedString(fit.weights().unsigned())))
                .put("contextTokensAlone", fit.tokensAlone())
                .put("contextTokens", fit.tokens())
                .put("contextIsWhole", fit.tokens() == fit.mostTokens())
                .put("sequences", fit.sequences())
                .put("kvCacheBits", fit.kvBits())
                .put("plan", fit.plan(), ServingDocument::plan)
                .build();
    }

    /// Returns one request on two machines: kind `comparison`.
    ///
    /// @param a name of the first machine
    /// @param b name of the second machine
    public static JsonValue comparison(ServingRequest request, String a, String b, Planner.Comparison found) {
        JsonObject ratios = JsonObject.builder()
                .put("tokensPerSecond", ratio(found, plan -> known(plan.tokensPerSecond())), JsonNumber::of)
                .put(
                        "timePerOutputTokenSeconds",
                        ratio(found, plan -> known(plan.timePerOutputToken())),
                        JsonNumber::of)
                .put("timeToFirstTokenSeconds", ratio(found, plan -> known(plan.timeToFirstToken())), JsonNumber::of)
                .put(
                        "timeToFirstTokenQueuedSeconds",
                        ratio(found, plan -> known(plan.timeToFirstTokenQueued())),
                        JsonNumber::of)
                .put(
                        "usdPerMillionTokens",
                        ratio(found, plan -> plan.usdPerMillionTokens().find()),
                        JsonNumber::of)
                .put(
                        "joulesPerToken",
                        ratio(found, plan -> plan.joulesPerToken().find()),
                        JsonNumber::of)
                .put("usdPerHour", found.ratio(plan -> plan.rental().find().map(Rental::usdPerHour)), JsonNumber::of)
                .build();
        return JsonObject.document("comparison")
                .put("model", request.model().name())
                .put("format", request.format().label())
                .put("inputTokens", request.input())
                .put("outputTokens", request.output())
                .put("concurrency", request.concurrency())
                .put("goal", request.goal().label())
                .put("a", side(a, found.here()))
                .put("b", side(b, found.there()))
                .put("ratios", ratios)
                .build();
    }

    private static Optional<Estimate> known(Estimate estimate) {
        return Optional.of(estimate);
    }

    private static Optional<Double> ratio(
            Planner.Comparison found, Function<ServingPlan, Optional<Estimate>> estimate) {
        return found.ratio(plan -> estimate.apply(plan).map(Estimate::p50));
    }

    private static JsonValue side(String machine, ServingOutcome outcome) {
        ServingRequest request = outcome.request();
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("machine", machine)
                .put("format", request.format().label())
                .put("formatIsPublished", WeightFormat.isPublished(request.format(), request.architecture()))
                .put("fits", outcome.answer().isFeasible());
        switch (outcome.answer()) {
            case PlanAnswer.Feasible<ServingPlan> found -> object.put("plan", plan(found.best()));
            case PlanAnswer.Infeasible<ServingPlan> none ->
                object.put("reason", DocumentParts.reason(none.closest().shortfall()))
                        .put("nearest", none.remedies(), DocumentParts::remedy);
            case PlanAnswer.Unanswered<ServingPlan> unknown ->
                object.put("reason", DocumentParts.reason(unknown.reason()));
        }
        return object.build();
    }

    /// Returns the deployment that keeps objectives under a load: kind `serving-deployment`.
    ///
    /// @param front Pareto front of deployments; empty if not requested
    public static JsonValue deployment(
            SimulationRequest request, Slo slo, PlanAnswer<DeploymentPlan> answer, List<DeploymentPlan> front) {
        return DeploymentDocument.of(request, slo, answer, front);
    }

    /// Returns the simulation of a deployment under load: kind `serving-simulation`.
    ///
    /// @param curve the deployment under other loads; empty if not requested
    public static JsonValue simulation(
            SimulationRequest request, ServingSimulation simulation, List<ServingSimulation.LoadPoint> curve) {
        return SimulationDocument.of(request, simulation, curve);
    }

    private static JsonValue split(ServingOutcome outcome) {
        return begin("split-plan", outcome)
                .put("fits", true)
                .put("plan", json(outcome.splits().getFirst()))
                .put("considered", outcome.splits(), ServingDocument::json)
                .build();
    }

    private static JsonValue json(MixedPlan plan) {
        return JsonObject.builder()
                .put("engine", ServingEngine.LLAMA_CPP.label())
                .put("engineMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("deviceIds", plan.members(), DocumentParts::device)
                .put("deviceLayers", plan.deviceLayers())
                .put("usesHost", plan.usesHost())
                .put("hostExpertLayers", plan.hostExperts())
                .put("placements", plan.placements(), ServingDocument::json)
                .put("idleDeviceIds", plan.idle(), JsonString::new)
                .put("timeToFirstTokenSeconds", DocumentParts.estimate(plan.timeToFirstToken()))
                .put("timePerOutputTokenSeconds", DocumentParts.estimate(plan.timePerOutputToken()))
                .put("tokensPerSecond", DocumentParts.estimate(plan.tokensPerSecond()))
                .put("prefillTokensPerSecond", DocumentParts.estimate(plan.prefillTokensPerSecond()))
                .build();
    }

    private static JsonValue json(Placement placement) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("device", placement.device())
                .put(
                        "deviceId",
                        placement.member(),
                        device -> new JsonString(device.id().text()))
                .put("host", placement.isHost())
                .put("firstLayer", placement.firstLayer())
                .put("layers", placement.layers())
                .put("head", placement.hasHead())
                .put("expertLayersOnHost", placement.expertsElsewhere());
        put(object, placement.memory());
        return object.build();
    }
}
