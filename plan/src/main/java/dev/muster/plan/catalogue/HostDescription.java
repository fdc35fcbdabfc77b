// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.Interconnect;
import dev.muster.core.LinkKind;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.Optional;

/// A host that somebody made up.
///
/// @param devices its accelerators, each kind once
/// @param fabrics what joins them, where somebody said so
/// @param numaNodes how many NUMA nodes it has; 0 where none were given
/// @param memory its own memory
/// @param cards its network cards
record HostDescription(
        List<DeviceCount> devices, List<HostFabric> fabrics, int numaNodes, Reading<Bytes> memory, List<Cards> cards) {
    HostDescription {
        devices = List.copyOf(devices);
        fabrics = List.copyOf(fabrics);
        cards = List.copyOf(cards);
    }

    /// Network cards that are alike.
    ///
    /// @param network the network they lead to
    /// @param count how many there are
    /// @param rate what each carries one way
    record Cards(Network network, int count, Bandwidth rate) {}

    /// A network between hosts.
    enum Network {
        /// InfiniBand.
        INFINIBAND("ib", "InfiniBand", Interconnect.InterconnectKind.INFINIBAND, LinkKind.INFINIBAND),
        /// RDMA over Converged Ethernet, version 2.
        ROCE("roce", "RoCE v2", Interconnect.InterconnectKind.ROCE_V2, LinkKind.ROCE);

        final String word;
        final String display;
        final Interconnect.InterconnectKind kind;
        final LinkKind link;

        Network(String word, String display, Interconnect.InterconnectKind kind, LinkKind link) {
            this.word = word;
            this.display = display;
            this.kind = kind;
            this.link = link;
        }
    }

    int deviceCount() {
        return devices.stream().mapToInt(DeviceCount::count).sum();
    }

    /// The fabric that was asked for devices of a kind.
    Optional<HostFabric> findAsked(DeviceEntry entry) {
        return fabrics.stream().filter(fabric -> fabric.joins(entry)).findFirst();
    }
}
