package dev.muster.cli.model;

import dev.muster.cli.render.Quantity;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.TextTable;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.plan.model.ModelSummary;
import dev.muster.plan.rules.QuantizationRule;
import java.util.ArrayList;
import java.util.List;

/// Which quantization ai-hwaccel's table suggests, and every row that came before.
///
/// @param model the model
/// @param rule the row that applies
/// @param steps all rows
public record QuantizationText(ModelSummary model, QuantizationRule rule, List<QuantizationRule.Step> steps) {
    /// Copies the rows.
    public QuantizationText {
        steps = List.copyOf(steps);
    }

    /// Whether a single device holds the model at the suggested level.
    public boolean fits() {
        return applied().holds();
    }

    private QuantizationRule.Step applied() {
        return steps.stream().filter(step -> step.rule() == rule).findFirst().orElseThrow();
    }

    /// For people.
    public String text(Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(model.name());
        lines.add("parameters", model.parameters(), CheckpointText::parameters);
        lines.add("suggestion", rule.level().display());
        lines.add("because", reason());
        return lines + "\n" + rows(terminal);
    }

    private String reason() {
        QuantizationRule.Step step = applied();
        if (!step.holds()) {
            return "no single device holds it, not even at " + rule.level().display() + " with "
                    + Quantity.of(step.needed());
        }
        return "the largest " + rule.holder() + " has " + Quantity.of(step.memory()) + ", and it takes "
                + Quantity.of(step.needed()) + " at " + rule.level().display()
                + "; the rows above do not hold it (ai-hwaccel's table; one device, total memory)";
    }

    private String rows(Terminal terminal) {
        TextTable table = new TextTable(
                terminal,
                List.of(
                        new TextTable.Column("", false, 0, false),
                        new TextTable.Column("LARGEST", false, 0, false),
                        new TextTable.Column("HAS", true, 0, false),
                        new TextTable.Column("LEVEL", false, 0, false),
                        new TextTable.Column("NEEDED", true, 0, false),
                        new TextTable.Column("HOLDS IT", false, 0, false)));
        for (QuantizationRule.Step step : steps) {
            boolean chosen = step.rule() == rule;
            table.add(List.of(
                    cell(chosen ? mark(terminal) : ""),
                    cell(step.rule().holder()),
                    cell(step.memory().isZero() ? "none" : Quantity.of(step.memory())),
                    cell(step.rule().level().display()),
                    cell(Quantity.of(step.needed())),
                    cell(step.holds() ? "yes" : "no")));
        }
        return table.render(true);
    }

    /// What stands before the row that was chosen.
    static String mark(Terminal terminal) {
        return terminal.ascii() ? "*" : "✔";
    }

    private static TextTable.Cell cell(String text) {
        return new TextTable.Cell(text, false);
    }

    /// For machines.
    public JsonValue json() {
        JsonObject.Builder object = JsonObject.builder()
                .put("schema", 1)
                .put("kind", "quantization")
                .put("model", model.name());
        model.parameters().find().ifPresent(count -> object.put("parameters", count));
        List<JsonValue> rows = new ArrayList<>();
        for (QuantizationRule.Step step : steps) {
            rows.add(JsonObject.builder()
                    .put("device", step.rule().holder().toLowerCase(java.util.Locale.ROOT))
                    .put("memoryBytes", Quantity.json(step.memory()))
                    .put("quantization", step.rule().level().text())
                    .put("neededBytes", Quantity.json(step.needed()))
                    .put("holds", step.holds())
                    .put("chosen", step.rule() == rule)
                    .build());
        }
        return object.put("suggestion", rule.level().text())
                .put("fits", fits())
                .put("considered", rows)
                .build();
    }
}
