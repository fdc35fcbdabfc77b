// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.Locale;

/// Something that keeps work off a host unless it asks in the right way. Immutable.
///
/// @param kind the kind
/// @param name its name: of a partition, of a reservation, the key of a taint
/// @param detail its details: value and effect of a taint, times and users of a reservation; may be blank
/// @since 0.2
public record Restriction(RestrictionKind kind, String name, String detail) {
    /// Kinds of restrictions.
    ///
    /// @since 0.2
    public enum RestrictionKind {
        /// A partition of Slurm: work names one that holds the host.
        PARTITION,
        /// A reservation: the host is kept for others.
        RESERVATION,
        /// A taint of Kubernetes: work says that it tolerates it.
        TAINT;

        /// The kind as documents write it.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
