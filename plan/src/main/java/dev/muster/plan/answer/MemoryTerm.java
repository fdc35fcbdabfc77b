// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.answer;

import java.util.Locale;

/// One term of what a device holds.
///
/// @param part the part of the memory of a device that it belongs to
/// @param what what it is, for people
/// @param how the arithmetic, for people; blank where it is one number
/// @param bytes what it takes on each device
/// @since 0.1
public record MemoryTerm(Part part, String what, String how, double bytes) {
    /// The parts of [DeviceMemoryUse], and those of a model in training.
    public enum Part {
        /// Weights with their scales.
        WEIGHTS,
        /// The KV cache.
        CACHE,
        /// Gradients of a model in training.
        GRADIENTS,
        /// States of its optimizer.
        OPTIMIZER,
        /// What its backward pass needs of the forward one.
        ACTIVATIONS,
        /// What the engine takes beside.
        WORKSPACE;

        /// The name for people and documents.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
