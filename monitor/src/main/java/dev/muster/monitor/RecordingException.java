// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import java.io.Serial;

/// A line of a recording that is not a registry.
///
/// @since 0.2
public final class RecordingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final long line;

    RecordingException(long line, String reason) {
        super("line " + line + " of the recording is damaged: " + reason);
        this.line = line;
    }

    /// The number of the line, from 1.
    public long line() {
        return line;
    }
}
