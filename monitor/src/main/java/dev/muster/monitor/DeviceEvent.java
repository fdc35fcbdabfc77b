// SPDX-License-Identifier: Apache-2.0
package dev.muster.monitor;

import dev.muster.core.DeviceId;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import java.time.Instant;
import java.util.Locale;

/// A change of a device that someone may want to act on. Immutable.
///
/// @param number counts from 1 since the start of the program
/// @param at time of the sample that shows it
/// @param device the device
/// @param kind kind of the change
/// @param message the predicate of a sentence about the device, such as `is lost`
/// @since 0.3
public record DeviceEvent(long number, Instant at, DeviceId device, DeviceEventKind kind, String message) {
    /// Returns the event as a document.
    public JsonValue toJson() {
        return JsonObject.builder()
                .put("number", number)
                .put("at", at.toString())
                .put("device", device.text())
                .put("event", kind.text())
                .put("message", device.text() + " " + message)
                .build();
    }

    /// The kind of a change.
    ///
    /// @since 0.3
    public enum DeviceEventKind {
        /// It is no longer there, or cannot be used.
        LOST,
        /// It is there again.
        FOUND,
        /// It slows itself down.
        THROTTLED,
        /// It no longer slows itself down.
        UNTHROTTLED,
        /// It has more uncorrected memory errors than before, or rows that could not be remapped.
        MEMORY_ERROR,
        /// A link to other devices went down.
        LINK_DOWN,
        /// It has another fault.
        FAULT,
        /// A fault is over.
        RECOVERED;

        /// Returns the kind as in documents, such as `link-down`.
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
