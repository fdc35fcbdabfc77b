// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

/// A source of a fleet that tells nothing: it cannot be reached, refuses, or says what cannot be read. The message says
/// what, where, and what to do.
///
/// @since 0.2
public final class FleetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// The exception with its message.
    public FleetException(String message) {
        super(message);
    }

    /// The exception with its message and what caused it.
    public FleetException(String message, Throwable cause) {
        super(message, cause);
    }
}
