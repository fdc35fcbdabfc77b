// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.core.json.JsonValue;
import dev.muster.core.measure.CalibrationDocument;
import dev.muster.core.measure.MeshCalibration;
import dev.muster.core.measure.MeshCalibration.Curve;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;

/// Measured collectives as text and JSON.
///
/// @param mesh measured figures
public record MeshCalibrationText(MeshCalibration mesh) implements Report {
    private static final double MICRO = 1e-6;
    private static final double GIGA = 1e9;

    @Override
    public String text(Terminal terminal) {
        String table = new Table<Curve>(terminal)
                .left("COLLECTIVE", curve -> curve.collective().text())
                .right("RANKS", Curve::members)
                .right("LATENCY", curve -> FixedText.of(curve.latency() / MICRO, 1) + " us")
                .right("BANDWIDTH", curve -> Quantity.of(new Bandwidth(curve.bytesPerSecond() / GIGA)))
                .right(
                        "FROM",
                        2,
                        curve -> Quantity.of(Bytes.of(curve.points().getFirst().bytes())))
                .right(
                        "TO",
                        1,
                        curve -> Quantity.of(Bytes.of(curve.points().getLast().bytes())))
                .render(mesh.curves());
        StringBuilder out = new StringBuilder(table).append('\n');
        terminal.wrap(
                out,
                "",
                0,
                mesh.ranks() + " ranks on " + mesh.hosts() + (mesh.hosts() == 1 ? " host" : " hosts") + " over "
                        + mesh.backend() + ". LATENCY is the median of the smallest call, BANDWIDTH is bytes of the"
                        + " buffer for each second of the largest.");
        return out.toString();
    }

    @Override
    public JsonValue json() {
        return CalibrationDocument.of(mesh).toJson();
    }
}
