// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.picture;

import dev.muster.plan.cost.DeviceMemoryUse;
import dev.muster.plan.training.TrainingMemoryUse;
import dev.muster.report.text.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The memory of a device, in the order of its bar.
///
/// @param parts parts; empty ones are left out
/// @param capacity bytes for programs on the device
record DeviceMemory(List<Part> parts, double capacity) {
    DeviceMemory {
        parts = parts.stream().filter(part -> part.bytes > 0).toList();
    }

    /// A use of memory.
    enum Kind {
        WEIGHTS("weights"),
        CACHE("KV cache"),
        GRADIENTS("gradients"),
        OPTIMIZER("optimizer states"),
        ACTIVATIONS("activations"),
        WORKSPACE("workspace");

        private final String display;

        Kind(String display) {
            this.display = display;
        }

        String display() {
            return display;
        }

        /// Returns its class in the style sheet.
        String style() {
            return "memory-" + name().toLowerCase(Locale.ROOT);
        }
    }

    /// @param kind use of the memory
    /// @param bytes number of bytes
    record Part(Kind kind, double bytes) {}

    static DeviceMemory of(DeviceMemoryUse use) {
        return new DeviceMemory(
                List.of(
                        new Part(Kind.WEIGHTS, use.weights()),
                        new Part(Kind.CACHE, use.kvCache()),
                        new Part(Kind.WORKSPACE, use.workspace())),
                use.capacity());
    }

    static DeviceMemory of(TrainingMemoryUse use) {
        return new DeviceMemory(
                List.of(
                        new Part(Kind.WEIGHTS, use.weights()),
                        new Part(Kind.GRADIENTS, use.gradients()),
                        new Part(Kind.OPTIMIZER, use.optimizer()),
                        new Part(Kind.ACTIVATIONS, use.activations()),
                        new Part(Kind.WORKSPACE, use.workspace())),
                use.capacity());
    }

    static DeviceMemory empty(double capacity) {
        return new DeviceMemory(List.of(), capacity);
    }

    double total() {
        return parts.stream().mapToDouble(Part::bytes).sum();
    }

    double free() {
        return Math.max(0, capacity - total());
    }

    boolean fits() {
        return total() <= capacity;
    }

    /// Returns the scale of the bar: more than the device has if the plan does not fit.
    double scale() {
        return Math.max(capacity, total());
    }

    String sentence() {
        List<String> words = new ArrayList<>();
        parts.forEach(part -> words.add(part.kind.display() + " " + Quantity.ofBytes(part.bytes)));
        words.add(fits() ? "free " + Quantity.ofBytes(free()) : "over by " + Quantity.ofBytes(total() - capacity));
        return String.join(", ", words) + " of " + Quantity.ofBytes(capacity);
    }
}
