// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.time.Duration;

/// The limits of a command: its run time and the size of its output.
///
/// @param time the longest it may run
/// @param maxBytes the most that is kept of each of its streams; what comes behind is read and dropped
/// @since 0.1
public record CommandLimits(Duration time, int maxBytes) {
    /// Default size: an 8-GPU `nvidia-smi -q -x` has some 200 KB.
    public static final int DEFAULT_BYTES = 4 << 20;
    /// The most that can be asked for.
    public static final int MAX_BYTES = 16 << 20;

    /// Checks both.
    public CommandLimits {
        if (time.isNegative() || maxBytes < 1 || maxBytes > MAX_BYTES) {
            throw new IllegalArgumentException("no limits: " + time + ", " + maxBytes + " bytes");
        }
    }

    /// A limit of time, and the usual number of bytes.
    public static CommandLimits of(Duration time) {
        return new CommandLimits(time, DEFAULT_BYTES);
    }
}
