package dev.muster.cli.picture;

import dev.muster.cli.render.Quantity;
import dev.muster.core.unit.Bytes;
import dev.muster.plan.answer.DeviceMemoryUse;
import dev.muster.plan.training.TrainingMemoryUse;
import java.util.ArrayList;
import java.util.List;

/// What a device holds, in the order of its bar.
///
/// @param parts what for; parts of nothing are left out
/// @param capacity bytes that programs get of the device
record DeviceMemory(List<Part> parts, double capacity) {
    DeviceMemory {
        parts = parts.stream().filter(part -> part.bytes > 0).toList();
    }

    /// @param kind what for
    /// @param bytes how many
    record Part(MemoryKind kind, double bytes) {}

    static DeviceMemory of(DeviceMemoryUse use) {
        return new DeviceMemory(
                List.of(
                        new Part(MemoryKind.WEIGHTS, use.weights()),
                        new Part(MemoryKind.CACHE, use.kvCache()),
                        new Part(MemoryKind.WORKSPACE, use.workspace())),
                use.capacity());
    }

    static DeviceMemory of(TrainingMemoryUse use) {
        return new DeviceMemory(
                List.of(
                        new Part(MemoryKind.WEIGHTS, use.weights()),
                        new Part(MemoryKind.GRADIENTS, use.gradients()),
                        new Part(MemoryKind.OPTIMIZER, use.optimizer()),
                        new Part(MemoryKind.ACTIVATIONS, use.activations()),
                        new Part(MemoryKind.WORKSPACE, use.workspace())),
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

    /// What the whole bar stands for: more than the device has where it does not fit.
    double scale() {
        return Math.max(capacity, total());
    }

    /// All of it in words.
    String sentence() {
        List<String> words = new ArrayList<>();
        parts.forEach(part -> words.add(part.kind.display() + " " + gib(part.bytes)));
        words.add(fits() ? "free " + gib(free()) : "over by " + gib(total() - capacity));
        return String.join(", ", words) + " of " + gib(capacity);
    }

    static String gib(double bytes) {
        return Quantity.of(Bytes.of(Math.round(bytes)));
    }
}
