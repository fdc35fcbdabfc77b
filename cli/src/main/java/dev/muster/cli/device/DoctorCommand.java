// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.detect.Detection;
import dev.muster.detect.doctor.Doctor;
import java.time.Duration;
import java.util.List;

/// `muster doctor`: what keeps accelerators from being found or used, and what to do about it.
public final class DoctorCommand implements Command {
    /// The least time left for the checks when a detection has taken most of the limit.
    private static final int LEAST_PART = 8;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("doctor", "diagnose problems with accelerators")
                .recordedBy("doctor", "doctor --host HOST", "detect --json --host HOST", "detect --host HOST");
    }

    @Override
    public CommandSpec spec() {
        return DoctorReport.spec(title())
                .example("muster doctor", "examine this machine")
                .example("muster doctor --host host.tar.gz", "examine a recorded host")
                .example("muster doctor --json", "for scripts: stable ids with PASS, WARN, FAIL or SKIP");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.has(CommonOptions.REGISTRY)) {
            throw new UsageException("doctor examines a host, not a registry; give --host BUNDLE or neither");
        }
        arguments.refuse(CommonOptions.WHAT_IF, "doctor examines a host as it is");
        Detection detection = session.detect();
        Duration left = session.limit().minus(detection.total());
        Duration least = session.limit().dividedBy(LEAST_PART);
        List<Finding> findings =
                Doctor.examine(session.host(), detection.registry(), left.compareTo(least) < 0 ? least : left);
        return DoctorReport.print(findings, arguments, session);
    }
}
