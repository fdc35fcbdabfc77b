// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.MeasuredDevice;
import dev.muster.core.measure.Measurement;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bandwidth;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.List;

/// Measured rates of devices as a table.
public final class CalibrationText {
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;

    private CalibrationText() {}

    /// Returns the table, with a line for each rate; empty without measurements.
    ///
    /// @param wide true to include the method of each measurement
    public static String of(CalibrationDocument document, Terminal terminal, boolean wide) {
        if (document.devices().isEmpty()) {
            return "";
        }
        Table<Line> table = new Table<Line>(terminal)
                .left("ID", line -> line.isFirst ? line.device.id() : "")
                .flexible("DEVICE", 2, line -> line.isFirst ? line.device.name() : "")
                .left("WHAT", line -> line.result.quantity().display())
                .right("MEDIAN", line -> rate(line.result))
                .right("SPREAD", 1, line -> spread(line.result))
                .right("SAMPLES", 3, line -> line.result.repeats());
        if (wide) {
            table.flexible("METHOD", 4, line -> line.result.method());
        }
        List<Line> lines = new ArrayList<>();
        for (DeviceCalibration calibration : document.devices()) {
            boolean isFirst = true;
            for (Measurement result : calibration.results()) {
                lines.add(new Line(calibration.device(), result, isFirst));
                isFirst = false;
            }
        }
        return table.render(lines);
    }

    /// A rate of a device, whose first line has its name.
    private record Line(MeasuredDevice device, Measurement result, boolean isFirst) {}

    /// Returns a rate in the units of data sheets.
    static String rate(Measurement result) {
        double value = result.median();
        if (result.quantity().isDataRate()) {
            return Quantity.of(new Bandwidth(value / GIGA));
        }
        return value < TERA ? FixedText.of(value / GIGA, 1) + " GFLOP/s" : FixedText.of(value / TERA, 1) + " TFLOP/s";
    }

    private static String spread(Measurement result) {
        return "-" + FixedText.of(result.percentBelow(), 1) + " +" + FixedText.of(result.percentAbove(), 1) + " %";
    }
}
