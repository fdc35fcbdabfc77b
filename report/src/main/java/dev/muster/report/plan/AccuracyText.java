// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.core.text.FixedText;
import dev.muster.evidence.measured.AccuracyReport;
import dev.muster.evidence.measured.AccuracyReport.ClassAccuracy;
import dev.muster.evidence.measured.AccuracyReport.GroupAccuracy;
import dev.muster.evidence.measured.AccuracyReport.KnownRunAccuracy;
import dev.muster.evidence.measured.AccuracyReport.PredictedRow;
import dev.muster.evidence.measured.AccuracyReport.Refusal;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The accuracy of predictions of measured rows.
///
/// @param report the rows and classes
/// @param folder folder of the rows; empty for those that come with Muster
/// @param isUnseen true if each row was predicted by a fit that never saw its group
/// @param showsRows true if every row is listed
/// @param isByFile true if rows are of result files, each of which is a group of its own
public record AccuracyText(
        AccuracyReport report, Optional<String> folder, boolean isUnseen, boolean showsRows, boolean isByFile)
        implements Report {
    @Override
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title("Predicted and measured");
        lines.add(
                "measurements",
                isByFile
                        ? "result files of benchmarks and trainings"
                        : folder.orElse("those that come with Muster: published ones, and ours of one H200"));
        lines.add("predicted", predicted());
        if (!report.rows().isEmpty()) {
            lines.add("held", Quantity.percent(report.coverage(), 0) + " of them lie between their p10 and p90");
        }
        lines.add(
                "fit",
                isUnseen
                        ? "each group of rows by coefficients and intervals that never saw it"
                        : "the coefficients that come with Muster"
                                + (isByFile ? "" : "; --leave-out predicts rows unseen"));
        String text = lines + (report.classes().isEmpty() ? "" : "\n" + classes(terminal));
        if (isByFile && !report.rows().isEmpty()) {
            text += "\n" + files(terminal);
        }
        if (!report.knownRuns().isEmpty()) {
            text += "\nOnce one run of the same deployment is known:\n" + knownRuns(terminal);
        }
        String refused = refusals();
        if (!refused.isEmpty()) {
            text += "\nNot predicted:\n" + refused;
        }
        return showsRows ? text + "\n" + rows(terminal) : text;
    }

    private String predicted() {
        long usable = report.refusals().stream().filter(Refusal::isUsable).count();
        return Count.of(report.rows().size(), "row") + ", " + Quantity.percent(report.predictedShare(), 1)
                + " of those that can be" + (usable == 0 ? "" : "; beyond the model: " + usable);
    }

    /// Returns the classes, each with its engines under it.
    private String classes(Terminal terminal) {
        List<ClassAccuracy> lines = new ArrayList<>();
        for (ClassAccuracy one : report.classes()) {
            lines.add(one);
            report.engines().stream()
                    .filter(engine -> engine.measuredClass() == one.measuredClass())
                    .forEach(lines::add);
        }
        return new Table<ClassAccuracy>(terminal)
                .left(
                        "CLASS",
                        one -> one.engine().isEmpty() ? one.measuredClass().label() : "  " + one.engine())
                .right("ROWS", ClassAccuracy::rows)
                .right("GROUPS", ClassAccuracy::groups)
                .right("MEDIAN ERROR", one -> Quantity.percent(one.medianError(), 1))
                .right("P90 ERROR", one -> Quantity.percent(one.p90Error(), 1))
                .right("WITHIN P10-P90", one -> Quantity.percent(one.coverage(), 0))
                .render(lines);
    }

    private String knownRuns(Terminal terminal) {
        return new Table<KnownRunAccuracy>(terminal)
                .left("CLASS", one -> one.measuredClass().label())
                .right("DEPLOYMENTS", KnownRunAccuracy::deployments)
                .right("OTHER RUNS", KnownRunAccuracy::rows)
                .right("MEDIAN ERROR BEFORE", one -> Quantity.percent(one.medianError(), 1))
                .right("AFTER", one -> Quantity.percent(one.correctedError(), 1))
                .render(report.knownRuns());
    }

    private String files(Terminal terminal) {
        return new Table<GroupAccuracy>(terminal)
                .flexible("FILE", 1, GroupAccuracy::group)
                .right("ROWS", GroupAccuracy::rows)
                .right("MEDIAN ERROR", one -> Quantity.percent(one.medianError(), 1))
                .right("WITHIN P10-P90", one -> Quantity.percent(one.coverage(), 0))
                .render(report.groups());
    }

    /// Returns the reasons, the most frequent first; for result files, the name comes first.
    private String refusals() {
        if (isByFile) {
            StringBuilder named = new StringBuilder();
            report.refusals()
                    .forEach(one -> named.append("  ")
                            .append(Printable.of(one.id()))
                            .append(": ")
                            .append(Printable.of(FactLines.SENTENCES.refusal(one)))
                            .append('\n'));
            return named.toString();
        }
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
        return new Table<PredictedRow>(terminal)
                .left("ROW", PredictedRow::id)
                .flexible("GROUP", 1, PredictedRow::group)
                .left("CLASS", row -> row.measuredClass().label())
                .right("MEASURED", row -> figure(row.measured()))
                .right("PREDICTED", row -> figure(row.predicted()))
                .right("ERROR", row -> Quantity.percent(row.predicted() / row.measured() - 1, 1))
                .render(report.rows().stream()
                        .sorted(Comparator.comparingDouble(PredictedRow::error).reversed())
                        .toList());
    }

    /// Returns a figure with four digits: errors are in percent.
    private static String figure(double value) {
        int whole = (int) Math.floor(Math.log10(Math.abs(value)));
        return FixedText.of(value, Math.max(0, 3 - whole));
    }

    @Override
    public JsonValue json() {
        JsonObject.ObjectBuilder object = JsonObject.document("accuracy")
                .put("data", folder, JsonString::new)
                .put("leftOut", isUnseen)
                .put("predictedRatio", report.predictedShare())
                .put("coverageRatio", report.coverage())
                .put("classes", report.classes(), AccuracyText::json)
                .put("engines", report.engines(), AccuracyText::json)
                .put("refusals", report.refusals(), AccuracyText::json);
        if (!report.knownRuns().isEmpty()) {
            object.put("knownRuns", report.knownRuns(), AccuracyText::json);
        }
        if (isByFile) {
            object.put("files", report.groups(), AccuracyText::json);
        }
        return (showsRows ? object.put("rows", report.rows(), AccuracyText::json) : object).build();
    }

    private static JsonValue json(ClassAccuracy one) {
        JsonObject.ObjectBuilder object =
                JsonObject.builder().put("class", one.measuredClass().label());
        if (!one.engine().isEmpty()) {
            object.put("engine", one.engine());
        }
        return object.put("rows", one.rows())
                .put("groups", one.groups())
                .put("medianErrorRatio", one.medianError())
                .put("p90ErrorRatio", one.p90Error())
                .put("coverageRatio", one.coverage())
                .build();
    }

    private static JsonValue json(KnownRunAccuracy one) {
        return JsonObject.builder()
                .put("class", one.measuredClass().label())
                .put("deployments", one.deployments())
                .put("rows", one.rows())
                .put("medianErrorRatio", one.medianError())
                .put("correctedErrorRatio", one.correctedError())
                .build();
    }

    private static JsonValue json(GroupAccuracy one) {
        return JsonObject.builder()
                .put("file", one.group())
                .put("rows", one.rows())
                .put("medianErrorRatio", one.medianError())
                .put("coverageRatio", one.coverage())
                .build();
    }

    private static JsonValue json(Refusal one) {
        return JsonObject.builder()
                .put("row", one.id())
                .put("usable", one.isUsable())
                .put("reason", one.reason())
                .build();
    }

    private static JsonValue json(PredictedRow row) {
        return JsonObject.builder()
                .put("row", row.id())
                .put("group", row.group())
                .put("class", row.measuredClass().label())
                .put("measured", row.measured())
                .put("predicted", row.predicted())
                .put("p10", row.predicted() * row.interval().low())
                .put("p90", row.predicted() * row.interval().high())
                .build();
    }
}
