package dev.muster.cli.model;

import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.ModelDimension;
import dev.muster.plan.StageLayers;
import dev.muster.plan.memory.PublishedFormat;
import dev.muster.plan.search.LimitBreach;
import dev.muster.plan.search.Rental;
import dev.muster.plan.search.ServingAnswer;
import dev.muster.plan.search.ServingLimits;
import dev.muster.plan.search.ServingPlan;
import dev.muster.plan.search.ServingRequest;
import java.util.ArrayList;
import java.util.List;

/// Plans of serving as documents.
final class ServingJson {
    private ServingJson() {}

    /// The answer of a search.
    static JsonValue of(ServingText text) {
        ServingRequest request = text.request();
        JsonObject.Builder object = JsonObject.builder()
                .put("schema", 1)
                .put("kind", "serving-plan")
                .put("model", text.model().name())
                .put("format", request.format())
                .put("formatIsPublished", PublishedFormat.is(request.format(), request.architecture()))
                .put("inputTokens", request.input())
                .put("outputTokens", request.output())
                .put("concurrency", request.concurrency())
                .put("goal", request.goal().label());
        if (request.limits().isAny()) {
            object.put("limits", limits(request.limits()));
        }
        List<ServingPlan> plans = text.answer().considered();
        List<JsonValue> considered = new ArrayList<>();
        plans.forEach(plan -> considered.add(plan(plan)));
        switch (text.answer()) {
            case ServingAnswer.Feasible(ServingPlan best, var _) ->
                object.put("fits", true).put("plan", plan(best)).put("stages", stages(request, best));
            case ServingAnswer.Infeasible(var _, var nearest) -> {
                List<JsonValue> sentences = new ArrayList<>();
                nearest.forEach(sentence -> sentences.add(new JsonString(sentence)));
                object.put("fits", false).put("nearest", sentences);
            }
        }
        text.explanation().ifPresent(arithmetic -> object.put("explanation", arithmetic.json()));
        object.put("considered", considered);
        if (text.isFront()) {
            List<JsonValue> front = new ArrayList<>();
            text.answer().front().forEach(plan -> front.add(JsonNumber.of(plans.indexOf(plan))));
            object.put("pareto", front);
        }
        return object.build();
    }

    private static List<JsonValue> stages(ServingRequest request, ServingPlan plan) {
        int layers = Math.toIntExact(
                request.architecture().find(ModelDimension.LAYERS).orElseThrow());
        return PlacementJson.stages(new StageLayers(layers, plan.layout().stages()));
    }

    private static JsonValue limits(ServingLimits limits) {
        JsonObject.Builder object = JsonObject.builder();
        if (limits.firstToken() < Double.POSITIVE_INFINITY) {
            object.put("firstTokenSeconds", JsonNumber.of(limits.firstToken()));
        }
        if (limits.perToken() < Double.POSITIVE_INFINITY) {
            object.put("perTokenSeconds", JsonNumber.of(limits.perToken()));
        }
        if (limits.hasBudget()) {
            object.put("usdPerHour", JsonNumber.of(limits.usdPerHour()));
        }
        return object.build();
    }

    /// One plan.
    static JsonValue plan(ServingPlan plan) {
        JsonObject.Builder object = JsonObject.builder()
                .put("engine", plan.software().label())
                .put("device", plan.pool().device().id())
                .put("measuredHere", plan.pool().isMeasured())
                .put("engineMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("copies", plan.copies())
                .put("tensorParallel", plan.layout().tensor())
                .put("pipelineParallel", plan.layout().stages())
                .put("expertParallel", plan.layout().expert())
                .put("attentionReplicas", plan.layout().replicas())
                .put("mesh", PlacementJson.mesh(plan.mesh()))
                .put("weightBytes", Math.round(plan.memory().weights()))
                .put("cacheBytes", Math.round(plan.memory().cache()))
                .put("workspaceBytes", Math.round(plan.memory().workspace()))
                .put("capacityBytes", Math.round(plan.memory().capacity()))
                .put("fits", plan.memory().fits())
                .put("firstTokenSeconds", PredictedFigures.json(plan.firstToken()))
                .put("firstTokenQueuedSeconds", PredictedFigures.json(plan.firstTokenQueued()))
                .put("perTokenSeconds", PredictedFigures.json(plan.perToken()))
                .put("tokensPerSecond", PredictedFigures.json(plan.tokensPerSecond()));
        plan.rental().find().ifPresent(rental -> object.put("rental", rental(rental)));
        plan.usdPerMillionTokens()
                .find()
                .ifPresent(cost -> object.put("usdPerMillionTokens", PredictedFigures.json(cost)));
        plan.joulesPerToken().find().ifPresent(joules -> object.put("joulesPerToken", PredictedFigures.json(joules)));
        if (!plan.breaches().isEmpty()) {
            List<JsonValue> breaches = new ArrayList<>();
            plan.breaches().forEach(breach -> breaches.add(breach(breach)));
            object.put("breaches", breaches);
        }
        if (!plan.rental().isKnown() || !plan.joulesPerToken().isKnown()) {
            JsonObject.Builder unknown = JsonObject.builder();
            addUnknown(unknown, "rental", plan.rental());
            addUnknown(unknown, "joulesPerToken", plan.joulesPerToken());
            object.put("unknown", unknown.build());
        }
        return object.build();
    }

    private static void addUnknown(JsonObject.Builder object, String key, Reading<?> fact) {
        if (fact instanceof Reading.Unknown<?>(var reason, String detail)) {
            object.put(
                    key,
                    JsonObject.builder()
                            .put("reason", reason.text())
                            .put("detail", detail)
                            .build());
        }
    }

    /// Machines that are rented.
    static JsonValue rental(Rental rental) {
        return JsonObject.builder()
                .put("instance", rental.offer().instance())
                .put("provider", rental.offer().provider().text())
                .put("region", rental.offer().region())
                .put("instances", rental.instances())
                .put("usdPerHour", JsonNumber.of(rental.usdPerHour()))
                .put("priceDate", rental.offer().date().toString())
                .put("priceSource", rental.offer().source())
                .build();
    }

    private static JsonValue breach(LimitBreach breach) {
        return JsonObject.builder()
                .put("limit", breach.limit().label())
                .put("allowed", JsonNumber.of(breach.allowed()))
                .put("predicted", JsonNumber.of(breach.predicted()))
                .build();
    }
}
