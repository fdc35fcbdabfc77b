package dev.muster.cli;

import dev.muster.core.Finding;
import dev.muster.detect.doctor.Doctor;
import java.util.List;

/// `muster doctor`: what keeps accelerators from being found or used, and what to do about it.
final class DoctorCommand implements Command {
    @Override
    public CommandSpec spec() {
        return DoctorReport.spec("doctor", "say what keeps accelerators from being used")
                .example("muster doctor", "examine this machine")
                .example("muster doctor --host host.tar.gz", "examine a recorded one")
                .example("muster doctor --json", "for a script: stable ids, PASS, WARN, FAIL, SKIP");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        if (arguments.has(CommonOptions.REGISTRY)) {
            throw new UsageException("doctor examines a host, not a registry; give --host BUNDLE or neither");
        }
        arguments.refuse(CommonOptions.WHAT_IF, "doctor examines a host as it is");
        List<Finding> findings = Doctor.examine(session.host(), session.detect().registry());
        return DoctorReport.print(findings, arguments, session);
    }
}
