// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.StepLayout;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;

/// A way to lay one replica of a model on devices, before anything is known of it.
///
/// @param request what is asked
/// @param shape the model's measures
/// @param weights its weights
/// @param device one of the devices
/// @param layout how they share it
/// @param coefficients what predictions rest on
record Candidate(
        ServingRequest request,
        ModelShape shape,
        WeightParts weights,
        DeviceFigures device,
        StepLayout layout,
        Coefficients coefficients) {
    /// How many times the average the fullest stage holds: layers do not always divide evenly, and it has to fit.
    double fullestStage() {
        return fullestStage(shape, layout);
    }

    static double fullestStage(ModelShape shape, StepLayout layout) {
        return Math.ceil(shape.layers() / layout.stages()) * layout.stages() / shape.layers();
    }
}
