// SPDX-License-Identifier: Apache-2.0
package dev.muster.core;

import java.util.List;
import java.util.Optional;

/// A topology in few words: hosts of equal make stand together, and the first of them stands for all. For fleets that
/// are too large to relate each device with each. Immutable and safe to share between threads.
///
/// @param groups hosts of equal make, in the order of the topology
/// @param islands the number of sets of hosts without a known way between them; 1 if all are joined
/// @param domains the number of sets of hosts that a device fabric joins; the number of hosts if no fabric reaches
///     past one
/// @since 0.1
public record TopologySummary(List<Group> groups, int islands, int domains) {
    /// The most accelerators and network cards that people can read a matrix of; more are summarised.
    public static final int MOST_RELATED = 128;

    /// The most devices that are drawn in one picture.
    public static final int MOST_DRAWN = 2_048;

    /// Copies the list.
    public TopologySummary {
        groups = List.copyOf(groups);
    }

    /// The summary of a registry of one host or many.
    public static TopologySummary of(AcceleratorRegistry registry) {
        return new HostSplit(registry).summarise();
    }

    /// The registry of one of several hosts.
    ///
    /// @param name the host's name or that of one of its devices, such as `host3` or `cuda:9`
    public static Optional<AcceleratorRegistry> findHost(AcceleratorRegistry registry, String name) {
        return new HostSplit(registry).find(name);
    }

    /// The number of hosts, without devices on an unknown host.
    public int hosts() {
        return groups.stream().mapToInt(group -> group.hosts().size()).sum();
    }

    /// Hosts that have the same parts, joined in the same way.
    ///
    /// @param hosts their names; none for devices of which nothing says on which host they are
    /// @param example the first of them on its own, with the switches that its devices and network cards are linked
    /// to
    /// @since 0.1
    public record Group(List<String> hosts, AcceleratorRegistry example) {
        /// Copies the list.
        public Group {
            hosts = List.copyOf(hosts);
        }
    }
}
