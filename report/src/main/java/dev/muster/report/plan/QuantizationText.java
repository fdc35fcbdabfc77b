// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.ModelSummary;
import dev.muster.plan.rules.QuantizationRule;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.util.List;
import java.util.Locale;

/// The quantization that ai-hwaccel's table suggests, and every row before it.
///
/// @param model the model
/// @param rule the row that applies
/// @param steps all rows
public record QuantizationText(ModelSummary model, QuantizationRule rule, List<QuantizationRule.Step> steps)
        implements Report {
    /// Reports whether a single device holds the model at the suggested level.
    public boolean fits() {
        return applied().holds();
    }

    private QuantizationRule.Step applied() {
        return steps.stream().filter(step -> step.rule() == rule).findFirst().orElseThrow();
    }

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(model, terminal);
        lines.add("suggestion", fits() ? rule.level().display() : "none");
        lines.add("because", reason());
        return lines + "\n" + rows(terminal);
    }

    private String reason() {
        QuantizationRule.Step step = applied();
        if (!step.holds()) {
            return "no single device holds it, not even at " + rule.level().display() + " with "
                    + Quantity.of(step.needed());
        }
        return "the largest " + rule.holder() + " has " + memory(step) + ", and it takes "
                + Quantity.of(step.needed()) + " at " + rule.level().display()
                + "; the rows above do not hold it (ai-hwaccel's table; one device, total memory)";
    }

    private static String memory(QuantizationRule.Step step) {
        if (step.memory().isZero()) {
            return "none";
        }
        return Quantity.of(step.memory()) + (step.isAssumed() ? " (assumed)" : "");
    }

    private String rows(Terminal terminal) {
        return new Table<QuantizationRule.Step>(terminal)
                .mark(step -> step.rule() == rule && step.holds())
                .left("LARGEST", step -> step.rule().holder())
                .right("HAS", QuantizationText::memory)
                .left("LEVEL", step -> step.rule().level().display())
                .right("NEEDED", QuantizationRule.Step::needed)
                .left("HOLDS IT", QuantizationRule.Step::holds)
                .render(steps);
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("quantization")
                .put("model", model.name())
                .put("parameters", model.parameters().find(), JsonNumber::of)
                .put("suggestion", rule.level().text())
                .put("fits", fits())
                .put("considered", steps, this::json)
                .build();
    }

    private JsonValue json(QuantizationRule.Step step) {
        return JsonObject.builder()
                .put("device", step.rule().holder().toLowerCase(Locale.ROOT))
                .put("memoryBytes", Quantity.json(step.memory()))
                .put("memoryAssumed", step.isAssumed())
                .put("quantization", step.rule().level().text())
                .put("neededBytes", Quantity.json(step.needed()))
                .put("holds", step.holds())
                .put("chosen", step.rule() == rule)
                .build();
    }
}
