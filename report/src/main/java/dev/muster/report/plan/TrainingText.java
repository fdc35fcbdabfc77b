// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.text.FixedText;
import dev.muster.model.ModelSummary;
import dev.muster.plan.rules.MemoryEstimate;
import dev.muster.plan.training.TrainingMethod;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import java.util.Locale;

/// The memory of training, by ai-hwaccel's rules.
///
/// @param model the model
/// @param method training method
/// @param target kind of device
/// @param estimate the memory
public record TrainingText(
        ModelSummary model, TrainingMethod method, MemoryEstimate.Target target, MemoryEstimate estimate)
        implements Report {
    private static final double GIB = 1L << 30;

    @Override
    public String text(Terminal terminal) {
        FactLines lines = FactLines.of(model, terminal);
        lines.add("method", method.display() + " on " + target.text().toUpperCase(Locale.ROOT));
        lines.add("weights", gib(estimate.modelGib()));
        lines.add("optimizer", gib(estimate.optimizerGib()) + " (gradients and its state)");
        lines.add("activations", gib(estimate.activationGib()));
        lines.add("together", gib(estimate.totalGib()) + " by ai-hwaccel's rules: a lower bound for short sequences");
        return lines.toString();
    }

    private static String gib(double gib) {
        return FixedText.of(gib, 1) + " GiB";
    }

    @Override
    public JsonValue json() {
        return JsonObject.document("training")
                .put("rule", "ai-hwaccel")
                .put("model", model.name())
                .put("parameters", model.parameters().find(), JsonNumber::of)
                .put("method", method.display())
                .put("target", target.text())
                .put("weightBytes", bytes(estimate.modelGib()))
                .put("optimizerBytes", bytes(estimate.optimizerGib()))
                .put("activationBytes", bytes(estimate.activationGib()))
                .put("totalBytes", bytes(estimate.totalGib()))
                .build();
    }

    private static JsonValue bytes(double gib) {
        return JsonNumber.of(Math.round(gib * GIB));
    }
}
