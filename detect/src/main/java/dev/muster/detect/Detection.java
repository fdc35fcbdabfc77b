// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.util.List;

/// What a detection found and how long it took. Immutable.
///
/// @param registry what was found
/// @param timings how long each part took, in the order of the backends; parts run beside each other, so their sum may
///     exceed the total
/// @param total how long all of it took
/// @since 0.1
public record Detection(AcceleratorRegistry registry, List<Timing> timings, Duration total) {
    /// Copies the list.
    public Detection {
        timings = List.copyOf(timings);
    }

    /// How long one part took.
    ///
    /// @param name the backend's name; with `_` in front, a part that is no backend
    /// @param took how long
    public record Timing(String name, Duration took) {}
}
