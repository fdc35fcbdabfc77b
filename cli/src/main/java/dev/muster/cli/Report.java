package dev.muster.cli;

import dev.muster.cli.render.Printable;
import dev.muster.cli.render.Terminal;
import dev.muster.cli.render.Yaml;
import dev.muster.core.json.JsonValue;

/// Prints a document of a command as JSON (indented for people, compact for pipes) or YAML.
final class Report {
    private Report() {}

    static String of(JsonValue document, OutputFormat format, Terminal terminal) {
        if (format == OutputFormat.YAML) {
            return Yaml.of(document);
        }
        return Printable.escapeControls(terminal.tty() ? document.toIndentedText() : document.toText()) + "\n";
    }
}
