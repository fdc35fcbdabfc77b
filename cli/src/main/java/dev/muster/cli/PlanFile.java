package dev.muster.cli;

import dev.muster.cli.model.PlansText;
import dev.muster.cli.render.Printable;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonString;
import java.util.Optional;
import java.util.Set;

/// A plan that was saved with `--json`.
final class PlanFile {
    private static final Set<String> KINDS = Set.of("serving-plan", "training-plan");

    private PlanFile() {}

    /// Reads a saved plan.
    ///
    /// @param otherwise what else can be given in its place
    /// @throws CommandException if the file is none, or nothing fitted
    static PlansText.Saved read(String name, String otherwise) {
        String shown = "'" + Printable.of(name) + "'";
        JsonValue document;
        try {
            document = JsonValue.parse(TextFile.read(name));
        } catch (DocumentException e) {
            throw new CommandException(
                    "cannot read a plan from " + shown + ": " + Printable.of(String.valueOf(e.getMessage())));
        }
        Optional<String> kind = text(document, "kind").filter(KINDS::contains);
        if (kind.isEmpty()) {
            throw new CommandException(
                    shown + " is no plan; save one with 'muster plan MODEL --json > FILE', or " + otherwise);
        }
        JsonValue plan = document.find("plan")
                .orElseThrow(() -> new CommandException(shown + " holds no plan, because the model did not fit"));
        return new PlansText.Saved(name, kind.get(), text(document, "model").orElse("a model"), plan);
    }

    private static Optional<String> text(JsonValue document, String name) {
        return document.find(name).map(value -> value instanceof JsonString(String text) ? text : "");
    }
}
