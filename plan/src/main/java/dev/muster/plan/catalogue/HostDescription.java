// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.Interconnect;
import dev.muster.core.LinkKind;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import java.util.List;
import java.util.Optional;

/// A description of a synthetic host.
///
/// @param devices its accelerators, each kind once
/// @param fabrics fabrics between them, if given
/// @param numaNodes number of NUMA nodes; 0 if not given
/// @param memory its own memory
/// @param cards its network cards
record HostDescription(
        List<DeviceCount> devices, List<HostFabric> fabrics, int numaNodes, Reading<Bytes> memory, List<Cards> cards) {
    HostDescription {
        devices = List.copyOf(devices);
        fabrics = List.copyOf(fabrics);
        cards = List.copyOf(cards);
    }

    /// Identical network cards.
    ///
    /// @param network network of the cards
    /// @param count number of cards
    /// @param rate bandwidth of each, one way
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

    Optional<HostFabric> findAsked(DeviceEntry entry) {
        return fabrics.stream().filter(fabric -> fabric.joins(entry)).findFirst();
    }
}
