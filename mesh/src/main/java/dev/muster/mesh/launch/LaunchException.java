// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.launch;

import dev.muster.mesh.MeshException;
import org.jspecify.annotations.Nullable;

/// The variables that a launcher set contradict each other, or some are missing. The message is one sentence for
/// people.
///
/// @since 0.1
public final class LaunchException extends MeshException {
    private static final long serialVersionUID = 1L;

    /// Says which variables, and what to do.
    public LaunchException(String message) {
        this(message, null);
    }

    /// Keeps the cause.
    public LaunchException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
