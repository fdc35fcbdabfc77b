package dev.muster.cli.model;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.CalibrationDocument.DeviceCalibration;
import dev.muster.core.measure.Measurement;
import dev.muster.core.measure.Measurement.Spread;
import dev.muster.core.unit.Bandwidth;
import java.util.ArrayList;
import java.util.List;

/// What devices reached, as a table.
public final class CalibrationText {
    private static final double GIGA = 1e9;
    private static final double TERA = 1e12;

    private CalibrationText() {}

    /// The table, with a line for each rate; nothing where nothing was measured.
    ///
    /// @param wide whether to say how each was measured
    public static String of(CalibrationDocument document, Terminal terminal, boolean wide) {
        if (document.devices().isEmpty()) {
            return "";
        }
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                new TextTable.Column("ID", false, 0, false),
                new TextTable.Column("DEVICE", false, 2, true),
                new TextTable.Column("WHAT", false, 0, false),
                new TextTable.Column("MEDIAN", true, 0, false),
                new TextTable.Column("SPREAD", true, 1, false),
                new TextTable.Column("SAMPLES", true, 3, false)));
        if (wide) {
            columns.add(new TextTable.Column("METHOD", false, 4, true));
        }
        TextTable table = new TextTable(terminal, columns);
        for (DeviceCalibration calibration : document.devices()) {
            String id = Printable.of(calibration.device().id());
            String name = Printable.of(calibration.device().name());
            for (Measurement result : calibration.results()) {
                List<TextTable.Cell> row = new ArrayList<>(List.of(
                        cell(id),
                        cell(name),
                        cell(result.quantity().display()),
                        cell(rate(result)),
                        cell(spread(result.spread())),
                        cell(String.valueOf(result.repeats()))));
                if (wide) {
                    row.add(cell(Printable.of(result.method())));
                }
                table.add(row);
                id = "";
                name = "";
            }
        }
        return table.render(true);
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// In the units of data sheets.
    static String rate(Measurement result) {
        return switch (result.unit()) {
            case BYTES_PER_SECOND -> Quantity.of(new Bandwidth(result.value() / GIGA));
            case OPERATIONS_PER_SECOND ->
                result.value() < TERA
                        ? FixedText.of(result.value() / GIGA, 1) + " GFLOP/s"
                        : FixedText.of(result.value() / TERA, 1) + " TFLOP/s";
        };
    }

    private static String spread(Spread spread) {
        return "-" + FixedText.of(spread.percentBelow(), 1) + " +" + FixedText.of(spread.percentAbove(), 1) + " %";
    }
}
