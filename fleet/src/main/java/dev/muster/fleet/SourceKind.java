// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.Locale;

/// The kind of a source, which decides its rank. Facts of devices are taken from the first kind here that has
/// them; whether a host takes work, and who holds its devices, from the last.
///
/// @since 0.2
public enum SourceKind {
    /// The host itself, asked now.
    HOST,
    /// A server of metrics.
    METRICS,
    /// A saved document: remembered, not observed.
    SAVED,
    /// A scheduler, whose devices are configured by an administrator.
    SCHEDULER;

    /// The kind as documents write it.
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Reports whether its list of a host's devices is whole: a server of metrics may lack series, a scheduler knows
    /// what was configured.
    boolean listsAllDevices() {
        return this == HOST || this == SAVED;
    }
}
