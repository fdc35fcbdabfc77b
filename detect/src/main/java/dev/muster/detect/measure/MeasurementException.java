// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.measure;

import dev.muster.core.UnknownReason;
import dev.muster.core.measure.CalibrationDocument.MeasurementGap;
import dev.muster.detect.host.DetectException;
import java.io.Serial;

/// A measurement that came to nothing. The message says what, why, and what to do.
public final class MeasurementException extends DetectException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final UnknownReason reason;

    /// Says why.
    ///
    /// @param reason the reason, in one word
    /// @param message the reason, for people
    public MeasurementException(UnknownReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /// A call that failed.
    ///
    /// @param message names the call and what the library said
    public static MeasurementException ofCall(String message) {
        return new MeasurementException(UnknownReason.UNREADABLE, message);
    }

    /// The gap that it leaves.
    ///
    /// @param device the device's id
    /// @param what the measured quantity
    public MeasurementGap toGap(String device, String what) {
        return new MeasurementGap(device, reason, what + ": " + getMessage());
    }
}
