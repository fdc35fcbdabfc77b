// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.ArrayList;
import java.util.List;

/// A host of two sockets, put together by hand:
///
/// ```
/// host ─ numa0 ─ root0 ─ top ─ left  ─ gpu0, gpu1
///      │       │       │     └ right ─ gpu2, nic0
///      │       │       └ nic1
///      │       └ root1 ─ gpu3
///      └ numa1 ─ root2 ─ far ─ gpu4, nic2
///
/// numa0 ═ numa1 (socket)      gpu0 ═ gpu4 (NVLink, 12 lanes)
/// ```
final class TwoSocketHost {
    static final int LANES = 12;

    private final List<TopologyNode> nodes = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    TwoSocketHost() {
        nodes.add(new TopologyNode.HostNode(new NodeId("host"), "host"));
        numa("numa0", 0);
        numa("numa1", 1);
        join("numa0", "numa1", LinkKind.SOCKET);
        bridge("root0", "numa0", true);
        bridge("root1", "numa0", true);
        bridge("root2", "numa1", true);
        bridge("top", "root0", false);
        bridge("left", "top", false);
        bridge("right", "top", false);
        bridge("far", "root2", false);
        gpu("gpu0", "left");
        gpu("gpu1", "left");
        gpu("gpu2", "right");
        nic("nic0", "right");
        nic("nic1", "root0");
        gpu("gpu3", "root1");
        gpu("gpu4", "far");
        nic("nic2", "far");
    }

    static NodeId id(String name) {
        return new NodeId(name);
    }

    static DeviceId device(String name) {
        return new DeviceId("cuda:" + name.charAt(name.length() - 1));
    }

    TwoSocketHost fabricSwitch(String name) {
        nodes.add(new TopologyNode.FabricSwitch(id(name), name));
        return this;
    }

    TwoSocketHost join(String from, String to, LinkKind kind) {
        links.add(Link.of(id(from), id(to), kind));
        return this;
    }

    TwoSocketHost nvlink(String from, String to, int lanes, Link.LinkState state) {
        links.add(new Link(
                id(from), id(to), LinkKind.NVLINK, lanes, Reading.notProbed(), Reading.known(state, Provenance.GIVEN)));
        return this;
    }

    TopologyGraph graph() {
        return TopologyGraph.of(nodes, links);
    }

    private void numa(String name, long number) {
        nodes.add(new TopologyNode.NumaNode(id(name), number, Reading.notProbed()));
        join("host", name, LinkKind.INTERNAL);
    }

    private void bridge(String name, String parent, boolean root) {
        nodes.add(new TopologyNode.PcieBridge(id(name), Reading.notProbed(), root));
        join(parent, name, root ? LinkKind.INTERNAL : LinkKind.PCIE);
    }

    private void gpu(String name, String parent) {
        nodes.add(new TopologyNode.DeviceNode(id(name), device(name)));
        join(parent, name, LinkKind.PCIE);
    }

    private void nic(String name, String parent) {
        nodes.add(new TopologyNode.Nic(id(name), name));
        join(parent, name, LinkKind.PCIE);
    }
}
