// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelComponent;
import dev.muster.model.ModelKind;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.StepTerm;
import dev.muster.plan.serving.TaskPlan;
import dev.muster.plan.serving.TaskRequest;
import java.util.Locale;

/// The document of a plan for a model that does not chat: kind `task-plan`.
final class TaskDocument {
    private static final int SHOWN = 50;

    private TaskDocument() {}

    static boolean isSound(TaskRequest request) {
        return request.kind() == ModelKind.SPEECH_RECOGNITION || request.kind() == ModelKind.TEXT_TO_SPEECH;
    }

    static JsonValue of(TaskRequest request, PlanAnswer<TaskPlan> answer) {
        JsonObject.ObjectBuilder document = JsonObject.document("task-plan")
                .put("model", request.model().name())
                .put("task", request.kind().label())
                .put("modelParts", request.parts(), TaskDocument::part)
                .put("format", request.format().label())
                .put("goal", request.goal().label());
        switch (request.kind()) {
            case TEXT_GENERATION, EMBEDDING, RERANKER, TEXT_ENCODER -> document.put("inputTokens", request.input());
            case ENCODER_DECODER -> document.put("inputTokens", request.input()).put("outputTokens", request.output());
            case SPEECH_RECOGNITION, TEXT_TO_SPEECH -> document.put("audioSeconds", request.seconds());
            case VISION_ENCODER -> document.put("resolution", size(request));
            case IMAGE_GENERATION -> document.put("resolution", size(request)).put("steps", request.steps());
            case VIDEO_GENERATION ->
                document.put("resolution", size(request))
                        .put("frames", request.frames())
                        .put("steps", request.steps());
        }
        document.put("fits", answer.isFeasible());
        switch (answer) {
            case PlanAnswer.Feasible<TaskPlan> found -> document.put("plan", plan(found.best()));
            case PlanAnswer.Infeasible<TaskPlan> none ->
                document.put("reason", DocumentParts.reason(none.closest().shortfall()))
                        .put("nearest", none.remedies(), DocumentParts::remedy);
            case PlanAnswer.Unanswered<TaskPlan> unknown ->
                document.put("reason", DocumentParts.reason(unknown.reason()))
                        .put("nearest", unknown.remedies(), DocumentParts::remedy);
        }
        return document.put(
                        "considered", answer.considered().stream().limit(SHOWN).toList(), TaskDocument::plan)
                .put("notes", answer.notes(), DocumentParts::note)
                .build();
    }

    private static JsonString size(TaskRequest request) {
        return new JsonString(request.width() + "x" + request.height());
    }

    private static JsonValue part(ModelComponent part) {
        return JsonObject.builder()
                .put("name", part.name())
                .put("role", part.role().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("parameters", part.parameters())
                .build();
    }

    private static JsonValue plan(TaskPlan plan) {
        return JsonObject.builder()
                .put("engine", plan.engine().label())
                .put("engineMeasured", plan.isMeasured())
                .put("device", plan.pool().device().id())
                .put("devices", plan.devices())
                .put("deviceIds", plan.members(), DocumentParts::device)
                .put("devicesPerReplica", plan.degree())
                .put("replicas", plan.replicas())
                .put("batch", plan.request().batch())
                .put("latencySeconds", DocumentParts.estimate(plan.latency()))
                .put(
                        isSound(plan.request()) ? "audioSecondsPerSecond" : "itemsPerSecond",
                        DocumentParts.estimate(plan.rate()))
                .put("parts", plan.parts(), TaskDocument::term)
                .put("fits", plan.memory().fits())
                .put("weightBytes", Math.round(plan.memory().weights()))
                .put("kvCacheBytes", Math.round(plan.memory().kvCache()))
                .put("workspaceBytes", Math.round(plan.memory().workspace()))
                .put("capacityBytes", Math.round(plan.memory().capacity()))
                .put("rental", plan.rental().find(), DocumentParts::rental)
                .build();
    }

    private static JsonValue term(StepTerm term) {
        return JsonObject.builder()
                .put("part", term.what())
                .put("seconds", term.seconds())
                .put("operations", term.operations())
                .put("bytes", term.bytes())
                .build();
    }
}
