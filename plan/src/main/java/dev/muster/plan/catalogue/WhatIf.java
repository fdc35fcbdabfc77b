// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Registries of hypothetical machines, derived from an observed one or described by a text.
///
/// @since 0.1
public final class WhatIf {
    private WhatIf() {}

    /// Builds a registry of the hosts that a text describes, such as `2x[h100-sxm:8 nvswitch numa:2 cpu:1TiB
    /// ib:8x400]`; docs/command-line.md has the grammar. All hosts stand in one topology, and devices are numbered
    /// across hosts.
    ///
    /// Facts of the text are [dev.muster.core.Provenance#GIVEN]; figures are those of the catalogue.
    ///
    /// @throws DeviceTextException if the text describes no hosts
    public static AcceleratorRegistry synthetic(String text, DeviceCatalogue catalogue) {
        List<HostDescription> hosts = HostGrammar.parse(text, catalogue);
        HostAssembly assembly = new HostAssembly(hosts.size());
        hosts.forEach(assembly::add);
        return assembly.build();
    }

    /// Returns the registry with more devices. They are attached to its PCI Express, at an unknown place, without a
    /// fabric.
    public static AcceleratorRegistry add(AcceleratorRegistry registry, DeviceList devices) {
        List<AcceleratorProfile> added = devices.toProfiles(registry);
        AcceleratorRegistry more = registry.whatIfAdd(added);
        return with(more, placed(more.topology(), added), more.systemIo());
    }

    /// Returns the registry without the devices that match. Their partitions, links and interconnects go with them,
    /// but a host always has a processor.
    public static AcceleratorRegistry remove(AcceleratorRegistry registry, Predicate<AcceleratorProfile> gone) {
        AcceleratorRegistry less = registry.whatIfRemove(gone);
        List<Interconnect> left = registry.systemIo().interconnects().stream()
                .filter(item -> isLeft(item, registry, less))
                .toList();
        SystemIo io = less.systemIo();
        return with(less, less.topology(), new SystemIo(left, io.storage(), io.memoryDevices(), io.environment()));
    }

    /// Returns the registry with these devices in place of all accelerators. The processor and the rest of the host
    /// stay.
    public static AcceleratorRegistry replace(AcceleratorRegistry registry, DeviceList devices) {
        return add(remove(registry, device -> device.accelerator().kind() != AcceleratorKind.CPU), devices);
    }

    /// Reports whether an interconnect remains: one that bears the name of a device goes with it; a fabric goes with
    /// the last of its devices.
    private static boolean isLeft(Interconnect item, AcceleratorRegistry before, AcceleratorRegistry after) {
        boolean goneByName = hasDevice(before, profile -> profile.id().text().equals(item.name()))
                && !hasDevice(after, profile -> profile.id().text().equals(item.name()));
        Optional<AcceleratorKind> owner = findOwner(item);
        return !goneByName
                && owner.filter(kind -> !hasDevice(
                                after, profile -> profile.accelerator().kind() == kind))
                        .isEmpty();
    }

    private static Optional<AcceleratorKind> findOwner(Interconnect item) {
        return switch (item.kind()) {
            case NVLINK, NVSWITCH -> Optional.of(AcceleratorKind.CUDA_GPU);
            case XGMI -> Optional.of(AcceleratorKind.ROCM_GPU);
            case ICI -> Optional.of(AcceleratorKind.TPU);
            case INFINIBAND, ROCE, ROCE_V2, PCIE -> Optional.empty();
        };
    }

    private static boolean hasDevice(AcceleratorRegistry registry, Predicate<AcceleratorProfile> wanted) {
        return registry.profiles().stream().anyMatch(wanted);
    }

    private static TopologyGraph placed(TopologyGraph topology, List<AcceleratorProfile> added) {
        Optional<TopologyNode> host = topology.nodes().stream()
                .filter(TopologyNode.HostNode.class::isInstance)
                .findFirst();
        if (host.isEmpty()) {
            return topology;
        }
        List<TopologyNode> nodes = new ArrayList<>(topology.nodes());
        List<Link> links = new ArrayList<>(topology.links());
        for (AcceleratorProfile device : added) {
            TopologyNode node = TopologyNode.DeviceNode.of(device.id());
            nodes.add(node);
            links.add(Link.of(host.get().id(), node.id(), LinkKind.PCIE));
        }
        return TopologyGraph.of(nodes, links);
    }

    private static AcceleratorRegistry with(AcceleratorRegistry registry, TopologyGraph topology, SystemIo io) {
        return new AcceleratorRegistry(
                registry.referenceSchema(), registry.profiles(), registry.gaps(), io, topology, registry.observedAt());
    }
}
