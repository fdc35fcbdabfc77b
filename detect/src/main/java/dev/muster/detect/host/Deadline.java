// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import java.time.Duration;

/// The moment by which something must have ended, on the monotonic clock. Immutable.
///
/// @since 0.1
public final class Deadline {
    private final long nanoTime;

    private Deadline(long nanoTime) {
        this.nanoTime = nanoTime;
    }

    /// A deadline that lies a duration ahead.
    public static Deadline in(Duration duration) {
        return new Deadline(System.nanoTime() + duration.toNanos());
    }

    /// Returns the time left; zero when it has passed.
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
    }

    /// Reports whether it has passed.
    public boolean hasPassed() {
        return System.nanoTime() - nanoTime >= 0;
    }
}
