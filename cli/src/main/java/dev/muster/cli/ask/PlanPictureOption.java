// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.report.AnswerReport;
import dev.muster.report.terminal.Report;
import dev.muster.report.text.Printable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/// `--svg FILE` of `muster plan` and `muster train`: a picture beside the answer, or in its place.
public final class PlanPictureOption {
    public static final OptionSpec SVG = OptionSpec.value(
            "svg", "FILE", "write an SVG picture of the plan to FILE (- for stdout, instead of the answer)");

    private static final String STDOUT = "-";

    private PlanPictureOption() {}

    /// Prints the answer, draws the picture where one is asked for, and prints that alone where it goes
    /// to standard output.
    ///
    /// @throws UsageException if a document and a picture should both go to standard output
    /// @throws CommandException if the picture cannot be written
    public static void print(Arguments arguments, Session session, Report answer, Supplier<String> picture) {
        Optional<String> file = arguments.find(SVG);
        boolean isInstead = file.filter(STDOUT::equals).isPresent();
        if (isInstead && OutputFormat.of(arguments).isDocument()) {
            throw new UsageException("--svg - writes the picture to stdout; remove --output, or name a file");
        }
        if (!isInstead) {
            ReportPrinter.print(arguments, session, answer);
        }
        file.ifPresent(name -> write(name, picture.get(), session));
    }

    /// Prints a report, and draws its picture where one is asked for.
    public static void print(Arguments arguments, Session session, AnswerReport report) {
        print(
                arguments,
                session,
                report.words(),
                () -> report.picture().orElseThrow().get());
    }

    /// Writes a picture and says so, or prints it.
    ///
    /// @throws CommandException if it cannot be written
    public static void write(String file, String picture, Session session) {
        if (file.equals(STDOUT)) {
            session.print(picture);
            return;
        }
        try (OutputStream stream = new FileOutputStream(file)) {
            stream.write(picture.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandException("cannot write the picture", e);
        }
        session.note("muster: wrote " + Printable.of(file));
    }
}
