// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.util.Locale;

/// The state of a host in its scheduler. Immutable.
///
/// @param kind the kind of state
/// @param text the scheduler's own word for it, such as `IDLE+DRAIN`
/// @param reason the scheduler's reason; may be blank
/// @since 0.2
public record HostState(HostStateKind kind, String text, String reason) {
    /// The state of a host without a scheduler.
    public static final HostState UNKNOWN = new HostState(HostStateKind.UNKNOWN, "", "");

    /// Kinds of states.
    ///
    /// @since 0.2
    public enum HostStateKind {
        /// New work is started where devices are free.
        READY,
        /// Running jobs may end, new ones are not started.
        DRAINING,
        /// The host does not answer its scheduler, or is switched off.
        DOWN,
        /// The source has no scheduler.
        UNKNOWN;

        /// The kind as documents write it.
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
