// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.measured;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.DocumentException.DocumentErrorCode;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.evidence.measured.MeasuredRun.Fact;
import dev.muster.evidence.measured.MeasuredRun.Figure;
import dev.muster.evidence.measured.MeasuredRun.Metric;
import dev.muster.evidence.measured.MeasuredRun.Origin;
import dev.muster.evidence.measured.MeasuredRun.Statistic;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// A user's measured runs that predictions learn from, as a document. Immutable.
///
/// @param runs the runs, the newest first
/// @since 0.1
public record MeasuredRuns(List<Kept> runs) {
    /// The schema number of the form.
    public static final int SCHEMA = 1;

    /// The largest document that is read, in bytes.
    public static final int MAX_BYTES = 8 << 20;

    /// The most runs of a document.
    public static final int MAX_RUNS = 2_048;

    /// A document without runs.
    public static final MeasuredRuns NONE = new MeasuredRuns(List.of());

    private static final String KIND = "measured-runs";

    public MeasuredRuns {
        runs = List.copyOf(runs);
    }

    /// A run that is kept.
    ///
    /// @param run the run
    /// @param source the run's file
    /// @param keptAt time of reading
    /// @since 0.1
    public record Kept(MeasuredRun run, String source, Instant keptAt) {
        /// Reports whether another run is the same: of the same file, with the same facts and figures.
        boolean isSame(Kept other) {
            return source.equals(other.source)
                    && run.facts().equals(other.run.facts())
                    && run.figures().equals(other.run.figures());
        }
    }

    /// Returns a copy with more runs, which come first. A run that is already present is kept once; the oldest runs
    /// beyond the limit are dropped.
    public MeasuredRuns with(List<Kept> more) {
        List<Kept> all = new ArrayList<>(more);
        for (Kept known : runs) {
            if (more.stream().noneMatch(known::isSame)) {
                all.add(known);
            }
        }
        return new MeasuredRuns(all.subList(0, Math.min(MAX_RUNS, all.size())));
    }

    /// Reads a document from UTF-8 bytes; unknown facts and metrics are ignored.
    ///
    /// @throws DocumentException if it is none
    public static MeasuredRuns read(byte[] utf8) {
        JsonValue root = JsonValue.parse(utf8);
        if (!root.requireText("kind").equals(KIND)) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "this is not a document of measured runs");
        }
        if (root.requireNumber("schema").toDouble() > SCHEMA) {
            throw DocumentException.of(
                    DocumentErrorCode.NEWER_SCHEMA, "the measured runs were written by a newer Muster");
        }
        List<JsonValue> items = root.requireItems("runs");
        if (items.size() > MAX_RUNS) {
            throw DocumentException.of(
                    DocumentErrorCode.TOO_LARGE, "there are more than " + MAX_RUNS + " measured runs");
        }
        List<Kept> runs = new ArrayList<>();
        for (JsonValue item : items) {
            runs.add(kept(item));
        }
        return new MeasuredRuns(runs);
    }

    private static Kept kept(JsonValue item) {
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        if (item.require("facts") instanceof JsonObject(Map<String, JsonValue> members)) {
            members.forEach((name, value) -> {
                if (value instanceof JsonString(String text)) {
                    Fact.find(name).ifPresent(fact -> facts.put(fact, text));
                }
            });
        }
        List<Figure> figures = new ArrayList<>();
        for (JsonValue figure : item.requireItems("figures")) {
            Metric.find(figure.requireText("metric"))
                    .ifPresent(metric -> Statistic.find(figure.requireText("statistic"))
                            .ifPresent(statistic -> figures.add(figure(metric, statistic, figure))));
        }
        try {
            return new Kept(
                    new MeasuredRun(item.requireText("tool"), Origin.MEASURED, facts, figures),
                    item.requireText("source"),
                    Instant.parse(item.requireText("keptAt")));
        } catch (DateTimeException _) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'keptAt' is not a time");
        }
    }

    private static Figure figure(Metric metric, Statistic statistic, JsonValue item) {
        double value = item.requireNumber("value").toDouble();
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw DocumentException.of(DocumentErrorCode.WRONG_VALUE, "'value' is not a number above 0");
        }
        return new Figure(metric, statistic, value);
    }

    /// Returns the document.
    public JsonValue toJson() {
        return JsonObject.builder()
                .put("schema", SCHEMA)
                .put("kind", KIND)
                .put("runs", runs, MeasuredRuns::json)
                .build();
    }

    private static JsonValue json(Kept kept) {
        JsonObject.ObjectBuilder facts = JsonObject.builder();
        kept.run().facts().forEach((fact, text) -> facts.put(fact.text(), text));
        return JsonObject.builder()
                .put("source", kept.source())
                .put("keptAt", kept.keptAt().toString())
                .put("tool", kept.run().tool())
                .put("facts", facts.build())
                .put("figures", kept.run().figures(), MeasuredRuns::json)
                .build();
    }

    private static JsonValue json(Figure figure) {
        return JsonObject.builder()
                .put("metric", figure.metric().text())
                .put("statistic", figure.statistic().text())
                .put("value", JsonNumber.of(figure.value()))
                .build();
    }
}
