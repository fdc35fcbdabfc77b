// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

/// Where the time of one step goes, in seconds.
///
/// @param products matrix products outside of routed experts
/// @param experts routed experts, with sorting tokens to them and back
/// @param attention reading the KV cache
/// @param head logits and sampling
/// @param host launches, scheduling and everything that is paid for each layer, step or sequence
/// @param links collectives
/// @since 0.1
public record StepTime(double products, double experts, double attention, double head, double host, double links) {
    /// All of it.
    public double seconds() {
        return products + experts + attention + head + host + links;
    }

    /// Both, one after the other.
    public StepTime plus(StepTime other) {
        return new StepTime(
                products + other.products,
                experts + other.experts,
                attention + other.attention,
                head + other.head,
                host + other.host,
                links + other.links);
    }

    /// So many times as long.
    public StepTime times(double factor) {
        return new StepTime(
                products * factor, experts * factor, attention * factor, head * factor, host * factor, links * factor);
    }
}
