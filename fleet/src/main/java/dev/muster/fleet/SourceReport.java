// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import dev.muster.core.Gap;
import java.time.Instant;
import java.util.List;

/// What one source said at one time. Immutable.
///
/// @param source the source by name
/// @param kind what the source is, which decides whom to believe
/// @param observedAt when it was asked; for a file, when what it says was seen
/// @param hosts the hosts that it knows
/// @param gaps what it could not learn
/// @since 0.2
public record SourceReport(String source, SourceKind kind, Instant observedAt, List<HostReport> hosts, List<Gap> gaps) {
    /// Copies the lists.
    public SourceReport {
        hosts = List.copyOf(hosts);
        gaps = List.copyOf(gaps);
    }

    /// What a scheduler said.
    public SourceReport(String source, Instant observedAt, List<HostReport> hosts, List<Gap> gaps) {
        this(source, SourceKind.SCHEDULER, observedAt, hosts, gaps);
    }
}
