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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The devices of a registry as a mesh sees them: on which host each stands, and which fast fabric joins
/// it to others.
final class RegistryDevices {
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
            devices.add(MeshDevice.of(
                    profile,
                    own,
                    number,
                    domain == null ? profile.reading(DeviceFact.FABRIC_DOMAIN) : Reading.known(domain, TOPOLOGY)));
        }
        return devices;
    }

    /// The host of each device; nothing where there is only one.
    private static Map<DeviceId, String> hosts(TopologyGraph graph) {
        List<TopologyNode> hosts = graph.nodes().stream()
                .filter(TopologyNode.Host.class::isInstance)
                .toList();
        Map<DeviceId, String> found = new HashMap<>();
        if (hosts.size() < 2) {
            return found;
        }
        for (TopologyNode node : hosts) {
            TopologyNode.Host host = (TopologyNode.Host) node;
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
            if (graph.findNode(here).orElseThrow() instanceof TopologyNode.Device device) {
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
