// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import org.jspecify.annotations.Nullable;

/// Signals that a detection, or a step it needs, cannot be done. The message is one sentence for people.
///
/// @since 0.1
public class DetectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// Says what is wrong.
    public DetectException(String message) {
        super(message);
    }

    /// Says what is wrong, and what made it so.
    public DetectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
