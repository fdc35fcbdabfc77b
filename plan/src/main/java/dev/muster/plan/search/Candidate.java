// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.plan.cost.DeviceFigures;
import dev.muster.plan.cost.Parallelism;
import dev.muster.plan.serving.ServingRequest;
import dev.muster.plan.time.Coefficients;
import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.WeightParts;

/// A way to lay one replica of a model on devices, before anything is known of it.
///
/// @param request the request
/// @param shape the model's dimensions
/// @param weights its weights
/// @param device one of the devices
/// @param layout the layout
/// @param coefficients coefficients of predictions
public record Candidate(
        ServingRequest request,
        ModelShape shape,
        WeightParts weights,
        DeviceFigures device,
        Parallelism layout,
        Coefficients coefficients) {
    /// Returns the load of the fullest stage relative to the average: layers do not always divide evenly, and it has
    /// to fit.
    double fullestStage() {
        return fullestStage(shape, layout);
    }

    static double fullestStage(ModelShape shape, Parallelism layout) {
        return Math.ceil(shape.layers() / layout.pp()) * layout.pp() / shape.layers();
    }
}
