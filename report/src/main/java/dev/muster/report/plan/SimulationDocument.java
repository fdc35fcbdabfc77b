// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.cost.ErrorInterval;
import dev.muster.plan.serving.ServingLoad;
import dev.muster.plan.serving.ServingSimulation;
import dev.muster.plan.serving.SimulationRequest;
import dev.muster.plan.serving.Slo;
import dev.muster.plan.serving.Slo.LatencyMetric;
import java.util.List;

/// A simulation of serving as a document.
final class SimulationDocument {
    private static final double TEN_THOUSAND = 1e4;

    private SimulationDocument() {}

    static JsonValue of(
            SimulationRequest request, ServingSimulation simulation, List<ServingSimulation.LoadPoint> curve) {
        JsonObject.ObjectBuilder object = JsonObject.document("serving-simulation")
                .put("model", request.serving().model().name())
                .put("format", simulation.plan().request().format().label())
                .put("inputTokens", simulation.plan().request().input())
                .put("outputTokens", simulation.plan().request().output())
                .put("load", load(request.load()))
                .put("lengths", request.lengthsLabel())
                .put("steady", request.isSteady());
        if (request.targets().isAny()) {
            object.put("targets", targets(request.targets()));
        }
        object.put("replicas", simulation.replicas())
                .put("decodeReplicas", simulation.decodeReplicas())
                .put("kvCacheTokens", simulation.kvTokens())
                .put("scheduler", scheduler(simulation.scheduler()))
                .put("figures", figures(simulation.figures()))
                .put("intervals", intervals(simulation.intervals()))
                .put("kvCacheUse", timeline(simulation))
                .put("preemptions", simulation.preemptions())
                .put("recomputedTokens", simulation.recomputedTokens())
                .put("rejected", simulation.rejected())
                .put("notes", simulation.notes(), note -> new JsonString(DocumentParts.SENTENCES.note(note)));
        if (!curve.isEmpty()) {
            object.put("curve", curve, SimulationDocument::point);
            ServingSimulation.findKnee(curve).ifPresent(knee -> object.put("kneeLoad", knee.load()));
        }
        return object.put("plan", ServingDocument.plan(simulation.plan())).build();
    }

    static JsonValue load(ServingLoad load) {
        JsonObject.ObjectBuilder object = JsonObject.builder();
        return switch (load) {
            case ServingLoad.Users(int users) ->
                object.put("kind", "users").put("users", users).build();
            case ServingLoad.Rate(double perSecond) ->
                object.put("kind", "rate").put("requestsPerSecond", perSecond).build();
            case ServingLoad.Burst(int requests) ->
                object.put("kind", "burst").put("requests", requests).build();
            case ServingLoad.Replay replay ->
                object.put("kind", "trace")
                        .put("requests", replay.trace().size())
                        .put("requestsPerSecond", replay.trace().meanRate())
                        .build();
        };
    }

    private static JsonValue targets(Slo targets) {
        JsonObject.ObjectBuilder object = JsonObject.builder();
        put(object, targets);
        return object.build();
    }

    /// Adds the limit of each metric that has one.
    static void put(JsonObject.ObjectBuilder object, Slo slo) {
        slo.findSeconds(LatencyMetric.TTFT).ifPresent(most -> object.put("timeToFirstTokenSeconds", most));
        slo.findSeconds(LatencyMetric.TPOT).ifPresent(most -> object.put("timePerOutputTokenSeconds", most));
        slo.findSeconds(LatencyMetric.LATENCY).ifPresent(most -> object.put("latencySeconds", most));
    }

    static JsonValue scheduler(ServingSimulation.Scheduler scheduler) {
        return JsonObject.builder()
                .put("release", scheduler.release())
                .put("prompts", scheduler.prompts())
                .put("chunked", scheduler.isChunked())
                .put("tokenBudget", scheduler.tokenBudget())
                .put("maxSequences", scheduler.maxSequences())
                .put("source", scheduler.source())
                .build();
    }

    static JsonValue figures(ServingSimulation.Figures figures) {
        return JsonObject.builder()
                .put("stable", figures.isStable())
                .put("answered", figures.answered())
                .put("durationSeconds", figures.seconds())
                .put("tokensPerSecond", figures.tokensPerSecond())
                .put("requestsPerSecond", figures.requestsPerSecond())
                .put("goodputRequestsPerSecond", figures.goodput())
                .put("timeToFirstTokenSeconds", spread(figures.timeToFirstToken()))
                .put("timePerOutputTokenSeconds", spread(figures.timePerOutputToken()))
                .put("latencySeconds", spread(figures.latency()))
                .build();
    }

    static JsonValue intervals(ServingSimulation.Intervals intervals) {
        return JsonObject.builder()
                .put("timeToFirstToken", interval(intervals.timeToFirstToken()))
                .put("timePerOutputToken", interval(intervals.timePerOutputToken()))
                .put("throughput", interval(intervals.throughput()))
                .build();
    }

    private static JsonValue interval(ErrorInterval interval) {
        return JsonObject.builder()
                .put("lowRatio", interval.low())
                .put("highRatio", interval.high())
                .build();
    }

    private static JsonValue spread(ServingSimulation.Spread spread) {
        return JsonObject.builder()
                .put("mean", spread.mean())
                .put("p50", spread.p50())
                .put("p90", spread.p90())
                .put("p99", spread.p99())
                .build();
    }

    private static JsonValue timeline(ServingSimulation simulation) {
        return JsonObject.builder()
                .put("pieceSeconds", simulation.pieceSeconds())
                .put("mostRatio", rounded(simulation.mostKvUse()))
                .put("ratios", simulation.kvUse(), use -> JsonNumber.of(rounded(use)))
                .put("runningSequences", simulation.running(), count -> JsonNumber.of(rounded(count)))
                .build();
    }

    private static double rounded(double value) {
        return Math.rint(value * TEN_THOUSAND) / TEN_THOUSAND;
    }

    private static JsonValue point(ServingSimulation.LoadPoint point) {
        return JsonObject.builder()
                .put("load", point.load())
                .put("figures", figures(point.figures()))
                .build();
    }
}
