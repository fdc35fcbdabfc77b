// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A command of a template, of which all conditions hold. Immutable.
///
/// @param run the program
/// @param rows the rows of the command that hold
record TemplateCommand(TemplateRow run, List<TemplateRow> rows) {
    TemplateCommand {
        rows = List.copyOf(rows);
    }

    /// Returns the hosts that run it: `all`, `head`, `workers` or `once`.
    String where() {
        return run.name().text();
    }

    /// Returns the words in lines: the program, then each argument or option with its value.
    List<List<ShellWord>> lines(LaunchFacts facts) {
        List<List<ShellWord>> lines = new ArrayList<>();
        List<ShellWord> program = new ArrayList<>();
        for (String word : run.value().text().split(" ", -1)) {
            new TemplateText(word).word(facts).ifPresent(program::add);
        }
        lines.add(program);
        boolean bare = true;
        for (TemplateRow row : rows) {
            switch (row.part()) {
                case ARGUMENT -> {
                    // Words before all options stay on the line of the program.
                    List<ShellWord> line = bare ? program : newLine(lines);
                    line.add(row.value().word(facts).orElseThrow());
                }
                case OPTION -> {
                    bare = false;
                    List<ShellWord> line = newLine(lines);
                    line.add(row.name().word(facts).orElseThrow());
                    row.value()
                            .word(facts)
                            .filter(word -> !word.plain().isEmpty())
                            .ifPresent(line::add);
                }
                case REFUSE, TOGETHER, IMAGE, NOTE, REQUIRE, LINE, ENV, RUN, CONFIG, LINES -> {}
            }
        }
        return lines;
    }

    /// Returns the variables of its environment, as they stand before it.
    String variables(LaunchFacts facts) {
        StringBuilder text = new StringBuilder();
        for (TemplateRow row : rows) {
            if (row.part() == TemplateRow.Part.ENV) {
                String value = row.value().word(facts).orElseThrow().quoted();
                text.append(row.name().text()).append('=').append(value).append(' ');
            }
        }
        return text.toString();
    }

    private static List<ShellWord> newLine(List<List<ShellWord>> lines) {
        List<ShellWord> line = new ArrayList<>();
        lines.add(line);
        return line;
    }

    /// Returns the explanations of the command and of each of its options.
    List<String> reasons(LaunchFacts facts) {
        List<String> reasons = new ArrayList<>();
        run.reason(facts).ifPresent(reasons::add);
        for (TemplateRow row : rows) {
            Optional<String> reason = row.reason(facts);
            boolean isVariable = row.part() == TemplateRow.Part.ENV;
            if ((isVariable || row.part() == TemplateRow.Part.OPTION) && reason.isPresent()) {
                String value = row.value().fill(facts).orElse("");
                reasons.add(row.name().fill(facts).orElseThrow()
                        + (value.isEmpty() ? "" : (isVariable ? "=" : " ") + value) + ": " + reason.get());
            }
        }
        return reasons;
    }
}
