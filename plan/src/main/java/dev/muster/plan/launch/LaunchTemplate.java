package dev.muster.plan.launch;

import dev.muster.plan.table.CsvRow;
import dev.muster.plan.table.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How one release of a target is started: a table that comes with Muster, beside the list of options
/// that the release documents. Immutable.
///
/// @since 0.1
final class LaunchTemplate {
    private static final String INDEX = "targets.csv";
    /// Anything but a digit in brackets: a place in a list is no name of a setting.
    private static final String PLACE = "/\\d+";

    private final LaunchTarget target;
    private final String version;
    private final String source;
    private final List<TemplateRow> rows;
    private final DocumentedOptions options;

    private LaunchTemplate(CsvRow index, LaunchTarget target) {
        this.target = target;
        this.version = index.require("version");
        this.source = index.require("source");
        String name = target.label() + "-" + version;
        this.rows = CsvTable.parse(resource(name + ".csv")).rows().stream()
                .map(TemplateRow::of)
                .toList();
        this.options = DocumentedOptions.parse(resource(name + "-options.csv"));
    }

    /// The template of a target, of the newest release that is known. Reads its tables anew with each
    /// call.
    public static LaunchTemplate of(LaunchTarget target) {
        for (CsvRow row : CsvTable.parse(resource(INDEX)).rows()) {
            if (row.require("target").equals(target.label())) {
                return new LaunchTemplate(row, target);
            }
        }
        throw new IllegalStateException("the template of " + target.label() + " is missing; the program is damaged");
    }

    static String resource(String name) {
        try (InputStream stream = LaunchTemplate.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the table '" + name + "' is missing; the program is damaged");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The program.
    public LaunchTarget target() {
        return target;
    }

    /// The release from which on it holds.
    public String version() {
        return version;
    }

    /// Where its options were read.
    public String source() {
        return source;
    }

    DocumentedOptions options() {
        return options;
    }

    List<TemplateRow> rows() {
        return rows;
    }

    /// The rows of one kind that hold, in order.
    List<TemplateRow> rows(TemplatePart part, LaunchFacts facts) {
        return rows.stream()
                .filter(row -> row.part() == part && row.applies(facts))
                .toList();
    }

    /// The commands that run, in order.
    List<TemplateCommand> commands(LaunchFacts facts) {
        List<TemplateCommand> commands = new ArrayList<>();
        for (String name : names(TemplatePart.RUN)) {
            findCommand(name, facts).ifPresent(commands::add);
        }
        return commands;
    }

    /// One command, unless it does not run.
    Optional<TemplateCommand> findCommand(String name, LaunchFacts facts) {
        List<TemplateRow> own = rows.stream()
                .filter(row -> row.command().equals(name) && row.applies(facts))
                .toList();
        return own.stream()
                .filter(row -> row.part() == TemplatePart.RUN)
                .findFirst()
                .map(run -> new TemplateCommand(run, own));
    }

    /// The files of settings, in order.
    List<ConfigFile> files(LaunchFacts facts) {
        List<ConfigFile> files = new ArrayList<>();
        for (String name : names(TemplatePart.CONFIG)) {
            List<TemplateRow> own = rows(TemplatePart.CONFIG, facts).stream()
                    .filter(row -> row.command().equals(name))
                    .toList();
            if (!own.isEmpty()) {
                files.add(ConfigFile.of(name, own, facts));
            }
        }
        return files;
    }

    private Set<String> names(TemplatePart part) {
        Set<String> names = new LinkedHashSet<>();
        for (TemplateRow row : rows) {
            if (row.part() == part) {
                names.add(row.command());
            }
        }
        return names;
    }

    /// The name of a setting in the list of documented ones.
    static String setting(String path) {
        return path.replaceAll(PLACE, "");
    }
}
