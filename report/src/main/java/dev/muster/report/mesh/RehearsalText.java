// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.mesh;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.measure.MeshCalibration.Collective;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.mesh.rehearse.RehearsalFigures;
import dev.muster.mesh.rehearse.RehearsalFigures.CallFigures;
import dev.muster.report.mesh.RehearsalReport.Row;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.Optional;

/// A rehearsal as text and JSON.
///
/// @param report predicted and measured figures
public record RehearsalText(RehearsalReport report) implements Report {
    private static final double MILLI = 1e-3;
    private static final double MICRO = 1e-6;
    private static final int MOST_SHOWN = 4;

    @Override
    public String text(Terminal terminal) {
        Optional<RehearsalFigures> figures = report.findFigures();
        Table<Row> table = new Table<Row>(terminal)
                .left("CALL", row -> row.call().what())
                .right("RANKS", 4, row -> row.call().members())
                .right("SIZE", 2, row -> Quantity.of(Bytes.of(row.call().bytes())))
                .right("CALLS", row -> row.call().count())
                .right("SENT", 1, row -> Quantity.ofBytes(row.sentBytes()));
        if (figures.isEmpty()) {
            table.right("SENT BY ALL", row -> Quantity.ofBytes(row.totalBytes()))
                    .right("PREDICTED", row -> seconds(row.predicted()));
        } else {
            table.right(
                            "P50",
                            3,
                            row -> row.findMeasured().map(CallFigures::p50).map(RehearsalText::seconds))
                    .right(
                            "P99",
                            5,
                            row -> row.findMeasured().map(CallFigures::p99).map(RehearsalText::seconds))
                    .right("PREDICTED", row -> seconds(row.predicted()))
                    .right("MEASURED", row -> seconds(row.seconds()))
                    .right("RATIO", row -> ratio(row.predicted() > 0 ? row.seconds() / row.predicted() : 0))
                    .right("SHARE", 2, row -> Quantity.percent(report.share(row), 1))
                    .flexible("SLOWEST", 6, row -> row.findMeasured().map(call -> slowest(row, call)));
        }
        StringBuilder out = new StringBuilder(table.render(report.rows())).append('\n');
        terminal.wrap(out, "", 0, figures.map(this::summary).orElseGet(this::volumes));
        return out.toString();
    }

    private String summary(RehearsalFigures figures) {
        String basis = report.rows().stream().allMatch(Row::isCalibrated)
                ? "as 'muster calibrate --mesh' measured calls between such ranks"
                : report.rows().stream().anyMatch(Row::isCalibrated)
                        ? "as 'muster calibrate --mesh' measured calls where it did, else by the plan"
                        : "by the plan; 'muster calibrate --mesh' would measure these ranks";
        String made = figures.share() < 1
                ? figures.rounds() + " rounds of " + Quantity.percent(figures.share(), 2) + " of a step"
                : figures.rounds() + " steps";
        return ranks() + " over " + figures.backend() + ", " + made + ". Communication of a step: "
                + seconds(report.predicted()) + " predicted (" + basis + "), " + seconds(report.measured())
                + " measured, " + ratio(report.ratio()) + " times as long; computation, for which ranks wait: "
                + seconds(report.rehearsal().computeSeconds())
                + ". P50 and P99 are of one call behind a barrier, MEASURED is P50 as often as a step has the call, SENT"
                + " is the data of a rank in a step. Overlapped calls count in full; SHARE is of "
                + seconds(report.stepSeconds()) + ", the measured step.";
    }

    private String volumes() {
        return ranks() + ", none of which was started. SENT is the mean data of a rank in a step, by rings;"
                + " PREDICTED is the plan's time.";
    }

    private String ranks() {
        return report.rehearsal().mesh().worldSize() + " ranks ("
                + report.rehearsal().mesh() + ")";
    }

    /// Returns the slowest rank and, for messages, its link.
    private static String slowest(Row row, CallFigures call) {
        List<Integer> group = call.slowestGroup();
        int place = group.indexOf(call.slowestRank());
        boolean isMessage =
                row.call().collective() == Collective.SEND || row.call().collective() == Collective.RING_SEND;
        if (isMessage) {
            int from = group.get(Math.floorMod(place - 1, group.size()));
            return from + " -> " + call.slowestRank();
        }
        String others = String.join(
                " ", group.stream().limit(MOST_SHOWN).map(String::valueOf).toList());
        return call.slowestRank() + " of " + others + (group.size() > MOST_SHOWN ? " ..." : "");
    }

    private static String ratio(double value) {
        return FixedText.of(value, 2);
    }

    private static String seconds(double value) {
        if (value >= 1) {
            return FixedText.of(value, 2) + " s";
        }
        return value >= MILLI ? FixedText.of(value / MILLI, 2) + " ms" : FixedText.of(value / MICRO, 1) + " us";
    }

    @Override
    public JsonValue json() {
        JsonObject.ObjectBuilder document = JsonObject.document("rehearsal")
                .put("model", report.model())
                .put("mesh", report.rehearsal().mesh().toString())
                .put("ranks", report.rehearsal().mesh().worldSize())
                .put("computeSeconds", report.rehearsal().computeSeconds())
                .put("predictedSeconds", report.predicted());
        report.findFigures()
                .ifPresent(figures -> document.put("backend", figures.backend())
                        .put("hosts", figures.hosts())
                        .put("rounds", figures.rounds())
                        .put("stepRatio", figures.share())
                        .put("measuredSeconds", report.measured())
                        .put("measuredRatio", report.ratio())
                        .put("stepSeconds", report.stepSeconds()));
        return document.put("calls", report.rows(), this::json).build();
    }

    private JsonValue json(Row row) {
        JsonObject.ObjectBuilder object = JsonObject.builder()
                .put("axis", row.call().axis().label())
                .put("collective", row.call().collective().text())
                .put("members", row.call().members())
                .put("bytes", row.call().bytes())
                .put("count", row.call().count())
                .put("overlapped", row.call().isOverlapped())
                .put("sentBytes", row.sentBytes())
                .put("totalBytes", row.totalBytes())
                .put("predictedSeconds", row.predicted())
                .put("predictedBy", row.isCalibrated() ? "calibration" : "plan");
        row.findMeasured()
                .ifPresent(call -> object.put("measuredSeconds", row.seconds())
                        .put("shareRatio", report.share(row))
                        .put("made", call.made())
                        .put("p50Seconds", call.p50())
                        .put("p99Seconds", call.p99())
                        .put("waitedSeconds", call.waited())
                        .put("slowestRank", call.slowestRank())
                        .put("slowestGroup", call.slowestGroup(), JsonNumber::of));
        return object.build();
    }
}
