// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

import java.time.Duration;

/// Something that tells of hosts: a scheduler, a metrics server, a file, hosts themselves. It is only read, never
/// changed. Safe to share between threads.
///
/// @since 0.2
public interface FleetSource {
    /// The source by name, such as `slurm` or `kubernetes:prod`; the provenance of its facts names it too.
    String name();

    /// Asks once. What cannot be learned of one host is a gap, and the others go on.
    ///
    /// @param limit the time it may take
    /// @throws FleetException if the source tells nothing at all
    SourceReport read(Duration limit);

    /// Tells a listener what the source says now, and then every change, until it is closed. A source that tells of
    /// changes by itself is listened to; others are asked again and again.
    ///
    /// @param listener the listener
    /// @param interval the time a source that has to be asked is left alone between two readings; where these take
    ///     longer than that, for nine times as long as they take
    /// @param limit the time one reading may take
    default Following follow(FleetListener listener, Duration interval, Duration limit) {
        return PolledFollowing.start(this, listener, interval, limit);
    }

    /// A source that is followed. Closing it ends its threads and connections; the listener may be told of one more
    /// change that was on its way.
    ///
    /// @since 0.2
    interface Following extends AutoCloseable {
        @Override
        void close();
    }
}
