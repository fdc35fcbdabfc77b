// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// The parts of the time of one step, in seconds.
///
/// @param products matrix products outside of routed experts
/// @param experts routed experts, with sorting tokens to them and back
/// @param attention reading the KV cache
/// @param head logits and sampling
/// @param host launches, scheduling and all overheads of layers, steps and sequences
/// @param links collectives
/// @since 0.1
public record StepTime(double products, double experts, double attention, double head, double host, double links) {
    /// Returns the total.
    public double seconds() {
        return products + experts + attention + head + host + links;
    }

    /// Returns the sum of both.
    public StepTime plus(StepTime other) {
        return new StepTime(
                products + other.products,
                experts + other.experts,
                attention + other.attention,
                head + other.head,
                host + other.host,
                links + other.links);
    }

    /// Returns a multiple of the times.
    public StepTime times(double factor) {
        return new StepTime(
                products * factor, experts * factor, attention * factor, head * factor, host * factor, links * factor);
    }
}
