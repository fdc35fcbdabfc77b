// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Link;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Devices to choose from, of one host or several. Immutable.
///
/// @param all the devices in order
/// @since 0.1
public record MeshDevices(List<MeshDevice> all) {
    /// Backends, the best first, in the order of kapsl-hal.
    private static final List<DeviceBackend> BEST_FIRST = List.of(
            DeviceBackend.CUDA, DeviceBackend.METAL, DeviceBackend.ROCM, DeviceBackend.ONEAPI, DeviceBackend.DIRECTML);

    /// Copies the list.
    public MeshDevices {
        all = List.copyOf(all);
    }

    /// The devices of a registry that can be used now. Where the registry holds several hosts, each
    /// device names its own and is numbered there.
    public static MeshDevices of(AcceleratorRegistry registry) {
        return of(registry, "");
    }

    /// The devices of a registry that can be used now.
    ///
    /// @param host the name of the host, where the registry holds one
    public static MeshDevices of(AcceleratorRegistry registry, String host) {
        return new MeshDevices(RegistryDevices.list(registry, host));
    }

    /// The devices that are not processors.
    public MeshDevices accelerators() {
        return filter(device -> !device.isCpu());
    }

    /// The devices of a backend.
    public MeshDevices byBackend(DeviceBackend backend) {
        return filter(device -> device.backend().equals(backend));
    }

    private MeshDevices filter(Predicate<MeshDevice> wanted) {
        return new MeshDevices(all.stream().filter(wanted).toList());
    }

    /// The device with most memory that is not a processor; of several the one with the higher compute
    /// capability, then the last. Unknown memory counts as none.
    public Optional<MeshDevice> findBestGpu() {
        return accelerators().all.stream().reduce((best, next) -> isBetter(best, next) ? best : next);
    }

    private static boolean isBetter(MeshDevice first, MeshDevice second) {
        int memory = memory(first).compareTo(memory(second));
        return memory > 0 || (memory == 0 && capability(first) > capability(second));
    }

    private static Bytes memory(MeshDevice device) {
        return device.memory().find().orElse(Bytes.ZERO);
    }

    /// Major and minor number in one; 0 for any other text.
    private static long capability(MeshDevice device) {
        String[] parts = device.computeCapability().find().orElse("").strip().split("\\.", -1);
        return parts.length == 2 ? number(parts[0]) << Integer.SIZE | number(parts[1]) : 0;
    }

    private static long number(String digits) {
        boolean plain =
                !digits.isEmpty() && digits.length() <= 9 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return plain ? Long.parseLong(digits) : 0;
    }

    /// Returns the first device that matches a preference and is not a processor.
    ///
    /// @param preference `mig:ID` or `partition:ID`, `cuda:2`, a PCI address, or a part of a name; blank for any
    /// device
    public Optional<MeshDevice> findGpu(String preference) {
        Optional<GpuPreference> wanted = GpuPreference.parse(preference);
        return all.stream()
                .filter(device -> !device.isCpu())
                .filter(device -> wanted.isEmpty() || wanted.get().matches(device))
                .findFirst();
    }

    /// The first backend that is there of CUDA, Metal, ROCm, oneAPI and DirectML; else the processor.
    public DeviceBackend bestProvider() {
        return BEST_FIRST.stream().filter(this::has).findFirst().orElse(DeviceBackend.CPU);
    }

    /// Reports whether there is a device of a backend, in any case; `coreml` is Metal, and a processor is always
    /// there.
    public boolean hasProvider(String name) {
        String word = name.strip().toLowerCase(Locale.ROOT);
        return word.equals("cpu")
                || (word.equals("coreml")
                        ? has(DeviceBackend.METAL)
                        : all.stream()
                                .anyMatch(device -> device.backend().text().equalsIgnoreCase(word)));
    }

    private boolean has(DeviceBackend backend) {
        return all.stream().anyMatch(device -> device.backend().equals(backend));
    }

    /// The devices of a registry as a mesh sees them: on which host each stands, and which fast fabric joins
    /// it to others.
    private static final class RegistryDevices {
        private static final Provenance TOPOLOGY =
                Provenance.of("topology", Provenance.Method.DERIVED, Provenance.Confidence.STATED);

        private RegistryDevices() {}

        static List<MeshDevice> list(AcceleratorRegistry registry, String host) {
            Map<DeviceId, String> hosts = hosts(registry.topology());
            Map<DeviceId, String> domains = domains(registry.topology(), hosts, host);
            Map<String, Integer> counts = new HashMap<>();
            List<MeshDevice> devices = new ArrayList<>();
            for (AcceleratorProfile profile : registry.available()) {
                String own = hosts.getOrDefault(profile.id(), host);
                // Where a registry holds several hosts, it numbers devices through; a mesh counts them on each.
                int number = hosts.isEmpty()
                        ? Math.toIntExact(profile.accelerator().deviceId() & Integer.MAX_VALUE)
                        : counts.merge(own + "/" + profile.accelerator().text(), 1, Integer::sum) - 1;
                String domain = domains.get(profile.id());
                devices.add(new MeshDevice(
                        own,
                        number,
                        DeviceBackend.of(profile.accelerator().kind()),
                        profile,
                        domain == null ? profile.reading(DeviceFact.FABRIC_DOMAIN) : Reading.known(domain, TOPOLOGY)));
            }
            return devices;
        }

        /// The host of each device; nothing where there is only one.
        private static Map<DeviceId, String> hosts(TopologyGraph graph) {
            List<TopologyNode> hosts = graph.nodes().stream()
                    .filter(TopologyNode.HostNode.class::isInstance)
                    .toList();
            Map<DeviceId, String> found = new HashMap<>();
            if (hosts.size() < 2) {
                return found;
            }
            for (TopologyNode node : hosts) {
                TopologyNode.HostNode host = (TopologyNode.HostNode) node;
                String name = host.name().isBlank() ? host.id().text() : host.name();
                reach(graph, host.id()).forEach(device -> found.putIfAbsent(device, name));
            }
            return found;
        }

        /// The devices inside a host: what can be reached without a network or a fabric between devices.
        private static Set<DeviceId> reach(TopologyGraph graph, NodeId host) {
            Set<DeviceId> devices = new LinkedHashSet<>();
            Set<NodeId> seen = new LinkedHashSet<>(List.of(host));
            ArrayDeque<NodeId> open = new ArrayDeque<>(seen);
            while (!open.isEmpty()) {
                NodeId here = open.remove();
                if (graph.findNode(here).orElseThrow() instanceof TopologyNode.DeviceNode device) {
                    devices.add(device.device());
                }
                for (Link link : graph.linksOf(here)) {
                    boolean inside = !link.kind().isNetwork() && !link.kind().isDeviceFabric();
                    if (inside && seen.add(link.otherEnd(here))) {
                        open.add(link.otherEnd(here));
                    }
                }
            }
            return devices;
        }

        private static Map<DeviceId, String> domains(TopologyGraph graph, Map<DeviceId, String> hosts, String host) {
            Map<DeviceId, String> found = new HashMap<>();
            int number = 0;
            for (Set<DeviceId> domain : graph.domains()) {
                String start = hosts.isEmpty() && !host.isBlank() ? host + "/" : "";
                String name = start + "fabric" + number++;
                domain.forEach(device -> found.put(device, name));
            }
            return found;
        }
    }
}
