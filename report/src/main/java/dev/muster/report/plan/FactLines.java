// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.plan;

import dev.muster.core.Reading;
import dev.muster.model.ModelSummary;
import dev.muster.plan.answer.PlanNote;
import dev.muster.plan.answer.Remedy;
import dev.muster.plan.ask.Naming;
import dev.muster.report.sentence.Sentences;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.Printable;
import java.util.List;
import java.util.function.Function;

/// Facts below each other, a label before each; unknown ones with the reason.
final class FactLines {
    static final Sentences SENTENCES = Sentences.of(Naming.OPTIONS);
    private static final int LABEL_WIDTH = 14;

    private final Terminal terminal;
    private final StringBuilder out = new StringBuilder();

    FactLines(Terminal terminal) {
        this.terminal = terminal;
    }

    /// Returns the facts of a model, beginning with its name and size.
    static FactLines of(ModelSummary model, Terminal terminal) {
        return new FactLines(terminal)
                .title(model.name())
                .add("parameters", model.parameters(), CheckpointText::parameters);
    }

    FactLines title(String text) {
        out.append(terminal.bold(Printable.of(text))).append('\n');
        return this;
    }

    FactLines add(String label, String text) {
        String start = "  " + label + " ".repeat(Math.max(1, LABEL_WIDTH - label.length()));
        terminal.wrap(out, start, start.length(), terminal.plain(Printable.of(text)));
        return this;
    }

    void addAssumptions(List<PlanNote> notes) {
        for (PlanNote note : notes) {
            if (note.kind() == PlanNote.NoteKind.ASSUMED) {
                add("assumes", SENTENCES.note(note));
            }
        }
    }

    /// Adds the remedies for a request that cannot be met, the best first.
    void addRemedies(List<Remedy> remedies) {
        String label = "remedy";
        for (Remedy remedy : remedies) {
            add(label, SENTENCES.remedy(remedy));
            label = "or";
        }
    }

    <T> FactLines add(String label, Reading<T> fact, Function<T, String> text) {
        return add(
                label,
                switch (fact) {
                    case Reading.Known<T>(T value, var _) -> text.apply(value);
                    case Reading.Unknown<T>(var reason, String detail) ->
                        "not known" + (detail.isEmpty() ? " (" + reason.text() + ")" : ": " + detail);
                });
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
