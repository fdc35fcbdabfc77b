package dev.muster.cli.topology;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.MemoryDevice;
import dev.muster.core.TopologyNode;
import java.util.List;
import java.util.Optional;

/// What people read of memory beyond what the sockets have: it stands with its NUMA node, or with the host where the
/// topology has no such node.
final class MemoryText {
    private MemoryText() {}

    /// Adds a line for each memory device of a NUMA node of the topology.
    static void addOf(TopologyNode.Numa node, AcceleratorRegistry registry, List<String> lines) {
        if (!hasNode(registry, node.number())) {
            return;
        }
        for (MemoryDevice device : registry.systemIo().memoryDevices()) {
            Optional<Long> number = device.numaNode().find();
            if (number.isPresent() && number.get() == node.number()) {
                lines.add(describe(device));
            }
        }
    }

    /// Adds a line for each memory device that no NUMA node of the topology has.
    static void addRest(AcceleratorRegistry registry, List<String> lines) {
        for (MemoryDevice device : registry.systemIo().memoryDevices()) {
            Optional<Long> number = device.numaNode().find();
            if (number.isEmpty()) {
                lines.add(describe(device));
            } else if (!hasNode(registry, number.get())) {
                lines.add(describe(device) + " (NUMA node " + number.get() + ")");
            }
        }
    }

    private static boolean hasNode(AcceleratorRegistry registry, long number) {
        for (TopologyNode node : registry.topology().nodes()) {
            if (node instanceof TopologyNode.Numa numa && numa.number() == number) {
                return true;
            }
        }
        return false;
    }

    private static String describe(MemoryDevice device) {
        return Printable.of(device.name()) + ": " + device.kind().display()
                + device.size().find().map(size -> " " + Quantity.of(size)).orElse(" of unknown size");
    }
}
