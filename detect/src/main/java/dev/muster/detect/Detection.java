// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.util.List;

/// The result of a detection, with its duration. Immutable.
///
/// @param registry the devices found
/// @param timings the time of each part, in the order of the backends; parts run beside each other, so their sum may
///     exceed the total
/// @param total the time of the whole detection
/// @since 0.1
public record Detection(AcceleratorRegistry registry, List<Timing> timings, Duration total) {
    /// Copies the list.
    public Detection {
        timings = List.copyOf(timings);
    }

    /// The duration of one part.
    ///
    /// @param name the backend's name; with `_` in front, a part that is not a backend
    /// @param took duration
    public record Timing(String name, Duration took) {}
}
