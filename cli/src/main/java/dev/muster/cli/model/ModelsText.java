package dev.muster.cli.model;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.ServingDocument;
import dev.muster.plan.catalogue.ModelEntry;
import dev.muster.plan.memory.WeightEstimate;
import dev.muster.plan.model.ModelDimension;
import dev.muster.plan.model.ModelSize;
import dev.muster.plan.serving.FormatFit;
import java.util.ArrayList;
import java.util.List;

/// Models of the catalogue: one in full, several as a table.
///
/// @param entries the models
/// @param fits how each runs on devices; empty where no devices were asked
public record ModelsText(List<ModelEntry> entries, List<FormatFit> fits) {
    /// Copies the lists.
    public ModelsText {
        entries = List.copyOf(entries);
        fits = List.copyOf(fits);
    }

    /// For people.
    public String text(Terminal terminal) {
        if (entries.size() == 1) {
            return one(entries.getFirst(), terminal);
        }
        String below = fits.isEmpty()
                ? "Memory of the weights; 'muster models --fit' says which run here.\n"
                : "Each in the format with the most bits that holds 4096 tokens; tokens/s of one sequence, as 'muster plan' says.\n";
        return table(terminal) + terminal.dim(below);
    }

    private String one(ModelEntry entry, Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(entry.id());
        lines.add("parameters", entry.parameters(), CheckpointText::parameters);
        lines.add("active", entry.activeParameters(), CheckpointText::parameters);
        lines.add(
                "weights",
                weights(entry, QuantizationLevel.BFLOAT16) + " at 16 bits, " + weights(entry, QuantizationLevel.INT8)
                        + " at 8, " + weights(entry, QuantizationLevel.INT4) + " at 4");
        ArchitectureText.addTo(lines, entry.architecture());
        if (!fits.isEmpty()) {
            FormatFit fit = fits.getFirst();
            lines.add(
                    "runs here",
                    fit.format().label() + " on " + devices(fit) + ", context " + context(fit) + ", " + speed(fit)
                            + " tokens/s");
        }
        if (!entry.aliases().isEmpty()) {
            lines.add("also", String.join(", ", entry.aliases()));
        }
        if (!entry.repository().isEmpty()) {
            lines.add("published", entry.repository());
        }
        lines.add("source", entry.source() + ", " + entry.date());
        if (!entry.note().isEmpty()) {
            lines.add("note", entry.note());
        }
        return lines.toString();
    }

    private String table(Terminal terminal) {
        List<TextTable.Column> columns = new ArrayList<>(List.of(
                new TextTable.Column("MODEL", false, 0, true),
                new TextTable.Column("PARAMETERS", true, 1, false),
                new TextTable.Column("ACTIVE", true, 6, false),
                new TextTable.Column("CONTEXT", true, 5, false)));
        if (fits.isEmpty()) {
            columns.add(new TextTable.Column("16 BITS", true, 2, false));
            columns.add(new TextTable.Column("8 BITS", true, 3, false));
            columns.add(new TextTable.Column("4 BITS", true, 4, false));
            columns.add(new TextTable.Column("ALSO", false, 7, true));
        } else {
            columns.add(new TextTable.Column("RUNS AT", false, 2, false));
            columns.add(new TextTable.Column("WEIGHTS", true, 4, false));
            columns.add(new TextTable.Column("CONTEXT HERE", true, 3, false));
            columns.add(new TextTable.Column("TOKENS/S", true, 0, false));
            columns.add(new TextTable.Column("ON", false, 7, false));
        }
        TextTable table = new TextTable(terminal, columns);
        for (int at = 0; at < entries.size(); at++) {
            table.add(row(at, terminal));
        }
        return table.render(true);
    }

    private List<TextTable.Cell> row(int at, Terminal terminal) {
        ModelEntry entry = entries.get(at);
        List<TextTable.Cell> cells = new ArrayList<>();
        cells.add(cell(Printable.of(entry.id())));
        cells.add(cell(size(entry.parameters().find().orElse(0L), terminal)));
        cells.add(cell(size(entry.activeParameters().find().orElse(0L), terminal)));
        var whole = entry.architecture().find(ModelDimension.CONTEXT);
        cells.add(cell(whole.isPresent() ? Long.toString(whole.getAsLong()) : terminal.unknown()));
        if (fits.isEmpty()) {
            cells.add(cell(weights(entry, QuantizationLevel.BFLOAT16)));
            cells.add(cell(weights(entry, QuantizationLevel.INT8)));
            cells.add(cell(weights(entry, QuantizationLevel.INT4)));
            cells.add(cell(Printable.of(String.join(", ", entry.aliases()))));
        } else {
            FormatFit fit = fits.get(at);
            cells.add(cell(fit.format().label()));
            cells.add(cell(Quantity.of(fit.weights())));
            cells.add(cell(context(fit)));
            cells.add(cell(speed(fit)));
            cells.add(cell(devices(fit)));
        }
        return cells;
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    private static String size(long parameters, Terminal terminal) {
        return parameters < 1 ? terminal.unknown() : new ModelSize(parameters).display();
    }

    private static String weights(ModelEntry entry, QuantizationLevel level) {
        return entry.parameters()
                .find()
                .map(count -> Quantity.of(WeightEstimate.of(count, level)))
                .orElse("?");
    }

    private static String context(FormatFit fit) {
        return fit.tokensAlone() == fit.mostTokens() ? "all" : String.valueOf(fit.tokensAlone());
    }

    private static String speed(FormatFit fit) {
        return PredictedFigures.figure(
                fit.plan().orElseThrow().tokensPerSecond().p50());
    }

    private static String devices(FormatFit fit) {
        return fit.plan().orElseThrow().devices() + " x " + fit.pool().name();
    }

    /// The model that fits.
    public static String name(FormatFit fit) {
        return fit.plan().orElseThrow().request().model().name();
    }

    /// For machines.
    public JsonValue json() {
        List<JsonValue> models = new ArrayList<>();
        for (int at = 0; at < entries.size(); at++) {
            models.add(json(at));
        }
        return JsonObject.builder()
                .put("schema", 1)
                .put("kind", "models")
                .put("models", models)
                .build();
    }

    private JsonValue json(int at) {
        ModelEntry entry = entries.get(at);
        JsonObject.Builder object = JsonObject.builder().put("name", entry.id());
        if (!entry.repository().isEmpty()) {
            object.put("repository", entry.repository());
        }
        if (!entry.aliases().isEmpty()) {
            object.put(
                    "aliases",
                    entry.aliases().stream().<JsonValue>map(JsonString::new).toList());
        }
        Provenances facts = new Provenances(object);
        facts.put("parameters", entry.parameters(), JsonNumber::of);
        facts.put("activeParameters", entry.activeParameters(), JsonNumber::of);
        object.put("architecture", ArchitectureText.json(entry.architecture()));
        if (!fits.isEmpty()) {
            object.put("fit", json(fits.get(at)));
        }
        object.put("source", entry.source()).put("date", entry.date().toString());
        if (!entry.note().isEmpty()) {
            object.put("note", entry.note());
        }
        facts.finish();
        return object.build();
    }

    private static JsonValue json(FormatFit fit) {
        return JsonObject.builder()
                .put("format", fit.format().label())
                .put("weightBytes", Quantity.json(fit.weights()))
                .put("contextTokens", fit.tokensAlone())
                .put("contextIsWhole", fit.tokensAlone() == fit.mostTokens())
                .put("plan", ServingDocument.plan(fit.plan().orElseThrow()))
                .build();
    }
}
