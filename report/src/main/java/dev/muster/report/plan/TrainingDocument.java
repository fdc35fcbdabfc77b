// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.DevicePool;
import dev.muster.plan.cost.TrainingRun;
import dev.muster.plan.cost.TrainingRun.Offload;
import dev.muster.plan.training.OffloadStore;
import dev.muster.plan.training.TrainingBill;
import dev.muster.plan.training.TrainingExplanation;
import dev.muster.plan.training.TrainingLimits;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.plan.training.TrainingPlan;
import dev.muster.plan.training.TrainingRequest;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Documents of training plans, of kind `training-plan`. docs/schema describes it.
///
/// @since 0.1
public final class TrainingDocument {
    private TrainingDocument() {}

    /// Returns the document of an answer.
    ///
    /// @param explanation explanation of the first plan, if requested
    public static JsonValue of(
            TrainingRequest request, PlanAnswer<TrainingPlan> answer, Optional<TrainingExplanation> explanation) {
        JsonObject.ObjectBuilder object = JsonObject.document("training-plan")
                .put("model", request.model().name())
                .put("method", request.method().display())
                .put("precision", request.precision().label())
                .put("sequenceTokens", request.sequence())
                .put("globalBatch", request.batch())
                .put("goal", request.goal().label())
                .put("offload", request.offload().label());
        if (request.method().hasRank()) {
            object.put("rank", request.rank());
        }
        object.put("explanation", explanation, TrainingDocument::json);
        putLimits(object, request.limits());
        object.put("notes", answer.notes(), DocumentParts::note);
        List<JsonValue> plans = answer.considered().stream()
                .<JsonValue>map(plan -> builder(plan).build())
                .toList();
        return switch (answer) {
            case PlanAnswer.Feasible<TrainingPlan> found ->
                object.put("fits", true)
                        .put("plan", withCommunication(found.best()))
                        .put("considered", plans)
                        .put("tried", found.tried())
                        .build();
            case PlanAnswer.Infeasible<TrainingPlan> none -> {
                boolean fits = none.closest().memory().fits();
                object.put("fits", fits);
                if (fits) {
                    object.put("keepsLimits", false);
                }
                yield object.put(fits ? "withoutLimits" : "smallest", plans.getFirst())
                        .put("considered", plans)
                        .put("nearest", none.remedies(), DocumentParts::remedy)
                        .build();
            }
            case PlanAnswer.Unanswered<TrainingPlan> unknown ->
                object.put("fits", false)
                        .put("reason", DocumentParts.reason(unknown.reason()))
                        .build();
        };
    }

    private static JsonValue json(TrainingExplanation explanation) {
        return JsonObject.builder()
                .put("memory", explanation.memory(), DocumentParts::memory)
                .put("step", explanation.step(), DocumentParts::time)
                .put("coefficients", explanation.coefficients(), DocumentParts::coefficient)
                .put("ruledOut", explanation.ruledOut(), DocumentParts::ruledOut)
                .build();
    }

    private static void putLimits(JsonObject.ObjectBuilder object, TrainingLimits limits) {
        if (limits.tokens() > 0) {
            object.put("tokens", limits.tokens());
        }
        if (limits.hasDeadline()) {
            object.put("deadlineSeconds", limits.seconds());
        }
        if (limits.hasBudget()) {
            object.put("budgetUsd", limits.usd());
        }
    }

    private static JsonValue kind(DevicePool kind) {
        return JsonObject.builder()
                .put("device", kind.device().id())
                .put("count", kind.count())
                .build();
    }

    private static JsonValue withCommunication(TrainingPlan plan) {
        return builder(plan)
                .put("communication", DocumentParts.communication(Planner.communication(plan)))
                .build();
    }

    private static JsonObject.ObjectBuilder builder(TrainingPlan plan) {
        TrainingRun run = plan.run();
        TrainingMemoryUse memory = plan.memory();
        JsonObject.ObjectBuilder ratios = JsonObject.builder();
        plan.time()
                .shares()
                .forEach((part, seconds) -> ratios.put(
                        part.label(), JsonNumber.of(seconds / plan.time().seconds())));
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("framework", plan.software().label())
                .put("device", plan.cluster().pool().device().id())
                .put("deviceIds", plan.members(), DocumentParts::device)
                .put("kinds", plan.cluster().kindsOrPool(), TrainingDocument::kind)
                .put("measuredHere", plan.cluster().pool().isMeasured())
                .put("frameworkMeasured", plan.isMeasured())
                .put("devices", plan.devices())
                .put("hosts", plan.hosts())
                .put("idleDevices", plan.idle())
                .put("tensorParallel", (int) run.tp())
                .put("contextParallel", (int) run.cp())
                .put("pipelineParallel", (int) run.pp())
                .put("virtualStages", (int) run.virtualStages())
                .put("expertParallel", (int) run.ep())
                .put("dataParallel", (int) run.replicas())
                .put("microBatch", (int) run.microBatch())
                .put("gradientAccumulation", (int) run.microBatches())
                .put("recompute", run.recompute().name().toLowerCase(Locale.ROOT))
                .put("sharding", run.sharding().name().toLowerCase(Locale.ROOT))
                .put("mesh", plan.mesh().entrySet(), DocumentParts::axis)
                .put("stages", DocumentParts.stages(plan.stageLayers()))
                .put("weightBytes", Math.round(memory.weights()))
                .put("gradientBytes", Math.round(memory.gradients()))
                .put("optimizerBytes", Math.round(memory.optimizer()))
                .put("activationBytes", Math.round(memory.activations()))
                .put("workspaceBytes", Math.round(memory.workspace()))
                .put("capacityBytes", Math.round(memory.capacity()))
                .put("offload", run.offload().label())
                .put("fits", memory.fits())
                .put("peakBytes", DocumentParts.estimate(plan.peak()))
                .put("stepSeconds", DocumentParts.estimate(plan.stepSeconds()))
                .put("tokensPerSecond", DocumentParts.estimate(plan.tokensPerSecond()))
                .put("mfuRatio", plan.utilization())
                .put("timeRatios", ratios.build());
        object.put("joulesPerToken", plan.joulesPerToken().find(), DocumentParts::estimate);
        if (plan.request().limits().tokens() > 0) {
            object.put("training", bill(plan));
        }
        if (run.offload() != Offload.NONE) {
            OffloadStore store = plan.cluster().store();
            object.put("offloadTo", store.place().label())
                    .put("offloadedBytes", Math.round(memory.hosted()))
                    .put("offloadAssumptions", DocumentParts.SENTENCES.assumptions(plan.cluster()), JsonString::new);
            if (store.isRoomKnown()) {
                object.put("offloadCapacityBytes", Math.round(memory.hostCapacity()));
            }
        }
        return object;
    }

    private static JsonValue bill(TrainingPlan plan) {
        TrainingBill bill = TrainingBill.of(plan, plan.request().limits().tokens());
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("seconds", DocumentParts.estimate(bill.seconds()))
                .put("deviceHours", DocumentParts.estimate(bill.deviceHours()));
        object.put("goodputRatio", bill.goodput())
                .put("elapsedSeconds", DocumentParts.estimate(bill.elapsed()))
                .put("checkpointBytes", Math.round(bill.checkpointBytes()))
                .put("checkpointSeconds", bill.checkpointSeconds())
                .put("checkpointEverySeconds", bill.checkpointEvery())
                .put("failures", bill.failures());
        object.put("usdElapsed", bill.usdElapsed().find(), DocumentParts::estimate);
        object.put("joules", bill.joules().find(), DocumentParts::estimate);
        object.put("usd", bill.usd().find(), DocumentParts::estimate);
        object.put("rental", plan.rental().find(), DocumentParts::rental);
        return object.build();
    }
}
