// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.slurm;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.Tool;
import dev.muster.fleet.FleetException;
import dev.muster.fleet.FleetSource;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.SourceReport;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The nodes of a cluster that Slurm runs, as `scontrol` of this machine prints them. Safe to share between
/// threads.
///
/// Devices are what was configured as generic resources: `gpu:h100:4` are four CUDA GPUs called h100. Where
/// neither name nor type says what a GPU is, it is assumed to be CUDA's.
record SlurmSource(HostCommands commands, InstantSource clock, String configuration) implements FleetSource {
    private static final String NAME = "slurm";
    private static final Tool SCONTROL =
            Tool.of("scontrol", "/opt/slurm/bin", "/usr/local/slurm/bin", "/cm/shared/apps/slurm/current/bin");
    private static final Tool ENV = Tool.of("env");

    private static final Duration CONNECTING = Duration.ofSeconds(10);

    /// The cluster that `scontrol` of a host belongs to.
    ///
    /// @param configuration the file that `SLURM_CONF` names; blank for Slurm's usual one
    public static FleetSource ofCommands(HostCommands commands, InstantSource clock, String configuration) {
        return new SlurmSource(commands, clock, configuration);
    }

    /// The cluster behind a `slurmrestd`.
    ///
    /// @param server its address, such as `https://slurm.example:6820`
    /// @param user the user whose token it is; blank where the token says so itself
    /// @param token a token of `scontrol token`; blank where the server asks for none
    public static FleetSource ofServer(URI server, String user, String token, InstantSource clock) {
        HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECTING).build();
        return new SlurmRestSource(server, user, token, client, clock);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public SourceReport read(Duration limit) {
        Deadline deadline = Deadline.in(limit);
        Instant now = clock.instant();
        Provenance source = Provenance.of(NAME, Provenance.Method.COMMAND, Provenance.Confidence.STATED)
                .withObservedAt(now);
        ScontrolText text = new ScontrolText(source);
        List<Gap> gaps = new ArrayList<>();
        CommandOutcome shown = run(deadline, "--details", "--all", "--oneliner", "show", "node");
        List<SlurmNode> nodes = text.nodes(shown.findOutput().orElseThrow(() -> failure(shown)));
        shown.findGap(SCONTROL.name()).ifPresent(gaps::add);
        String jobs = optional(deadline, gaps, "--details", "--all", "--oneliner", "show", "job");
        String reservations = optional(deadline, gaps, "--oneliner", "show", "reservation");
        String topology = optional(deadline, gaps, "show", "topology");
        List<HostReport> hosts = new SlurmReports(source)
                .of(nodes, text.jobs(jobs), text.reservations(reservations), SlurmTopology.parse(topology));
        return new SourceReport(NAME, now, hosts, gaps);
    }

    /// The output of an optional command.
    private String optional(Deadline deadline, List<Gap> gaps, String... arguments) {
        CommandOutcome outcome = run(deadline, arguments);
        String said = outcome instanceof CommandOutcome.Completed done ? done.output() + done.error() : "";
        // A cluster without switches or jobs says so in one line, with an exit code that is not 0.
        if (outcome.isSuccess() || said.contains("No topology") || said.contains("No jobs")) {
            return outcome.findOutput().orElse("");
        }
        outcome.findGap(SCONTROL.name() + " " + String.join(" ", arguments)).ifPresent(gaps::add);
        return "";
    }

    private CommandOutcome run(Deadline deadline, String... arguments) {
        CommandLimits limits = new CommandLimits(deadline.remaining(), CommandLimits.MAX_BYTES);
        Optional<String> path = commands.findPath(SCONTROL);
        if (configuration.isBlank() || path.isEmpty()) {
            return commands.run(SCONTROL, List.of(arguments), limits);
        }
        // Tools get no variables of ours; this is the one way to name another configuration.
        List<String> words = new ArrayList<>(List.of("SLURM_CONF=" + configuration, path.get()));
        words.addAll(List.of(arguments));
        return commands.run(ENV, words, limits);
    }

    private static FleetException failure(CommandOutcome outcome) {
        return new FleetException(
                switch (outcome) {
                    case CommandOutcome.NotFound _ ->
                        "slurm: scontrol is not installed here; run this on a login node, or name a slurmrestd";
                    case CommandOutcome.Expired(Duration limit) ->
                        "slurm: scontrol did not end within " + limit.toMillis() / 1000.0 + " s; is slurmctld running?";
                    case CommandOutcome.NotRun(String reason) -> "slurm: scontrol is not run: " + reason;
                    case CommandOutcome.Failed(String message) -> "slurm: scontrol cannot be started: " + message;
                    case CommandOutcome.Completed done ->
                        "slurm: scontrol ended with " + done.exitCode() + ": " + firstLine(done)
                                + "; is slurmctld running, and is this a machine of the cluster?";
                });
    }

    private static String firstLine(CommandOutcome.Completed done) {
        return (done.error() + "\n" + done.output())
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("it says nothing");
    }
}
