// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.remote;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.json.DocumentException;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.fleet.HostReport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One host that is asked by ssh: for Muster's own answer, or, where it has no Muster, by the tools of vendors.
///
/// @param connection the way there
/// @param clock the time of observations
/// @param log the log of detection
record SshHost(SshConnection connection, InstantSource clock, System.Logger log) {
    private static final int MAX_BYTES = Math.min(CommandLimits.MAX_BYTES, RegistryDocument.MAX_BYTES);

    /// The result of one host.
    ///
    /// @param report its report, if it gave one
    /// @param gaps the facts that could not be learned
    record Result(Optional<HostReport> report, List<Gap> gaps) {}

    Result read(Deadline deadline) {
        CommandOutcome outcome = connection.run(question(deadline), new CommandLimits(deadline.remaining(), MAX_BYTES));
        if (!(outcome instanceof CommandOutcome.Completed done) || done.exitCode() == SshConnection.NO_CONNECTION) {
            return nothing(outcome);
        }
        List<Gap> gaps = new ArrayList<>();
        if (done.exitCode() == 0) {
            try {
                return new Result(Optional.of(report(document(done.output()))), gaps);
            } catch (DocumentException e) {
                gaps.add(new Gap.Unparsable(name(), "what 'muster detect' prints there: " + e.getMessage()));
            }
        } else if (done.exitCode() != SshConnection.NO_PROGRAM) {
            gaps.add(failed(done.exitCode(), "muster there: " + SshConnection.reason(done.error())));
        }
        return readByTools(deadline, gaps);
    }

    /// Muster there ends by itself while the connection lasts.
    private static List<String> question(Deadline deadline) {
        long millis = Math.max(100, deadline.remaining().toMillis() * 3 / 4);
        return List.of("muster", "detect", "--json", "--timeout", millis + "ms");
    }

    /// Start-up files of shells may print something of their own before.
    private static AcceleratorRegistry document(String output) {
        int start = Math.max(0, output.indexOf('{'));
        return RegistryDocument.read(output.substring(start).getBytes(StandardCharsets.UTF_8));
    }

    private Result readByTools(Deadline deadline, List<Gap> gaps) {
        switch (SshCommands.search(connection, deadline.remaining())) {
            case SshCommands.None(CommandOutcome listing) -> {
                boolean answered = listing instanceof CommandOutcome.Completed done
                        && done.exitCode() != SshConnection.NO_CONNECTION;
                if (!answered) {
                    return nothing(listing);
                }
                if (gaps.isEmpty()) {
                    gaps.add(failed(
                            SshConnection.NO_PROGRAM,
                            "there is neither muster nor a vendor's tool such as nvidia-smi; install one of them"));
                }
                return new Result(Optional.empty(), gaps);
            }
            case SshCommands.Found(SshCommands tools) -> {
                Host host = new Host(
                        OperatingSystem.LINUX, "", EmptyFiles.INSTANCE, tools, HostLibraries.NONE, Map.of(), clock);
                // A little is left for the report.
                Duration limit = deadline.remaining().multipliedBy(9).dividedBy(10);
                AcceleratorRegistry registry = DetectBuilder.all()
                        .withoutSystemIo()
                        .within(limit.isZero() ? Duration.ofMillis(1) : limit)
                        .build(host, log)
                        .detect();
                registry.gaps().forEach(gap -> gaps.add(ofThisHost(gap)));
                // Tools know nothing of the processor, and files that would are not read.
                List<AcceleratorProfile> devices = registry.profiles().stream()
                        .filter(device -> device.accelerator().family() != AcceleratorFamily.CPU)
                        .toList();
                // A host is believed when it lists its devices: one whose tools failed must not say that it has none.
                return devices.isEmpty() && !gaps.isEmpty()
                        ? new Result(Optional.empty(), gaps)
                        : new Result(Optional.of(report(registry.withDevices(devices))), gaps);
            }
        }
    }

    /// The same gap, with the host's name in it.
    private Gap ofThisHost(Gap gap) {
        return switch (gap) {
            case Gap.ToolFailed(String tool, Reading<Integer> code, String error) ->
                new Gap.ToolFailed(name() + ": " + tool, code, error);
            case Gap.Timeout(String tool, double limit) -> new Gap.Timeout(name() + ": " + tool, limit);
            case Gap.Unparsable(String probe, String message) -> new Gap.Unparsable(name() + ": " + probe, message);
            default -> new Gap.Unparsable(name(), gap.display());
        };
    }

    private HostReport report(AcceleratorRegistry registry) {
        return HostReport.ofDevices(connection.host(), registry);
    }

    /// The reason for a missing report.
    private Result nothing(CommandOutcome outcome) {
        Gap gap = switch (outcome) {
            case CommandOutcome.Completed done -> failed(done.exitCode(), SshConnection.reason(done.error()));
            case CommandOutcome.NotFound _ ->
                notRun("ssh not found on this machine; install the package openssh-client");
            case CommandOutcome.NotRun(String reason) -> notRun(reason);
            case CommandOutcome.Failed(String message) -> notRun(message);
            case CommandOutcome.Expired(Duration limit) -> new Gap.Timeout(name(), limit.toMillis() / 1000.0);
        };
        return new Result(Optional.empty(), List.of(gap));
    }

    private Gap failed(int code, String reason) {
        return new Gap.ToolFailed(name(), Reading.known(code, Provenance.GIVEN), reason);
    }

    private Gap notRun(String reason) {
        return new Gap.ToolFailed(name(), Reading.unknown(UnknownReason.UNREADABLE), reason);
    }

    private String name() {
        return "ssh " + connection.host();
    }
}
