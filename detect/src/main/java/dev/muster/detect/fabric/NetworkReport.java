// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.PciAddress;
import dev.muster.core.Reading;
import java.util.List;

/// The network ports of a host.
///
/// @param ports every port
/// @param cards the cards that have them
/// @param gaps facts that could not be learned
public record NetworkReport(List<Interconnect> ports, List<Card> cards, List<Gap> gaps) {
    /// Copies the lists.
    public NetworkReport {
        ports = List.copyOf(ports);
        cards = List.copyOf(cards);
        gaps = List.copyOf(gaps);
    }

    /// A network card.
    ///
    /// @param name the kernel's name for it, such as `mlx5_0`
    /// @param address PCI address
    public record Card(String name, Reading<PciAddress> address) {}
}
