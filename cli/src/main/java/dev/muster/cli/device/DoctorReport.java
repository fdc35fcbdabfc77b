// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.report.host.DoctorText;
import java.util.List;

/// The exit codes of doctors.
public final class DoctorReport {
    /// Failures share the code of usage errors, as those of other doctors do.
    private static final int FAILURES = ExitCode.USAGE;

    private DoctorReport() {}

    /// A doctor, with what its exit codes mean.
    public static CommandSpec spec(CommandTitle title) {
        return CommandSpec.of(title).exiting("0  all checks passed", "1  there are warnings", "2  there are failures");
    }

    /// Prints the findings.
    ///
    /// @return the exit code
    public static int print(List<Finding> findings, Arguments arguments, Session session) {
        DoctorText report = new DoctorText(findings);
        ReportPrinter.print(arguments, session, report);
        return switch (report.worst()) {
            case PASS, SKIP -> ExitCode.OK;
            case WARN -> ExitCode.NO;
            case FAIL -> FAILURES;
        };
    }
}
