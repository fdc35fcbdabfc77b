// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Many hosts at one time, and how well each source could be read. Immutable and safe to share between
/// threads.
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

    /// One view of what several sources say. Hosts are recognised by name, a short one being the same as the
    /// only full one that begins with it; devices by UUID, then PCI address, then number. More exact sources
    /// win: for devices the host itself, then metrics, saved documents, schedulers; for states and claims the
    /// other way round. What sources contradict each other in is listed with each host.
    public static Fleet merge(List<SourceReport> reports) {
        List<SourceState> states = new ArrayList<>();
        for (SourceReport report : reports) {
            states.add(SourceState.of(report, ""));
        }
        return new Fleet(FleetMerge.hosts(reports), states);
    }

    /// The host with that name.
    public Optional<FleetHost> find(String name) {
        return hosts.stream().filter(host -> host.name().equals(name)).findFirst();
    }

    /// The state of a source.
    ///
    /// @param source the source by name
    /// @param observedAt the time of its newest observation; unknown if it never reported
    /// @param failure the error of the last reading; blank if it succeeded
    /// @param gaps the facts that it could not learn, such as of a single host
    /// @since 0.2
    public record SourceState(String source, Reading<Instant> observedAt, String failure, List<Gap> gaps) {
        /// Copies the list.
        public SourceState {
            gaps = List.copyOf(gaps);
        }

        /// A source without gaps.
        public SourceState(String source, Reading<Instant> observedAt, String failure) {
            this(source, observedAt, failure, List.of());
        }

        /// A source with what it said last.
        static SourceState of(SourceReport report, String failure) {
            Reading<Instant> seen = Reading.known(report.observedAt(), Provenance.GIVEN);
            return new SourceState(report.source(), seen, failure, report.gaps());
        }
    }
}
