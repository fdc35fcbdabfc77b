package dev.muster.fleet;

import dev.muster.core.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Many hosts at one time, and how well each source could be read. Immutable and safe to share between threads.
///
/// @param hosts the hosts, by name in natural order
/// @param sources the sources, in the order given
/// @since 0.2
public record Fleet(List<FleetHost> hosts, List<SourceState> sources) {
    /// Copies the lists.
    public Fleet {
        hosts = List.copyOf(hosts);
        sources = List.copyOf(sources);
    }

    /// The host with that name.
    public Optional<FleetHost> find(String name) {
        return hosts.stream().filter(host -> host.name().equals(name)).findFirst();
    }

    /// How a source is doing.
    ///
    /// @param source the source by name
    /// @param observedAt when what is shown of it was seen; unknown where it never told anything
    /// @param failure why it could not be read the last time; blank where it could
    /// @since 0.2
    public record SourceState(String source, Reading<Instant> observedAt, String failure) {}
}
