package dev.muster.cli.model;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.ModelSummary;
import dev.muster.plan.search.DevicePool;
import dev.muster.plan.time.TrainingRun;
import dev.muster.plan.time.TrainingRun.Offload;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingAnswer;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A plan of training as a document.
///
/// @param model the model
/// @param request what was asked
/// @param answer what was found
/// @param explanation its arithmetic, where it is asked for
record TrainingPlanJson(
        ModelSummary model,
        TrainingRequest request,
        TrainingAnswer answer,
        Optional<TrainingExplanationText> explanation) {
    JsonValue json() {
        JsonObject.Builder object = JsonObject.builder()
                .put("schema", 1)
                .put("kind", "training-plan")
                .put("model", model.name())
                .put("method", request.method().display())
                .put("precision", request.precision())
                .put("sequenceTokens", request.sequence())
                .put("batchSequences", request.batch())
                .put("goal", request.goal().label())
                .put("offload", request.offload().label());
        if (request.method().hasRank()) {
            object.put("rank", request.rank());
        }
        explanation.ifPresent(one -> object.put("explanation", one.json()));
        limits(object);
        return switch (answer) {
            case TrainingAnswer.Feasible(TrainingPlan best, List<TrainingPlan> considered, long tried) -> {
                List<JsonValue> plans = new ArrayList<>();
                considered.forEach(plan -> plans.add(json(plan)));
                yield object.put("fits", true)
                        .put("plan", json(best))
                        .put("considered", plans)
                        .put("tried", tried)
                        .build();
            }
            case TrainingAnswer.Limited(TrainingPlan best, List<TrainingPlan> considered, List<String> nearest) -> {
                List<JsonValue> plans = new ArrayList<>();
                considered.forEach(plan -> plans.add(json(plan)));
                yield object.put("fits", true)
                        .put("keepsLimits", false)
                        .put("withoutLimits", json(best))
                        .put("considered", plans)
                        .put("nearest", texts(nearest))
                        .build();
            }
            case TrainingAnswer.Infeasible(TrainingPlan smallest, List<String> nearest) -> {
                yield object.put("fits", false)
                        .put("smallest", json(smallest))
                        .put("nearest", texts(nearest))
                        .build();
            }
        };
    }

    private void limits(JsonObject.Builder object) {
        TrainingLimits limits = request.limits();
        if (limits.tokens() > 0) {
            object.put("tokens", JsonNumber.of(limits.tokens()));
        }
        if (limits.hasDeadline()) {
            object.put("deadlineSeconds", JsonNumber.of(limits.seconds()));
        }
        if (limits.hasBudget()) {
            object.put("budgetUsd", JsonNumber.of(limits.usd()));
        }
    }

    /// What a plan's devices are, by their kinds.
    private static List<JsonValue> kinds(TrainingPlan plan) {
        List<DevicePool> kinds = plan.cluster().kinds();
        return (kinds.isEmpty() ? List.of(plan.cluster().pool()) : kinds)
                .stream()
                        .map(kind -> (JsonValue) JsonObject.builder()
                                .put("device", kind.device().id())
                                .put("count", kind.count())
                                .build())
                        .toList();
    }

    private static List<JsonValue> texts(List<String> sentences) {
        List<JsonValue> texts = new ArrayList<>();
        sentences.forEach(sentence -> texts.add(new JsonString(sentence)));
        return texts;
    }

    private JsonValue json(TrainingPlan plan) {
        TrainingRun run = plan.run();
        TrainingMemoryUse memory = plan.memory();
        JsonObject.Builder object = JsonObject.builder()
                .put("framework", plan.software().label())
                .put("device", plan.cluster().pool().device().id())
                .put("kinds", kinds(plan))
                .put("measuredHere", plan.cluster().pool().isMeasured())
                .put("frameworkMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("hosts", plan.hosts())
                .put("idleDevices", plan.idle())
                .put("tensorParallel", (int) run.tensor())
                .put("contextParallel", (int) run.context())
                .put("pipelineParallel", (int) run.stages())
                .put("virtualStages", (int) run.virtualStages())
                .put("expertParallel", (int) run.expert())
                .put("dataParallel", (int) run.replicas())
                .put("microBatch", (int) run.microBatch())
                .put("accumulation", (int) run.microBatches())
                .put("recompute", run.recompute().name().toLowerCase(Locale.ROOT))
                .put("sharding", run.sharding().name().toLowerCase(Locale.ROOT))
                .put("mesh", PlacementJson.mesh(plan.mesh()))
                .put("stages", PlacementJson.stages(plan.stageLayers()))
                .put("weightBytes", Math.round(memory.weights()))
                .put("gradientBytes", Math.round(memory.gradients()))
                .put("optimizerBytes", Math.round(memory.optimizer()))
                .put("activationBytes", Math.round(memory.activations()))
                .put("workspaceBytes", Math.round(memory.workspace()))
                .put("capacityBytes", Math.round(memory.capacity()))
                .put("offload", run.offload().label())
                .put("fits", memory.fits())
                .put("peakBytes", PredictedFigures.json(plan.peak()))
                .put("stepSeconds", PredictedFigures.json(plan.stepSeconds()))
                .put("tokensPerSecond", PredictedFigures.json(plan.tokensPerSecond()))
                .put("utilizationRatio", JsonNumber.of(plan.utilization()))
                .put("timeRatios", TimeShares.of(plan.time()).json());
        plan.joulesPerToken().find().ifPresent(joules -> object.put("joulesPerToken", PredictedFigures.json(joules)));
        if (request.limits().tokens() > 0) {
            object.put("training", TrainingBillText.of(request, plan).json());
        }
        if (run.offload() != Offload.NONE) {
            OffloadStore store = plan.cluster().store();
            object.put("offloadTo", store.place().label())
                    .put("offloadedBytes", Math.round(memory.hosted()))
                    .put("offloadAssumptions", texts(store.assumptions()));
            if (store.isRoomKnown()) {
                object.put("offloadCapacityBytes", Math.round(memory.hostCapacity()));
            }
        }
        return object.build();
    }
}
