package dev.muster.plan.launch;

import dev.muster.plan.table.CsvRow;
import java.util.Optional;

/// A row of a template. Immutable.
///
/// @param command the command or file it belongs to; blank where it concerns all
/// @param part what it is
/// @param name what the program calls it
/// @param value what it is given
/// @param when when it holds
/// @param why what people are told beside it; several versions with `||` between, of which the first
///     whose facts are known is taken
record TemplateRow(
        String command, TemplatePart part, TemplateText name, TemplateText value, TemplateCondition when, String why) {
    static TemplateRow of(CsvRow row) {
        TemplateRow read = new TemplateRow(
                row.orEmpty("command"),
                TemplatePart.require(row.require("part")),
                new TemplateText(row.orEmpty("name")),
                new TemplateText(row.orEmpty("value")),
                TemplateCondition.parse(row.orEmpty("when")),
                row.orEmpty("why"));
        // A fact that is unknown by that name is a mistake of the table, and shall be one when it is read.
        read.name.facts();
        read.value.facts();
        new TemplateText(read.why).facts();
        return read;
    }

    /// Whether the condition holds and all facts of name and value are known.
    boolean applies(LaunchFacts facts) {
        return when.holds(facts)
                && name.fill(facts).isPresent()
                && value.fill(facts).isPresent();
    }

    /// What people are told, if anything can be said.
    Optional<String> reason(LaunchFacts facts) {
        for (String version : why.split("\\|\\|", -1)) {
            Optional<String> text = new TemplateText(version.strip()).fill(facts);
            if (text.isPresent() && !text.get().isEmpty()) {
                return text;
            }
        }
        return Optional.empty();
    }
}
