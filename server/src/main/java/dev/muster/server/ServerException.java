// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.io.Serial;

/// An exception for a server that cannot start, or has an invalid configuration.
///
/// @since 0.2
public final class ServerException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Creates an exception with a message.
    public ServerException(String message) {
        super(message);
    }

    /// Creates an exception with a message and a cause.
    public ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
