package dev.muster.core.measure;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What one device reached.
///
/// @param device the device
/// @param measuredAt when it was measured
/// @param thoroughness how much time was spent on it
/// @param results the rates
/// @since 0.1
public record DeviceCalibration(
        MeasuredDevice device, Instant measuredAt, Thoroughness thoroughness, List<Measurement> results) {
    /// Copies the rates.
    public DeviceCalibration {
        results = List.copyOf(results);
    }

    /// A rate, if it was measured.
    public Optional<Measurement> find(MeasuredQuantity quantity) {
        return results.stream().filter(result -> result.quantity() == quantity).findFirst();
    }
}
