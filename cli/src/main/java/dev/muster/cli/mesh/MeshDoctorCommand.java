// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.mesh;

import dev.muster.cli.device.DoctorReport;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandException;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.TextFile;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.core.Finding;
import dev.muster.core.json.DocumentException;
import dev.muster.mesh.collective.FlightDump;
import dev.muster.mesh.doctor.MeshDoctor;
import dev.muster.mesh.jobs.JobFiles;
import dev.muster.mesh.jobs.NcclJob;
import dev.muster.mesh.session.SessionConfig;
import dev.muster.report.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `muster mesh doctor`: what keeps ranks of a mesh from working together on this machine, and what to do about it; or,
/// given recordings that ranks have left, where they went apart; or what is wrong with a job of NCCL or PyTorch.
final class MeshDoctorCommand implements Command {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final OptionSpec NCCL = OptionSpec.value(
            "nccl", "HOST[:PORT]", "query the RAS service of a running NCCL job (default port: " + NcclJob.PORT + ")");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.%a-z]+]|[^:\\[\\]]+)(?::([0-9]{1,5}))?");
    private static final int MOST_PORT = 65_535;
    private static final int MOST_BYTES = 128 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Override
    public CommandTitle title() {
        return CommandTitle.of("mesh doctor", "diagnose problems between processes");
    }

    @Override
    public CommandSpec spec() {
        return DoctorReport.spec(title())
                .taking(Integer.MAX_VALUE, "[RECORDING ...]")
                .with(NCCL)
                .example("muster mesh doctor", "examine this machine")
                .example(
                        "muster mesh run -n 2 -- muster mesh doctor",
                        "examine the environment that a launcher gives its processes")
                .example("muster mesh doctor recordings/world-*.json", "find where the ranks of a failed mesh diverged")
                .example("muster mesh doctor --nccl node1", "find stuck ranks of a running NCCL job")
                .example(
                        "muster mesh doctor /tmp/nccl_trace_rank_*",
                        "compare dumps of PyTorch's flight recorder, or files of NCCL Inspector");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        arguments.refuse(CommonOptions.SOURCE, "mesh doctor examines this machine as it is");
        return DoctorReport.print(findings(arguments, session), arguments, session);
    }

    private static List<Finding> findings(Arguments arguments, Session session) {
        Optional<String> job = arguments.find(NCCL);
        if (job.isPresent()) {
            if (!arguments.operands().isEmpty()) {
                throw new UsageException("--nccl queries a running job; recordings are examined without it");
            }
            return ask(job.get());
        }
        return arguments.operands().isEmpty() ? examineMachine(session) : compare(arguments.operands());
    }

    private static List<Finding> ask(String text) {
        Matcher address = ADDRESS.matcher(text);
        int port = address.matches() && address.group(2) != null ? Integer.parseInt(address.group(2)) : NcclJob.PORT;
        if (!address.matches() || port < 1 || port > MOST_PORT) {
            throw NCCL.isNot("a host with an optional port, such as node1:" + NcclJob.PORT, text);
        }
        return NcclJob.ask(address.group(1).replaceAll("[\\[\\]]", ""), port, LIMIT);
    }

    private static List<Finding> compare(List<String> files) {
        List<FlightDump> recordings = new ArrayList<>();
        JobFiles others = new JobFiles();
        for (String file : files) {
            byte[] content = TextFile.readBytes(file, MOST_BYTES);
            try {
                if (FlightDump.isDump(content)) {
                    recordings.add(FlightDump.parse(new String(content, StandardCharsets.UTF_8)));
                } else {
                    others.add(file, content);
                }
            } catch (DocumentException e) {
                throw new CommandException("'" + Printable.of(file) + "'", e);
            }
        }
        List<Finding> findings = new ArrayList<>(MeshDoctor.compare(recordings));
        findings.addAll(others.examine());
        return findings;
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
