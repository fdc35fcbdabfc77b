// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.engine.EngineRules;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.EngineRates;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.ServingProfile;

/// A serving engine on a kind of device with weights of a format: the common facts of all layouts, looked up once.
///
/// @param software the engine
/// @param rates its rates on the device
/// @param workspace bytes beside weights and KV cache
/// @param isMeasured true if it was measured on such devices
/// @param kvBytes bytes of a key or value
record Servable(ServingEngine software, EngineRates rates, double workspace, boolean isMeasured, int kvBytes) {
    static Servable of(
            ServingEngine software, ServingRequest request, DeviceFigures device, Coefficients coefficients) {
        WeightFormat format = ModelShape.of(request.architecture())
                .map(shape -> ServingProfile.multiplied(request.format(), shape))
                .orElse(request.format());
        ServingProfile profile = new ServingProfile(software.label(), "", format, device);
        boolean isMeasured = profile.isMeasured(coefficients);
        int kvBytes = kvBytes(software, request, device);
        return new Servable(
                software, profile.rates(coefficients, kvBytes), profile.workspace(coefficients), isMeasured, kvBytes);
    }

    static int kvBytes(ServingEngine software, ServingRequest request, DeviceFigures device) {
        return EngineRules.of(software, request.architecture(), request.format(), device)
                .kvBytes(request);
    }
}
