// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.json.JsonValue;
import dev.muster.core.text.FixedText;
import dev.muster.model.ModelKind;
import dev.muster.model.ModelSize;
import dev.muster.model.catalogue.ModelEntry;
import dev.muster.model.catalogue.ModelUse;
import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.serving.FormatFit;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Quantity;
import dev.muster.report.text.Table;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/// Models of the catalogue: one in full, several as a table.
///
/// @param entries the models
/// @param fits fit of each on devices; empty without devices
/// @param use the use whose scores are shown
public record ModelsText(List<ModelEntry> entries, List<FormatFit> fits, ModelUse use) implements Report {
    @Override
    public String text(Terminal terminal) {
        if (entries.size() == 1) {
            return one(entries.getFirst(), terminal);
        }
        String below = fits.isEmpty()
                ? "Memory of the weights; 'muster models --fit' says which fit here.\n"
                : scores()
                        + "Each as published, or in the format with the most bits that holds 4096 tokens; tokens/s of"
                        + " one sequence, as predicted by 'muster plan'.\n";
        return table(terminal) + terminal.dim(below);
    }

    private String one(ModelEntry entry, Terminal terminal) {
        FactLines lines = new FactLines(terminal).title(entry.id());
        if (entry.kind() != ModelKind.TEXT_GENERATION) {
            lines.add("kind", entry.kind().title());
        }
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
                    fit.format().label() + " with " + fit.software().display() + " on " + devices(fit) + ", context "
                            + context(fit) + ", " + speed(fit) + " tokens/s");
        }
        if (!entry.aliases().isEmpty()) {
            lines.add("also", String.join(", ", entry.aliases()));
        }
        if (!entry.repository().isEmpty()) {
            lines.add("published", entry.repository());
        }
        if (!entry.released().isEmpty()) {
            lines.add("released", entry.released());
        }
        if (!entry.licence().isEmpty()) {
            lines.add("licence", entry.licence());
        }
        if (!entry.inputs().isEmpty()) {
            lines.add("reads", "text, " + String.join(", ", entry.inputs()));
        }
        if (!entry.variants().isEmpty()) {
            lines.add("formats", String.join(", ", entry.variants()));
        }
        for (ModelUse one : ModelUse.values()) {
            one.findScore(entry)
                    .ifPresent(score -> lines.add(
                            "score for " + one.label(),
                            FixedText.of(score.value(), 1) + " in " + score.benchmark() + " (" + score.source() + ", "
                                    + score.date() + ")"));
        }
        lines.add("source", entry.source() + ", " + entry.date());
        if (!entry.note().isEmpty()) {
            lines.add("note", entry.note());
        }
        return lines.toString();
    }

    private String table(Terminal terminal) {
        Table<Integer> table = new Table<Integer>(terminal)
                .flexible("MODEL", 0, at -> entries.get(at).id())
                .right("PARAMETERS", 1, at -> size(entries.get(at).parameters()))
                .right("ACTIVE", 6, at -> size(entries.get(at).activeParameters()))
                .right("CONTEXT", 5, at -> context(entries.get(at)))
                .left("RELEASED", 3, at -> entries.get(at).released());
        if (fits.isEmpty()) {
            table.right("16 BITS", 2, at -> weights(entries.get(at), QuantizationLevel.BFLOAT16))
                    .right("8 BITS", 3, at -> weights(entries.get(at), QuantizationLevel.INT8))
                    .right("4 BITS", 4, at -> weights(entries.get(at), QuantizationLevel.INT4))
                    .flexible("ALSO", 7, at -> String.join(", ", entries.get(at).aliases()));
        } else {
            table.left("RUNS AT", 2, at -> fits.get(at).format().label())
                    .right("WEIGHTS", 4, at -> fits.get(at).weights())
                    .right("CONTEXT HERE", 3, at -> context(fits.get(at)))
                    .right("TOKENS/S", at -> speed(fits.get(at)))
                    .right(
                            "SCORE",
                            8,
                            at -> use.findScore(entries.get(at)).map(score -> FixedText.of(score.value(), 1)))
                    .left("ENGINE", 2, at -> fits.get(at).software().label())
                    .left("ON", 7, at -> devices(fits.get(at)));
        }
        return table.render(IntStream.range(0, entries.size()).boxed().toList());
    }

    /// Returns the benchmark of the scores and its age; blank if no model of the table has one.
    private String scores() {
        List<LocalDate> days = new ArrayList<>();
        String benchmark = "";
        for (ModelEntry entry : entries) {
            Optional<ModelUse.Score> score = use.findScore(entry);
            score.ifPresent(one -> days.add(one.date()));
            benchmark = score.map(ModelUse.Score::benchmark).orElse(benchmark);
        }
        days.sort(null);
        return days.isEmpty()
                ? ""
                : "Scores of " + benchmark + ", published or recalled " + days.getFirst() + " to " + days.getLast()
                        + "; 'muster models NAME' has their sources. ";
    }

    private static Optional<Long> context(ModelEntry entry) {
        OptionalLong context = entry.findContext();
        return context.isPresent() ? Optional.of(context.getAsLong()) : Optional.empty();
    }

    private static Optional<String> size(Reading<Long> parameters) {
        return parameters.find().filter(count -> count > 0).map(count -> new ModelSize(count).display());
    }

    private static String weights(ModelEntry entry, QuantizationLevel level) {
        return entry.parameters()
                .find()
                .map(count -> Quantity.of(WeightFormat.estimate(count, level)))
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

    @Override
    public JsonValue json() {
        return ModelDocument.models(entries, fits);
    }
}
