package dev.muster.fleet;

import java.time.Duration;

/// Something that tells of hosts: a scheduler, a metrics server, a file, hosts themselves. It is only read, never
/// changed. Safe to share between threads.
///
/// @since 0.2
public interface FleetSource {
    /// The source by name, such as `slurm` or `kubernetes:prod`; the provenance of its facts names it too.
    String name();

    /// Asks once. What cannot be learned of one host is a gap, and the others go on.
    ///
    /// @param limit how long it may take
    /// @throws FleetException if the source tells nothing at all
    SourceReport read(Duration limit);
}
