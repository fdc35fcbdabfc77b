// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The division of layers among the stages of a pipeline. If layers do not divide, the first stage and the last,
/// which hold embedding and head, have fewer.
///
/// @param layers layers of the model
/// @param stages stages
/// @since 0.1
public record StageLayers(int layers, int stages) {
    public StageLayers {
        if (stages < 1 || layers < stages) {
            throw new IllegalArgumentException("there is at least one stage, and a layer for each");
        }
    }

    /// Returns the first layer of a stage.
    ///
    /// @param stage stage, from 0; the number of stages for the end of the model
    public int first(int stage) {
        int more = layers % stages;
        int before = Math.min(Math.max(0, stage - 1), more);
        return stage * (layers / stages) + before;
    }

    /// Returns the number of layers a stage holds.
    public int count(int stage) {
        return first(stage + 1) - first(stage);
    }
}
