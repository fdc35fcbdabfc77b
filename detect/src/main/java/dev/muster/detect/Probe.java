package dev.muster.detect;

/// Asks a host about one kind of device. A probe never throws: what it could not learn is a gap in its report.
///
/// @since 0.1
public interface Probe {
    /// The probe's name in logs and reports.
    String name();

    /// Asks the host.
    ProbeReport probe(ProbeContext context);
}
