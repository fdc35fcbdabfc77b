// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search.deployment;

import dev.muster.model.tensor.StoredWeights;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.search.Candidate;
import dev.muster.plan.search.LayoutModel;
import dev.muster.plan.search.ServingSearch;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingPlan;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.simulate.Deployment.ClientDelay;
import dev.muster.plan.simulate.StepTimes;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;
import dev.muster.plan.time.WeightParts;

/// The facts about one replica of a plan that a simulation needs.
///
/// @param times step times
/// @param kvTokens tokens that its KV cache holds; 0 if the weights do not fit
/// @param kvTokenBytes bytes of the KV cache of one token, over all devices
/// @param client delay between clients and its engine
public record ReplicaModel(StepTimes times, long kvTokens, double kvTokenBytes, ClientDelay client) {
    /// Returns the replica of a plan that a search with these coefficients found.
    public static ReplicaModel of(ServingPlan plan, Coefficients coefficients) {
        ServingRequest request = plan.request();
        Parallelism layout = plan.layout();
        ModelShape shape = ModelShape.of(request.architecture()).orElseThrow();
        WeightParts weights = StoredWeights.of(request.architecture(), request.format())
                .map(WeightParts::of)
                .find()
                .orElseThrow();
        LayoutModel model = ServingSearch.modelling(request, plan.pool(), plan.software(), coefficients)
                .apply(new Candidate(request, shape, weights, plan.pool().deviceIn(layout), layout, coefficients));
        return of(model, request, client(plan.software(), request, plan.pool().device(), coefficients));
    }

    /// Returns the replica of a layout.
    ///
    /// @param client delay between clients and its engine
    static ReplicaModel of(LayoutModel model, ServingRequest request, ClientDelay client) {
        DeviceMemoryUse memory = model.memory(1, request.tokens());
        double each = memory.kvCache() / request.tokens();
        double free = memory.capacity() - memory.weights() - memory.workspace();
        long tokens = (long) Math.max(0, free / each * model.layout().attentionDp());
        return new ReplicaModel(model.stepTimes(), tokens, each * model.layout().devices(), client);
    }

    /// Returns the fitted delay between clients and an engine.
    static ClientDelay client(
            ServingEngine software, ServingRequest request, DeviceFigures device, Coefficients coefficients) {
        if (!software.isContinuous()) {
            return ClientDelay.NONE;
        }
        ServingProfile.FirstToken first =
                new ServingProfile(software.label(), "", request.format(), device).firstToken(coefficients, "");
        return new ClientDelay(first.fixed(), first.perUser(), first.perToken());
    }
}
