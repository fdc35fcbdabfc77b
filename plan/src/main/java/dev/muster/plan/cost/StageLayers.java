// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// Which layers each stage of a pipeline holds. Where layers do not divide, the first stage and the last, which hold
/// embedding and head, have fewer.
///
/// @param layers layers of the model
/// @param stages stages
/// @since 0.1
public record StageLayers(int layers, int stages) {
    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException unless there is a layer for each stage
    public StageLayers {
        if (stages < 1 || layers < stages) {
            throw new IllegalArgumentException("each of at least one stage has a layer");
        }
    }

    /// The first layer of a stage.
    ///
    /// @param stage from 0; the number of stages for where the model ends
    public int first(int stage) {
        int more = layers % stages;
        int before = Math.min(Math.max(0, stage - 1), more);
        return stage * (layers / stages) + before;
    }

    /// How many layers a stage holds.
    public int count(int stage) {
        return first(stage + 1) - first(stage);
    }
}
