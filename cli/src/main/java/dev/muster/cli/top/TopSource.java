// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.time.Duration;
import java.util.Optional;

/// A source of samples: a host, or a recording. Confined to one thread. Confined to one thread.
public interface TopSource extends AutoCloseable {
    /// Returns the newest sample; nothing before the first.
    Optional<TopData> newest();

    /// Returns the same, in a form that stays as it is.
    Optional<TopData> frozen();

    /// Returns the time until there may be a newer one.
    Duration untilNext();

    /// Returns the interval of samples, or the position in a recording, as text.
    String pace();

    /// Returns the last problem; blank without one.
    String trouble();

    boolean isReplay();

    /// Goes on by one sample, where it is a recording.
    void step();

    /// Stands still or goes on, where it is a recording.
    void pause(boolean still);

    /// Plays so many times as fast, where it is a recording.
    void speed(double times);

    @Override
    void close();
}
