package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.json.DocumentException;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.DeviceCalibration;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.MeasuredQuantity;
import dev.muster.core.measure.Measurement;
import dev.muster.detect.measure.CalibrationStore;
import dev.muster.plan.time.DeviceFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What `muster calibrate` measured of the devices that are planned for: it takes the place of the data sheet.
final class MeasuredHere {
    /// What copies and products usually reach of a data sheet's peak: an H200's 4272 of 4800 GB/s and 679 of
    /// 990 TFLOP/s (2026-11). Coefficients are shares of data sheets, so a device that reaches as much is as its
    /// data sheet says.
    private static final double USUAL_COPY_SHARE = 0.89;

    private static final double USUAL_PRODUCT_SHARE = 0.69;

    private MeasuredHere() {}

    /// What was measured on this machine; nothing where nothing was, or where another machine is asked.
    static Optional<CalibrationDocument> load(Arguments arguments, Session session) {
        boolean elsewhere = CommonOptions.hasAny(arguments, List.of(CommonOptions.REGISTRY, CommonOptions.HOST))
                || CommonOptions.hasAny(arguments, CommonOptions.WHAT_IF);
        Optional<Path> folder = elsewhere
                ? Optional.empty()
                : CalibrateCommand.cacheFolder(session.host().variables());
        try {
            return folder.isEmpty()
                    ? Optional.empty()
                    : CalibrationStore.of(folder.get()).read();
        } catch (IOException | DocumentException e) {
            session.note("muster: what was measured here cannot be read, so data sheets are believed: "
                    + Printable.of(String.valueOf(e.getMessage())) + "; measure again with 'muster calibrate'");
            return Optional.empty();
        }
    }

    /// The figures of devices as they were measured, the slowest of them; empty where one was not.
    static Optional<DeviceFigures> apply(
            DeviceFigures sheet, List<AcceleratorProfile> profiles, CalibrationDocument measured) {
        double copies = Double.MAX_VALUE;
        double products = Double.MAX_VALUE;
        for (AcceleratorProfile profile : profiles) {
            Optional<DeviceCalibration> device = measured.find(MeasuredDevice.of(profile));
            Optional<Double> copy = device.flatMap(one -> rate(one, MeasuredQuantity.MEMORY_COPY));
            Optional<Double> product = device.flatMap(
                    one -> rate(one, MeasuredQuantity.MATRIX_BF16).or(() -> rate(one, MeasuredQuantity.MATRIX_FP16)));
            if (copy.isEmpty() || product.isEmpty()) {
                return Optional.empty();
            }
            copies = Math.min(copies, copy.get());
            products = Math.min(products, product.get());
        }
        return Optional.of(sheet.times(
                copies / (USUAL_COPY_SHARE * sheet.bandwidth()), products / (USUAL_PRODUCT_SHARE * sheet.half())));
    }

    private static Optional<Double> rate(DeviceCalibration device, MeasuredQuantity quantity) {
        return device.find(quantity).map(Measurement::value);
    }
}
