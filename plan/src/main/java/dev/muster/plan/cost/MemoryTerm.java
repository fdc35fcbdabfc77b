// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.cost;

import java.util.Locale;

/// One term of a device's memory.
///
/// @param part the part of the memory of a device that it belongs to
/// @param what name of the term
/// @param how its computation, as text; blank if it is one number
/// @param bytes bytes on each device
/// @since 0.1
public record MemoryTerm(MemoryPart part, String what, String how, double bytes) {
    /// The parts of [DeviceMemoryUse], and those of a model in training.
    public enum MemoryPart {
        /// Weights with their scales.
        WEIGHTS,
        /// The KV cache.
        CACHE,
        /// Gradients of a model in training.
        GRADIENTS,
        /// States of its optimizer.
        OPTIMIZER,
        /// Activations for the backward pass.
        ACTIVATIONS,
        /// The engine's workspace.
        WORKSPACE;

        /// Returns the name in tables and documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
