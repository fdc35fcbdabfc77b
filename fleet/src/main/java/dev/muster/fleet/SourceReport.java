// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.Gap;
import java.time.Instant;
import java.util.List;

/// The report of one source at one time. Immutable.
///
/// @param source the source by name
/// @param kind the kind of source, which decides its rank
/// @param observedAt the time of the reading; for a file, the time of its content
/// @param hosts the hosts that it knows
/// @param gaps the facts that it could not learn
/// @since 0.2
public record SourceReport(String source, SourceKind kind, Instant observedAt, List<HostReport> hosts, List<Gap> gaps) {
    /// Copies the lists.
    public SourceReport {
        hosts = List.copyOf(hosts);
        gaps = List.copyOf(gaps);
    }

    /// The report of a scheduler.
    public SourceReport(String source, Instant observedAt, List<HostReport> hosts, List<Gap> gaps) {
        this(source, SourceKind.SCHEDULER, observedAt, hosts, gaps);
    }
}
