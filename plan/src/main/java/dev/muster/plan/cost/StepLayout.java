// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The layout of one replica of a model on devices for inference.
///
/// @param tensor tensor parallel degree
/// @param stages pipeline stages
/// @param expert expert parallel degree
/// @param attentionReplicas attention data parallel degree: groups with sequences of their own that share experts
/// @since 0.1
public record StepLayout(int tensor, int stages, int expert, int attentionReplicas) {
    /// A single device.
    public static final StepLayout SINGLE = new StepLayout(1, 1, 1, 1);

    public StepLayout {
        if (tensor < 1 || stages < 1 || expert < 1 || attentionReplicas < 1) {
            throw new IllegalArgumentException("degrees of a layout are at least 1");
        }
    }

    /// Returns all devices of the replica.
    public int devices() {
        return Math.multiplyExact(Math.multiplyExact(tensor, stages), attentionReplicas);
    }
}
