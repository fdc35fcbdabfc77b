package dev.muster.cli;

import dev.muster.cli.model.PlansText;
import dev.muster.cli.render.Printable;
import dev.muster.core.json.DocumentException;
import dev.muster.plan.SavedPlan;

/// A plan that was saved with `--json`.
final class PlanFile {
    private PlanFile() {}

    /// Reads a saved plan.
    ///
    /// @param otherwise what else can be given in its place
    /// @throws CommandException if the file is none, or nothing fitted
    static PlansText.Saved read(String name, String otherwise) {
        String shown = "'" + Printable.of(name) + "'";
        try {
            return new PlansText.Saved(name, SavedPlan.parse(TextFile.read(name)));
        } catch (DocumentException e) {
            throw new CommandException("cannot read a plan from " + shown, e);
        } catch (IllegalArgumentException e) {
            throw new CommandException(shown + " " + e.getMessage()
                    + "; save one with 'muster plan MODEL --json > FILE', or " + otherwise);
        }
    }
}
