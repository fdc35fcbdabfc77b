package dev.muster.detect.fabric;

import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import java.util.List;

/// The network ports of a host.
///
/// @param ports every port
/// @param cards the cards that have them
/// @param gaps what could not be learned
public record NetworkReport(List<Interconnect> ports, List<NetworkCard> cards, List<Gap> gaps) {
    /// Copies the lists.
    public NetworkReport {
        ports = List.copyOf(ports);
        cards = List.copyOf(cards);
        gaps = List.copyOf(gaps);
    }
}
