// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Report;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.report.text.Count;
import dev.muster.report.text.Printable;
import dev.muster.report.text.Terminal;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The report of a doctor as text and document, with the exit code for its severity.
public final class DoctorReport {
    /// Failures share the code of usage errors, as those of other doctors do.
    private static final int FAILURES = ExitCode.USAGE;

    private static final int MARK = 6;

    private DoctorReport() {}

    /// A doctor, with what its exit codes mean.
    public static CommandSpec spec(CommandTitle title) {
        return CommandSpec.of(title).exiting("0  all checks passed", "1  there are warnings", "2  there are failures");
    }

    /// Prints the findings.
    ///
    /// @return the exit code
    public static int print(List<Finding> findings, Arguments arguments, Session session) {
        Report.print(arguments, session, () -> json(findings), terminal -> text(findings, terminal));
        return switch (worst(findings)) {
            case PASS, SKIP -> ExitCode.OK;
            case WARN -> ExitCode.NO;
            case FAIL -> FAILURES;
        };
    }

    private static Status worst(List<Finding> findings) {
        if (count(findings, Status.FAIL) > 0) {
            return Status.FAIL;
        }
        return count(findings, Status.WARN) > 0 ? Status.WARN : Status.PASS;
    }

    private static long count(List<Finding> findings, Status status) {
        return findings.stream().filter(finding -> finding.status() == status).count();
    }

    private static String text(List<Finding> findings, Terminal terminal) {
        StringBuilder out = new StringBuilder();
        for (Finding finding : findings) {
            StringBuilder lines = new StringBuilder();
            String message = finding.id() + ": " + Printable.withoutControls(finding.message());
            terminal.wrap(lines, finding.status() + "  ", MARK, terminal.plain(message));
            if (!finding.next().isEmpty()) {
                terminal.wrap(
                        lines,
                        " ".repeat(MARK) + terminal.arrow() + " ",
                        MARK + 3,
                        Printable.withoutControls(finding.next()));
            }
            String mark = finding.status().name();
            out.append(paint(finding.status(), terminal)).append(lines.substring(mark.length()));
        }
        return out + "\n" + count(findings, Status.PASS) + " passed, "
                + Count.of(count(findings, Status.WARN), "warning") + ", "
                + Count.of(count(findings, Status.FAIL), "failure") + ", "
                + count(findings, Status.SKIP) + " skipped.\n";
    }

    private static String paint(Status status, Terminal terminal) {
        return switch (status) {
            case PASS -> terminal.green(status.name());
            case WARN -> terminal.bold(status.name());
            case FAIL -> terminal.red(status.name());
            case SKIP -> terminal.dim(status.name());
        };
    }

    private static JsonValue json(List<Finding> findings) {
        return JsonObject.document("doctor")
                .put("status", word(worst(findings)))
                .put("checks", findings, DoctorReport::json)
                .build();
    }

    private static JsonValue json(Finding finding) {
        return JsonObject.builder()
                .put("id", finding.id())
                .put("status", word(finding.status()))
                .put("message", finding.message())
                .put("next", Optional.of(finding.next()).filter(next -> !next.isEmpty()), JsonString::new)
                .build();
    }

    private static String word(Status status) {
        return status.name().toLowerCase(Locale.ROOT);
    }
}
