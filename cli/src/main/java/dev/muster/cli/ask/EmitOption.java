// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.ask;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.plan.answer.Shortfall;
import dev.muster.plan.ask.Parameters;
import dev.muster.plan.launch.Artifact;
import dev.muster.plan.launch.LaunchAnswer;
import dev.muster.plan.launch.LaunchTarget;
import dev.muster.report.plan.LaunchText;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// `--emit` and `--write`: what starts a plan instead of the plan itself. Prints by default, writes
/// where it is asked to, and never starts anything.
public final class EmitOption {
    public static final OptionSpec WRITE =
            OptionSpec.value("write", "DIR", "with --emit: folder to write the files into (default: print them)");

    private EmitOption() {}

    /// Reports whether a plan is to be handed to a program.
    ///
    /// @throws UsageException if it is to be written, but no target is given
    public static boolean isAsked(Arguments arguments) {
        if (!QuestionOptions.has(arguments, Parameters.EMIT)) {
            arguments.refuse(List.of(WRITE), "it sets the folder for the files of --emit");
            return false;
        }
        return true;
    }

    public static CommandException nothingToStart() {
        return new CommandException(
                "the model does not fit within the limits, so there is nothing to start; run the command "
                        + "without --emit to see what would fit");
    }

    public static CommandException nothingKeepsTargets() {
        return new CommandException(
                "no deployment meets the targets, so there is nothing to start; run the command without "
                        + "--emit to see what would meet them");
    }

    /// Prints or writes the files that start a plan.
    ///
    /// @param launch the files, or why there are none; empty where no plan fits
    /// @throws CommandException if there are none, or a file cannot be written
    public static int print(Arguments arguments, Session session, LaunchTarget target, Optional<LaunchAnswer> launch) {
        List<Artifact> artifacts = switch (launch.orElseThrow(EmitOption::nothingToStart)) {
            case LaunchAnswer.Emitted(List<Artifact> made) -> made;
            case LaunchAnswer.Refused(Shortfall reason) ->
                throw new CommandException(
                        "cannot emit " + target.label() + ": " + Printable.of(PlannerOptions.SENTENCES.reason(reason)));
        };
        Optional<String> folder = arguments.find(WRITE);
        if (folder.isPresent()) {
            write(artifacts, folder.get(), session);
        } else {
            ReportPrinter.print(arguments, session, new LaunchText(target, artifacts));
        }
        return ExitCode.OK;
    }

    private static void write(List<Artifact> artifacts, String folder, Session session) {
        String shown = "'" + Printable.of(folder) + "'";
        try {
            Path path = Path.of(folder);
            for (Artifact artifact : artifacts) {
                checkFree(path.resolve(artifact.name()), artifact);
            }
            Files.createDirectories(path);
            for (Artifact artifact : artifacts) {
                Files.writeString(path.resolve(artifact.name()), artifact.text());
            }
        } catch (InvalidPathException _) {
            throw new CommandException(shown + " is not a valid folder name");
        } catch (IOException e) {
            throw new CommandException("cannot write into " + shown, e);
        }
        session.note("muster: wrote " + Count.of(artifacts.size(), "file") + " into " + shown + ": "
                + String.join(", ", artifacts.stream().map(Artifact::name).toList()) + "; nothing was started");
    }

    /// A file with other content may be a user's work; the same content does not matter.
    private static void checkFree(Path file, Artifact artifact) throws IOException {
        if (Files.exists(file)
                && !(Files.isRegularFile(file)
                        && Arrays.equals(
                                Files.readAllBytes(file), artifact.text().getBytes(StandardCharsets.UTF_8)))) {
            throw new CommandException("'" + Printable.of(file.toString())
                    + "' exists with other content; remove it, or choose another folder with --write");
        }
    }
}
