// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import dev.muster.core.unit.Bytes;

/// A part of a host, or a host itself. Immutable.
///
/// @since 0.1
public sealed interface TopologyNode {
    /// The node's name within its topology.
    NodeId id();

    /// A machine.
    ///
    /// @param name its name for people; blank when unnamed
    record HostNode(NodeId id, String name) implements TopologyNode {}

    /// A NUMA node: processors and memory that are near each other.
    ///
    /// @param number the system's number for it
    /// @param memory its memory
    record NumaNode(NodeId id, long number, Reading<Bytes> memory) implements TopologyNode {}

    /// A PCI Express bridge: a root port or a switch.
    ///
    /// @param address its address on the bus
    /// @param root true if it is the host's own root, not a switch
    record PcieBridge(NodeId id, Reading<PciAddress> address, boolean root) implements TopologyNode {}

    /// A switch of a fabric that joins devices, such as an NVSwitch.
    ///
    /// @param name its name for people
    record FabricSwitch(NodeId id, String name) implements TopologyNode {}

    /// A device of the registry.
    ///
    /// @param device its id in the registry
    record DeviceNode(NodeId id, DeviceId device) implements TopologyNode {
        /// The node of a device.
        public static DeviceNode of(DeviceId device) {
            return new DeviceNode(idOf(device), device);
        }

        /// The name that a device's node has.
        public static NodeId idOf(DeviceId device) {
            return new NodeId("device:" + device.text());
        }
    }

    /// A network card.
    ///
    /// @param name its name, such as `mlx5_0`
    record Nic(NodeId id, String name) implements TopologyNode {}
}
