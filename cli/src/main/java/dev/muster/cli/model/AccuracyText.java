package dev.muster.cli.model;

import dev.muster.cli.render.Count;
import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.FixedText;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.accuracy.AccuracyReport;
import dev.muster.plan.accuracy.AccuracyReport.ClassAccuracy;
import dev.muster.plan.accuracy.AccuracyReport.PredictedRow;
import dev.muster.plan.accuracy.AccuracyReport.Refusal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How well measured rows are predicted.
///
/// @param report the rows and classes
/// @param folder where the rows were read; empty for those that come with Muster
/// @param isUnseen whether each row was predicted by a fit that never saw its group
/// @param showsRows whether every row is listed
public record AccuracyText(AccuracyReport report, Optional<String> folder, boolean isUnseen, boolean showsRows) {
    private static final double PERCENT = 100;

    /// For people.
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title("Predicted and measured");
        lines.add("measurements", folder.orElse("those that come with Muster: published ones, and ours of one H200"));
        lines.add("predicted", predicted());
        if (!report.rows().isEmpty()) {
            lines.add("held", percent(report.coverage(), 0) + " of them lie between their p10 and p90");
        }
        lines.add(
                "fit",
                isUnseen
                        ? "each group of rows by coefficients and intervals that never saw it"
                        : "coefficients fitted to the rows that come with Muster; --leave-out predicts them unseen");
        String text = lines + (report.classes().isEmpty() ? "" : "\n" + classes(terminal));
        String refused = refusals();
        if (!refused.isEmpty()) {
            text += "\nNot predicted:\n" + refused;
        }
        return showsRows ? text + "\n" + rows(terminal) : text;
    }

    private String predicted() {
        long usable = report.refusals().stream().filter(Refusal::isUsable).count();
        return Count.of(report.rows().size(), "row") + ", " + percent(report.predictedShare(), 1)
                + " of those that can be" + (usable == 0 ? "" : "; beyond the model: " + usable);
    }

    private String classes(Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("CLASS", false, 0, false),
                        new TextTable.Column("ROWS", true, 0, false),
                        new TextTable.Column("MEDIAN ERROR", true, 0, false),
                        new TextTable.Column("P90 ERROR", true, 0, false),
                        new TextTable.Column("WITHIN P10-P90", true, 0, false)));
        for (ClassAccuracy one : report.classes()) {
            table.add(List.of(
                    cell(one.measuredClass().label()),
                    cell(String.valueOf(one.rows())),
                    cell(percent(one.medianError(), 1)),
                    cell(percent(one.p90Error(), 1)),
                    cell(percent(one.coverage(), 0))));
        }
        return table.render(true);
    }

    /// Reasons, the most frequent first.
    private String refusals() {
        Map<String, Integer> reasons = new LinkedHashMap<>();
        report.refusals().forEach(one -> reasons.merge(one.reason(), 1, Integer::sum));
        StringBuilder text = new StringBuilder();
        reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(entry -> text.append("  ")
                        .append(Count.of(entry.getValue(), "row"))
                        .append(": ")
                        .append(Printable.of(entry.getKey()))
                        .append('\n'));
        return text.toString();
    }

    private String rows(Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("ROW", false, 0, false),
                        new TextTable.Column("GROUP", false, 1, true),
                        new TextTable.Column("CLASS", false, 0, false),
                        new TextTable.Column("MEASURED", true, 0, false),
                        new TextTable.Column("PREDICTED", true, 0, false),
                        new TextTable.Column("ERROR", true, 0, false)));
        report.rows().stream()
                .sorted(Comparator.comparingDouble(PredictedRow::error).reversed())
                .forEach(row -> table.add(List.of(
                        cell(Printable.of(row.id())),
                        cell(Printable.of(row.group())),
                        cell(row.measuredClass().label()),
                        cell(figure(row.measured())),
                        cell(figure(row.predicted())),
                        cell(percent(row.predicted() / row.measured() - 1, 1)))));
        return table.render(true);
    }

    /// Four digits: errors are in percent.
    private static String figure(double value) {
        int whole = (int) Math.floor(Math.log10(Math.abs(value)));
        return FixedText.of(value, Math.max(0, 3 - whole));
    }

    private static String percent(double share, int digits) {
        return FixedText.of(share * PERCENT, digits) + " %";
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        JsonObject.Builder object = JsonObject.builder().put("schema", 1).put("kind", "accuracy");
        folder.ifPresent(name -> object.put("data", name));
        List<JsonValue> classes = new ArrayList<>();
        for (ClassAccuracy one : report.classes()) {
            classes.add(JsonObject.builder()
                    .put("class", one.measuredClass().label())
                    .put("rows", one.rows())
                    .put("medianErrorRatio", JsonNumber.of(one.medianError()))
                    .put("p90ErrorRatio", JsonNumber.of(one.p90Error()))
                    .put("coverageRatio", JsonNumber.of(one.coverage()))
                    .build());
        }
        object.put("leftOut", isUnseen)
                .put("predictedRatio", JsonNumber.of(report.predictedShare()))
                .put("coverageRatio", JsonNumber.of(report.coverage()))
                .put("classes", classes)
                .put("refusals", refused());
        if (showsRows) {
            object.put("rows", jsonRows());
        }
        return object.build();
    }

    private List<JsonValue> refused() {
        List<JsonValue> refused = new ArrayList<>();
        for (Refusal one : report.refusals()) {
            refused.add(JsonObject.builder()
                    .put("row", one.id())
                    .put("usable", one.isUsable())
                    .put("reason", one.reason())
                    .build());
        }
        return refused;
    }

    private List<JsonValue> jsonRows() {
        List<JsonValue> rows = new ArrayList<>();
        for (PredictedRow row : report.rows()) {
            rows.add(JsonObject.builder()
                    .put("row", row.id())
                    .put("group", row.group())
                    .put("class", row.measuredClass().label())
                    .put("measured", JsonNumber.of(row.measured()))
                    .put("predicted", JsonNumber.of(row.predicted()))
                    .put("p10", JsonNumber.of(row.predicted() * row.interval().low()))
                    .put("p90", JsonNumber.of(row.predicted() * row.interval().high()))
                    .build());
        }
        return rows;
    }
}
