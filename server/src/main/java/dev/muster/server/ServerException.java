// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import java.io.Serial;

/// The server cannot start, or was told something that makes no sense.
///
/// @since 0.2
public final class ServerException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// With a sentence for people.
    public ServerException(String message) {
        super(message);
    }

    /// With a sentence for people and what caused it.
    public ServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
