// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.table.CsvRow;
import dev.muster.model.table.CsvTable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The template for starting one release of a target: a table that comes with Muster. Immutable.
///
/// @param target the program
/// @param version first release that it holds for
/// @param rows the table
record LaunchTemplate(LaunchTarget target, String version, List<TemplateRow> rows) {
    private static final String INDEX = "targets.csv";

    LaunchTemplate {
        rows = List.copyOf(rows);
    }

    /// Returns the template of the newest known release of a target. Reads its tables anew with each call.
    static LaunchTemplate of(LaunchTarget target) {
        for (CsvRow row : CsvTable.parse(resource(INDEX)).rows()) {
            if (row.require("target").equals(target.label())) {
                String version = row.require("version");
                CsvTable table = CsvTable.parse(resource(target.label() + "-" + version + ".csv"));
                return new LaunchTemplate(
                        target,
                        version,
                        table.rows().stream().map(TemplateRow::of).toList());
            }
        }
        throw new IllegalStateException("the template of " + target.label() + " is missing; the program is damaged");
    }

    static String resource(String name) {
        return CsvTable.resource(LaunchTemplate.class, name);
    }

    /// Returns the rows of one kind whose conditions hold, in order.
    List<TemplateRow> rows(TemplateRow.Part part, LaunchFacts facts) {
        return rows.stream()
                .filter(row -> row.part() == part && row.applies(facts))
                .toList();
    }

    /// Returns the commands to run, in order.
    List<TemplateCommand> commands(LaunchFacts facts) {
        List<TemplateCommand> commands = new ArrayList<>();
        for (String name : names(TemplateRow.Part.RUN)) {
            findCommand(name, facts).ifPresent(commands::add);
        }
        return commands;
    }

    /// Returns one command, unless it does not run.
    Optional<TemplateCommand> findCommand(String name, LaunchFacts facts) {
        List<TemplateRow> own = rows.stream()
                .filter(row -> row.command().equals(name) && row.applies(facts))
                .toList();
        return own.stream()
                .filter(row -> row.part() == TemplateRow.Part.RUN)
                .findFirst()
                .map(run -> new TemplateCommand(run, own));
    }

    /// Returns the files of settings, in order.
    List<ConfigFile> files(LaunchFacts facts) {
        List<ConfigFile> files = new ArrayList<>();
        for (String name : names(TemplateRow.Part.CONFIG)) {
            List<TemplateRow> own = rows(TemplateRow.Part.CONFIG, facts).stream()
                    .filter(row -> row.command().equals(name))
                    .toList();
            if (!own.isEmpty()) {
                files.add(ConfigFile.of(name, own, facts));
            }
        }
        return files;
    }

    private Set<String> names(TemplateRow.Part part) {
        Set<String> names = new LinkedHashSet<>();
        for (TemplateRow row : rows) {
            if (row.part() == part) {
                names.add(row.command());
            }
        }
        return names;
    }
}
