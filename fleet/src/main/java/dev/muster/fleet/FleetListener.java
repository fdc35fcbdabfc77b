// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet;

/// A listener for changes of a fleet. Calls come from a thread of the source, one after another; a listener that
/// takes long holds up its source alone.
///
/// @since 0.2
public interface FleetListener {
    /// The source says something new, or was asked again: all of it, not the difference.
    void changed(SourceReport report);

    /// The source cannot be read now. What was reported before may be old; the source is asked again by itself.
    void failed(FleetException reason);
}
