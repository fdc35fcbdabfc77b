// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandSpec.Example;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.report.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Help as text: examples first, then options, and where to read on.
record HelpText(Terminal terminal) {
    /// The exit codes that every command has.
    static final List<Example> EXITS = List.of(
            row("0", "done"),
            row("1", "negative answer, or the command failed"),
            row("2", "invalid command line"),
            row("69", "Java 25 not found"),
            row("70", "internal error"),
            row("74", "output could not be written"),
            row("141", "broken pipe"));

    private static final int GAP = 2;
    private static final int LEAST_WIDTH = 40;

    String ofProgram(List<CommandTitle> commands) {
        StringBuilder out = new StringBuilder();
        terminal.wrap(out, "", 0, "muster lists the AI accelerators of this machine and plans models for them.");
        out.append('\n');
        section(out, "Examples");
        rows(
                out,
                List.of(
                        row("muster", "the devices of this machine"),
                        row("muster detect --json > box.json", "save the registry"),
                        row("muster check --requirement gpu --min-memory 24GiB", "is there a GPU with 24 GiB?")));
        section(out, "Commands");
        rows(
                out,
                commands.stream()
                        .map(title -> row(title.name(), title.summary()))
                        .toList());
        section(out, "Machine options");
        options(out, CommonOptions.SOURCE);
        section(out, "Common options");
        options(out, CommonOptions.GENERAL);
        section(out, "Exit codes");
        rows(out, EXITS);
        out.append('\n');
        terminal.wrap(out, "", 0, "See 'muster help COMMAND' for one command, and the manual: man muster.");
        return out.toString();
    }

    String ofCommand(CommandSpec spec) {
        StringBuilder out = new StringBuilder();
        out.append("muster " + spec.name() + ": " + spec.summary() + "\n\n");
        if (!spec.examples().isEmpty()) {
            section(out, "Examples");
            rows(out, spec.examples());
        }
        section(out, "Usage");
        out.append("  muster ").append(spec.name()).append(" [OPTIONS]");
        out.append(spec.operands().isEmpty() ? "" : " " + spec.operands()).append("\n");
        Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
        spec.options()
                .forEach(option -> sections.computeIfAbsent(option.section(), title -> new ArrayList<>())
                        .add(option));
        sections.forEach((title, options) -> {
            section(out, title);
            options(out, options);
        });
        if (!spec.sourceOptions().isEmpty()) {
            section(out, "Machine options");
            options(out, spec.sourceOptions());
        }
        section(out, "Common options");
        options(out, spec.generalOptions());
        if (!spec.exits().isEmpty()) {
            section(out, "Exit codes");
            spec.exits().forEach(line -> terminal.wrap(out, " ".repeat(GAP), 3 * GAP, line));
        }
        out.append("\nSee 'muster help' for the other commands.\n");
        return out.toString();
    }

    private void section(StringBuilder out, String title) {
        out.append(out.toString().endsWith("\n\n") ? "" : "\n");
        out.append(terminal.bold(title + ":")).append('\n');
    }

    private void options(StringBuilder out, List<OptionSpec> options) {
        rows(
                out,
                options.stream()
                        .map(option -> row(option.synopsis(), option.help()))
                        .toList());
    }

    private static Example row(String left, String right) {
        return new Example(left, right);
    }

    /// Two columns; the right one is wrapped to the terminal, or goes below if it does not fit beside.
    private void rows(StringBuilder out, List<Example> rows) {
        int left = rows.stream().mapToInt(row -> row.line().length()).max().orElse(0) + 2 * GAP;
        int right = terminal.width() - left;
        for (Example row : rows) {
            String start = " ".repeat(GAP) + row.line();
            if (right >= LEAST_WIDTH) {
                String padding = " ".repeat(left - start.length());
                terminal.wrap(out, start + padding, left, row.meaning());
            } else {
                terminal.wrap(out, " ".repeat(GAP), 3 * GAP, row.line());
                terminal.wrap(out, " ".repeat(3 * GAP), 3 * GAP, row.meaning());
            }
        }
    }
}
