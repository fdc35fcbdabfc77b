// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.Locale;

/// Whether a host takes work, by the word of its scheduler. Immutable.
///
/// @param kind what kind of state it is
/// @param text the scheduler's own word for it, such as `IDLE+DRAIN`
/// @param reason why, where the scheduler says so; blank otherwise
/// @since 0.2
public record HostState(HostStateKind kind, String text, String reason) {
    /// Nobody says.
    public static final HostState UNKNOWN = new HostState(HostStateKind.UNKNOWN, "", "");

    /// Kinds of states.
    ///
    /// @since 0.2
    public enum HostStateKind {
        /// New work is started where devices are free.
        READY,
        /// What runs may end, nothing new is started.
        DRAINING,
        /// The host does not answer its scheduler, or is switched off.
        DOWN,
        /// Nobody says.
        UNKNOWN;

        /// The kind as documents write it.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
