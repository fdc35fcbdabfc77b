package dev.muster.core.measure;

import dev.muster.core.UnknownReason;

/// Something that could not be measured. Not fatal: the rest stands.
///
/// @param device the device's id
/// @param reason why, in one word
/// @param message what is missing, why, and what to do about it; for people
/// @since 0.1
public record MeasurementGap(String device, UnknownReason reason, String message) {
    /// The gap as one line for people.
    public String display() {
        return device + ": " + message;
    }
}
