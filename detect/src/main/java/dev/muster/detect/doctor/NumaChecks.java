// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Finding.Status;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.doctor.Check.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Checks of how devices are spread over the NUMA nodes of a host.
final class NumaChecks {
    private static final int EVEN = 1;

    private NumaChecks() {}

    /// Devices of one kind share the memory and the PCIe lanes of their node. Nodes without a device are not a fault:
    /// the firmware may cut one processor into several.
    static Verdict balance(CheckContext context) {
        long nodes = context.registry().topology().nodes().stream()
                .filter(NumaChecks::hasMemory)
                .count();
        Map<AcceleratorKind, Map<Long, Integer>> kinds = new TreeMap<>();
        for (AcceleratorProfile device : context.registry().profiles()) {
            Optional<Long> node = device.reading(DeviceFact.NUMA_NODE).find();
            if (device.partition().isEmpty()
                    && device.accelerator().family() != AcceleratorFamily.CPU
                    && node.isPresent()) {
                kinds.computeIfAbsent(device.accelerator().kind(), _ -> new TreeMap<>())
                        .merge(node.get(), 1, Integer::sum);
            }
        }
        kinds.values().removeIf(places -> count(places) < 2);
        if (nodes < 2 || kinds.isEmpty()) {
            return Verdict.skip(
                    nodes < 2
                            ? "no two NUMA nodes with memory are known"
                            : "no two devices of a kind report their NUMA node");
        }
        List<String> complaints = new ArrayList<>();
        kinds.forEach((kind, places) -> {
            if (isUneven(places) || (places.size() == 1 && hasSeveralSockets(context))) {
                complaints.add(describe(kind, places, nodes));
            }
        });
        return RegistryChecks.judged(
                Status.WARN,
                complaints,
                "bind each process to the node of its device (numactl --cpunodebind=NODE --membind=NODE, or srun"
                        + " --cpu-bind=ldoms); cards spread over the slots of all sockets share less",
                "devices of a kind are spread evenly over their NUMA nodes",
                "");
    }

    private static boolean hasMemory(TopologyNode node) {
        return node instanceof TopologyNode.NumaNode numa
                && numa.memory().matches(memory -> memory.compareTo(Bytes.ZERO) > 0);
    }

    private static int count(Map<Long, Integer> places) {
        return places.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static boolean isUneven(Map<Long, Integer> places) {
        int most = places.values().stream().max(Integer::compare).orElse(0);
        int least = places.values().stream().min(Integer::compare).orElse(0);
        return most - least > EVEN;
    }

    private static boolean hasSeveralSockets(CheckContext context) {
        return context.registry().profiles().stream()
                .anyMatch(device -> device.reading(DeviceFact.SOCKETS).matches(sockets -> sockets > 1));
    }

    private static String describe(AcceleratorKind kind, Map<Long, Integer> places, long nodes) {
        List<String> parts = new ArrayList<>();
        places.forEach((node, devices) -> parts.add(devices + " on NUMA node " + node));
        return count(places) + " devices of " + kind.text() + ": " + String.join(", ", parts) + ", and the host has "
                + nodes + " nodes with memory";
    }
}
