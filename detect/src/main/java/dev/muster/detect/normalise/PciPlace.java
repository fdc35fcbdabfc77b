// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.normalise;

import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import dev.muster.detect.pci.PciPath;
import java.util.List;

/// The place of a device in a host.
///
/// @param numa the NUMA node next to it
/// @param hostBridge the host's own root of PCI Express above it, such as `0000:3a`; blank where it is not known
/// @param bridges root port and switches above it, the host's first
public record PciPlace(Reading<Long> numa, String hostBridge, List<PciAddress> bridges) {
    /// Copies the list.
    public PciPlace {
        bridges = List.copyOf(bridges);
    }

    /// The place that a path leads to.
    public static PciPlace of(Reading<Long> numa, PciPath path) {
        return new PciPlace(numa, path.hostBridge(), path.hops());
    }
}
