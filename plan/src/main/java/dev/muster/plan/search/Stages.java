package dev.muster.plan.search;

import dev.muster.plan.time.ModelShape;
import dev.muster.plan.time.StepLayout;

/// How layers fall to pipeline stages.
final class Stages {
    private Stages() {}

    /// How many times the average the fullest stage holds.
    static double fullest(ModelShape shape, StepLayout layout) {
        return Math.ceil(shape.layers() / layout.stages()) * layout.stages() / shape.layers();
    }
}
