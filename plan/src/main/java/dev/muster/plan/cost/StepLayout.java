// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// How one replica of a model lies on devices for inference.
///
/// @param tensor devices that share every matrix
/// @param stages pipeline stages
/// @param expert devices that share the experts of a layer
/// @param attentionReplicas groups that each attend to sequences of their own, while experts are shared
/// @since 0.1
public record StepLayout(int tensor, int stages, int expert, int attentionReplicas) {
    /// One device.
    public static final StepLayout SINGLE = new StepLayout(1, 1, 1, 1);

    /// Checks the degrees.
    ///
    /// @throws IllegalArgumentException unless all are at least 1
    public StepLayout {
        if (tensor < 1 || stages < 1 || expert < 1 || attentionReplicas < 1) {
            throw new IllegalArgumentException("degrees of a layout are at least 1");
        }
    }

    /// All devices of the replica.
    public int devices() {
        return Math.multiplyExact(Math.multiplyExact(tensor, stages), attentionReplicas);
    }
}
