// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// The common type of all exceptions of this module: of plans ([MeshPlanException]), of process groups, stores and
/// launches. The message is for people; each kind has a code for programs.
///
/// @since 0.1
public abstract class MeshException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Says what went wrong, and because of what.
    protected MeshException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
