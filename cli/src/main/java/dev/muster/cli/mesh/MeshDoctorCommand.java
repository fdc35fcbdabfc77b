// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.device.DoctorReport;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.core.json.DocumentException;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.doctor.MeshDoctor;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/// `muster mesh doctor`: what keeps ranks of a mesh from working together on this machine, and what to do about it; or,
/// given recordings that ranks have left, where they went apart.
final class MeshDoctorCommand implements Command {
    private static final Path LIMITS = Path.of("/proc/self/limits");

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mesh doctor", "diagnose problems between processes");
    }

    @Override
    public CommandSpec spec() {
        return DoctorReport.spec(title())
                .taking(Integer.MAX_VALUE, "[RECORDING ...]")
                .example("muster mesh doctor", "examine this machine")
                .example(
                        "muster mesh run -n 2 -- muster mesh doctor",
                        "examine the environment that a launcher gives its processes")
                .example(
                        "muster mesh doctor recordings/world-*.json", "find where the ranks of a failed mesh diverged");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "mesh doctor examines this machine as it is");
        List<Finding> findings =
                arguments.operands().isEmpty() ? examineMachine(session) : compare(arguments.operands());
        return DoctorReport.print(findings, arguments, session);
    }

    private static List<Finding> compare(List<String> files) {
        return MeshDoctor.compare(files.stream().map(MeshDoctorCommand::read).toList());
    }

    private static FlightDump read(String file) {
        try {
            return FlightDump.parse(TextFile.read(file));
        } catch (DocumentException e) {
            throw new CommandException("'" + Printable.of(file) + "'", e);
        }
    }

    private static List<Finding> examineMachine(Session session) {
        int accelerators = (int) session.detect().registry().profiles().stream()
                .filter(profile -> !profile.accelerator().family().text().equals("cpu"))
                .count();
        return new MeshDoctor(
                        session.host().variables(),
                        SessionConfig.SHARED_MEMORY,
                        Runtime.getRuntime().availableProcessors(),
                        accelerators,
                        processLimits(),
                        Instant.now())
                .examine();
    }

    private static String processLimits() {
        try {
            return Files.readString(LIMITS);
        } catch (IOException _) {
            return ""; // only Linux has it
        }
    }
}
