// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.top;

import java.time.Duration;
import java.util.Optional;

/// Where samples come from: a host, or a recording. Confined to one thread.
public interface TopSource extends AutoCloseable {
    /// The newest sample; nothing before the first.
    Optional<TopData> newest();

    /// The same, in a form that stays as it is.
    Optional<TopData> frozen();

    /// How long until there may be a newer one.
    Duration untilNext();

    /// How often samples come, or where in a recording it is, for people.
    String pace();

    /// What went wrong last; blank for nothing.
    String trouble();

    /// Whether it is a recording.
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
