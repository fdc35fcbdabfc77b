// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.session;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.OutputFormat;
import dev.muster.core.json.JsonValue;
import dev.muster.report.terminal.Report;
import dev.muster.report.terminal.Terminal;
import java.util.function.Function;
import java.util.function.Supplier;

/// Prints a document of a command as JSON (indented for people, compact for pipes) or YAML.
public final class ReportPrinter {
    private ReportPrinter() {}

    /// Prints the answer of a command in the form that is asked for.
    public static void print(Arguments arguments, Session session, Report answer) {
        print(arguments, session, answer::json, answer::text);
    }

    /// Prints the answer of a command in the form that is asked for.
    public static void print(
            Arguments arguments, Session session, Supplier<JsonValue> document, Function<Terminal, String> text) {
        OutputFormat format = OutputFormat.of(arguments);
        session.print(
                format.isDocument() ? of(document.get(), format, session.terminal()) : text.apply(session.terminal()));
    }

    public static String of(JsonValue document, OutputFormat format, Terminal terminal) {
        if (format == OutputFormat.YAML) {
            return document.toYaml();
        }
        return (terminal.tty() ? document.toIndentedText() : document.toText()) + "\n";
    }
}
