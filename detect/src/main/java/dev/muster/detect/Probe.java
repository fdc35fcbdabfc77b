package dev.muster.detect;

/// Asks a host about the devices of one backend. A probe never throws: what it could not learn is a gap in its report.
/// Stateless and safe to share between threads.
///
/// @since 0.1
public interface Probe {
    /// The backend it serves.
    Backend backend();

    /// Whether there is any sign of such devices: a PCI id, a device node, a folder of the driver, an installed tool.
    /// Looks at a few files at most and starts nothing: it runs for every backend on every machine.
    boolean hasSigns(ProbeContext context);

    /// Asks the host.
    ProbeReport probe(ProbeContext context);
}
