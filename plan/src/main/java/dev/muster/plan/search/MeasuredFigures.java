// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.search;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.Provenance;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.plan.cost.DeviceFamily;
import dev.muster.plan.cost.DeviceFigures;
import java.util.Optional;

/// Measured figures of a device, which replace its data sheet.
final class MeasuredFigures {
    /// The usual share of a data sheet's peak that copies and products reach: an H200's 4272 of 4800 GB/s and 679 of
    /// 990 TFLOP/s (2026-11). Coefficients are shares of data sheets, so a device that reaches as much is as its
    /// data sheet says.
    private static final double USUAL_COPY_SHARE = 0.89;

    private static final double USUAL_PRODUCT_SHARE = 0.69;
    private static final Provenance MEASURED =
            Provenance.of("muster calibrate", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED);

    private MeasuredFigures() {}

    /// Returns the figures of a device as it was measured; empty if it was not. The memory of a processor is that of
    /// its host, which [HostRate] tells.
    static Optional<DeviceFigures> apply(
            DeviceFigures sheet, AcceleratorProfile profile, CalibrationDocument measured) {
        Optional<DeviceCalibration> device = measured.find(MeasuredDevice.of(profile));
        if (sheet.family() == DeviceFamily.CPU) {
            return device.flatMap(one -> rate(one, MeasuredQuantity.MULTIPLY_ADD_FP32))
                    .filter(_ -> sheet.isComplete())
                    .map(rate -> sheet.times(1, rate / sheet.half(), MEASURED));
        }
        Optional<Double> copies = device.flatMap(one -> rate(one, MeasuredQuantity.MEMORY_COPY));
        Optional<Double> products = device.flatMap(
                one -> rate(one, MeasuredQuantity.MATRIX_BF16).or(() -> rate(one, MeasuredQuantity.MATRIX_FP16)));
        return copies.isEmpty() || products.isEmpty() || !sheet.isComplete()
                ? Optional.empty()
                : Optional.of(sheet.times(
                        copies.get() / (USUAL_COPY_SHARE * sheet.bandwidth()),
                        products.get() / (USUAL_PRODUCT_SHARE * sheet.half()),
                        MEASURED));
    }

    private static Optional<Double> rate(DeviceCalibration device, MeasuredQuantity quantity) {
        return device.find(quantity).map(Measurement::median);
    }
}
