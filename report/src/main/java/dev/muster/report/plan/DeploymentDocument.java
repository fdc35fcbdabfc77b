// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.Planner;
import dev.muster.plan.answer.PlanAnswer;
import dev.muster.plan.cost.Estimate;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.ServingSimulation.DeploymentPlan;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import java.util.List;

/// A deployment under load as a document.
final class DeploymentDocument {
    private DeploymentDocument() {}

    static JsonValue of(
            SimulationRequest request, Slo slo, PlanAnswer<DeploymentPlan> answer, List<DeploymentPlan> front) {
        ServingRequest serving =
                answer.findFirst().map(plan -> plan.plan().request()).orElse(request.serving());
        JsonObject.ObjectBuilder object = JsonObject.document("serving-deployment")
                .put("model", serving.model().name())
                .put("format", serving.format().label())
                .put("inputTokens", serving.input())
                .put("outputTokens", serving.output())
                .put("load", SimulationDocument.load(request.load()))
                .put("lengths", request.lengthsLabel())
                .put("steady", request.isSteady())
                .put("goal", request.serving().goal().label())
                .put("objectives", slo.objectives(), DeploymentDocument::objective)
                .put("confidenceRatio", slo.confidence())
                .put("notes", answer.notes(), DocumentParts::note);
        switch (answer) {
            case PlanAnswer.Feasible<DeploymentPlan> found ->
                object.put("keeps", true).put("tried", found.tried()).put("deployment", deployment(slo, found.best()));
            case PlanAnswer.Infeasible<DeploymentPlan> none ->
                object.put("keeps", false).put("nearest", none.remedies(), DocumentParts::remedy);
            case PlanAnswer.Unanswered<DeploymentPlan> unknown ->
                object.put("keeps", false).put("reason", DocumentParts.reason(unknown.reason()));
        }
        object.put("considered", answer.considered(), plan -> deployment(slo, plan));
        if (!front.isEmpty()) {
            object.put("pareto", front, plan -> deployment(slo, plan));
        }
        return object.build();
    }

    private static JsonValue objective(Slo.Objective objective) {
        return JsonObject.builder()
                .put("metric", objective.metric().label())
                .put("statistic", objective.statistic().label())
                .put("seconds", objective.seconds())
                .build();
    }

    /// An objective's predicted value, and the probability that it is kept.
    private static JsonValue predicted(Slo.Objective objective, ServingSimulation simulation) {
        Estimate estimate = Estimate.of(
                objective.value(simulation.figures()), simulation.intervals().of(objective.metric()));
        return JsonObject.builder()
                .put("metric", objective.metric().label())
                .put("statistic", objective.statistic().label())
                .put("p10Seconds", estimate.p10())
                .put("p50Seconds", estimate.p50())
                .put("p90Seconds", estimate.p90())
                .put("keptProbabilityRatio", objective.probability(simulation.figures(), simulation.intervals()))
                .build();
    }

    private static JsonValue deployment(Slo slo, DeploymentPlan plan) {
        JsonObject.ObjectBuilder options = JsonObject.builder();
        plan.options().forEach(options::put);
        return JsonObject.builder()
                .put("keeps", plan.isAccepted())
                .put("missed", plan.missed(), DeploymentDocument::objective)
                .put("predicted", slo.objectives(), one -> predicted(one, plan.simulation()))
                .put("engineOptions", options.build())
                .put("kvCacheBits", Planner.kvBits(plan.plan()))
                .put("replicas", plan.simulation().replicas())
                .put("decodeReplicas", plan.simulation().decodeReplicas())
                .put("kvCacheTokens", plan.simulation().kvTokens())
                .put("scheduler", SimulationDocument.scheduler(plan.simulation().scheduler()))
                .put("figures", SimulationDocument.figures(plan.figures()))
                .put("intervals", SimulationDocument.intervals(plan.simulation().intervals()))
                .put("tokensPerSecondPerDevice", plan.tokensPerSecondPerDevice())
                .put("tokensPerSecondPerUser", plan.tokensPerSecondPerUser())
                .put("preemptions", plan.simulation().preemptions())
                .put("rejected", plan.simulation().rejected())
                .put("plan", ServingDocument.plan(plan.plan()))
                .build();
    }
}
