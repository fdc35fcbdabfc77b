// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import dev.muster.plan.time.StepLedger;
import java.util.Locale;

/// One term of a step, as a [StepLedger] takes it down.
///
/// @param part the part of the step that it belongs to
/// @param what what it is, for people
/// @param bytes bytes that one device moves
/// @param bytesPerSecond how fast; 0 where nothing moves
/// @param operations operations that one device does
/// @param operationsPerSecond how fast; 0 where nothing computes
/// @param fixed seconds that depend on neither
/// @param seconds what it takes altogether
/// @since 0.1
public record StepTerm(
        Part part,
        String what,
        double bytes,
        double bytesPerSecond,
        double operations,
        double operationsPerSecond,
        double fixed,
        double seconds) {
    /// So many times as long.
    public StepTerm times(double factor) {
        return new StepTerm(
                part,
                what,
                bytes * factor,
                bytesPerSecond,
                operations * factor,
                operationsPerSecond,
                fixed * factor,
                seconds * factor);
    }

    /// The parts of a step: those of [StepTime] when a model serves, those of [TrainingTime] when it is trained.
    ///
    /// @since 0.1
    public enum Part {
        /// Matrix products outside of routed experts.
        PRODUCTS,
        /// Routed experts.
        EXPERTS,
        /// The KV cache.
        ATTENTION,
        /// Logits and sampling.
        HEAD,
        /// Launches and scheduling.
        HOST,
        /// Collectives; in training those within a replica.
        LINKS,
        /// What only moves bytes, in training.
        TRAFFIC,
        /// Waiting for a pipeline to fill and drain, in training.
        PIPELINE,
        /// The optimizer's step.
        OPTIMIZER,
        /// What replicas of a model in training send to each other.
        REPLICAS,
        /// What lies outside of the devices in training.
        OFFLOAD,
        /// What many devices lose to the slowest among them in training.
        STRAGGLERS;

        /// The name for people and documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
