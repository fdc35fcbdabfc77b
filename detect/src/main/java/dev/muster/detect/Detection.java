// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import dev.muster.core.AcceleratorRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// The result of a detection, with its duration. Immutable.
///
/// @param registry the devices found
/// @param timings the time of each part by its backend, in their order, or by a name with `_` in front; parts run
///     beside each other, so their sum may exceed the total
/// @param total the time of the whole detection
/// @since 0.1
public record Detection(AcceleratorRegistry registry, Map<String, Duration> timings, Duration total) {
    /// Copies the map.
    public Detection {
        timings = Collections.unmodifiableMap(new LinkedHashMap<>(timings));
    }
}
