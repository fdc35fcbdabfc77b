// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The degrees of parallelism of one replica of a model.
///
/// @param tp tensor parallel degree
/// @param pp pipeline parallel degree: the number of stages
/// @param ep expert parallel degree
/// @param attentionDp attention data parallel degree: groups with sequences of their own that share experts
/// @since 0.1
public record Parallelism(int tp, int pp, int ep, int attentionDp) {
    /// A single device.
    public static final Parallelism SINGLE = new Parallelism(1, 1, 1, 1);

    public Parallelism {
        if (tp < 1 || pp < 1 || ep < 1 || attentionDp < 1) {
            throw new IllegalArgumentException("degrees of a layout are at least 1");
        }
    }

    /// Returns all devices of the replica.
    public int devices() {
        return Math.multiplyExact(Math.multiplyExact(tp, pp), attentionDp);
    }
}
