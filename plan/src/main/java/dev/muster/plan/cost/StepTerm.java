// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.Locale;

/// One term of a step, as a ledger records it.
///
/// @param part the part of the step that it belongs to
/// @param what name of the term
/// @param bytes bytes that one device moves
/// @param bytesPerSecond rate of the bytes; 0 if nothing moves
/// @param operations operations that one device does
/// @param operationsPerSecond rate of the operations; 0 if nothing computes
/// @param fixed seconds that depend on neither
/// @param seconds total seconds
/// @since 0.1
public record StepTerm(
        StepPart part,
        String what,
        double bytes,
        double bytesPerSecond,
        double operations,
        double operationsPerSecond,
        double fixed,
        double seconds) {
    /// Returns a multiple of the term.
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

    /// The parts of a step: those of [StepTime] in serving, those of [TrainingTime] in training.
    ///
    /// @since 0.1
    public enum StepPart {
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
        /// Memory traffic without computation, in training.
        TRAFFIC,
        /// Waiting for a pipeline to fill and drain, in training.
        PIPELINE,
        /// The optimizer's step.
        OPTIMIZER,
        /// Communication between replicas in training.
        REPLICAS,
        /// Offloaded states in training.
        OFFLOAD,
        /// Loss to the slowest of many devices in training.
        STRAGGLERS;

        /// Returns the name in tables and documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
