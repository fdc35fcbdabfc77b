// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.probe;

import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Deadline;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.Tool;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Everything a probe may touch of the outside world, for one detection. Safe to share between threads.
///
/// @since 0.1
public final class ProbeContext {
    private final Host host;
    private final Deadline deadline;
    private final System.Logger log;
    private final Instant now;
    private final PciInventory pci;
    private final List<String> nodes;
    private final boolean telemetry;

    /// The context of one detection.
    ///
    /// @param host the host that is asked
    /// @param deadline time at which everything must have ended
    /// @param log destination of log messages
    public ProbeContext(Host host, Deadline deadline, System.Logger log) {
        this.host = host;
        this.deadline = deadline;
        this.log = log;
        this.now = host.clock().instant().truncatedTo(ChronoUnit.MILLIS);
        this.pci = PciInventory.scan(host.files());
        this.nodes = host.files().names("/dev");
        this.telemetry = false;
    }

    private ProbeContext(ProbeContext seen, Host host, boolean telemetry) {
        this.host = host;
        this.deadline = seen.deadline;
        this.log = seen.log;
        this.now = seen.now;
        this.pci = seen.pci;
        this.nodes = seen.nodes;
        this.telemetry = telemetry;
    }

    /// Returns a context with another host that keeps the facts read so far.
    public ProbeContext withHost(Host other) {
        return new ProbeContext(this, other, telemetry);
    }

    /// The same for a detection that asks for telemetry too.
    public ProbeContext withTelemetry() {
        return new ProbeContext(this, host, true);
    }

    /// Reports whether probes read telemetry: [dev.muster.core.DeviceFact#ENERGY] and the facts behind it. Without
    /// telemetry, probes skip these facts, since some take longer than all others together.
    public boolean asksTelemetry() {
        return telemetry;
    }

    /// The host that is asked.
    public Host host() {
        return host;
    }

    /// The host's files.
    public HostFiles files() {
        return host.files();
    }

    /// The host's PCI devices.
    public PciInventory pci() {
        return pci;
    }

    /// The names in `/dev`, listed once for all probes.
    public List<String> nodes() {
        return nodes;
    }

    /// Reports whether a name in `/dev` begins so.
    public boolean hasNode(String prefix) {
        for (String node : nodes) {
            if (node.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the time at which everything must have ended.
    public Deadline deadline() {
        return deadline;
    }

    /// Returns the destination of log messages.
    public System.Logger log() {
        return log;
    }

    /// The time of the detection, in milliseconds.
    public Instant now() {
        return now;
    }

    /// Reports whether a tool is installed; starts nothing.
    public boolean isInstalled(Tool tool) {
        return host.commands().findPath(tool).isPresent();
    }

    /// Runs a tool within most of what is left of the detection's time.
    public CommandOutcome run(Tool tool, String... arguments) {
        // Some time is left for what the probe does without the tool, should it hang.
        // Not Duration.dividedBy: the first BigDecimal of a start takes 6 ms or more.
        Duration limit = Duration.ofNanos(deadline.remaining().toNanos() * 3 / 4);
        if (limit.isZero()) {
            return isInstalled(tool) ? new CommandOutcome.Expired(Duration.ZERO) : new CommandOutcome.NotFound();
        }
        if (log.isLoggable(System.Logger.Level.DEBUG)) {
            String path = host.commands().findPath(tool).orElse(tool.name());
            log.log(System.Logger.Level.DEBUG, "running " + path + " " + String.join(" ", arguments));
        }
        return host.commands().run(tool, List.of(arguments), CommandLimits.of(limit));
    }

    /// Returns the output of a tool, if it succeeds.
    ///
    /// @param gaps told where it does not, unless it is not installed
    public Optional<String> ask(Tool tool, Consumer<Gap> gaps, String... arguments) {
        CommandOutcome outcome = run(tool, arguments);
        outcome.findGap(tool.name()).ifPresent(gaps);
        return outcome.findOutput();
    }

    /// A folder of the kernel's with one value per file.
    ///
    /// @param gaps told of each file that could not be read
    @SuppressWarnings("exports") // for the probes of this module alone
    public AttributeFolder folder(String path, Consumer<Gap> gaps) {
        return new AttributeFolder(host.files(), now, gaps, path);
    }

    /// The source of facts that a file told.
    public Provenance fromFile(String path) {
        return measured(path, Provenance.Method.FILE);
    }

    /// The source of facts that a tool told.
    public Provenance fromTool(Tool tool) {
        return measured(tool.name(), Provenance.Method.COMMAND);
    }

    /// The source of facts that a native library told.
    public Provenance fromLibrary(String name) {
        return measured(name, Provenance.Method.NATIVE);
    }

    /// The source of facts that an environment variable told.
    public Provenance fromVariable(String name) {
        return Provenance.of(name, Provenance.Method.ENVIRONMENT, Provenance.Confidence.STATED)
                .withObservedAt(now);
    }

    private Provenance measured(String source, Provenance.Method method) {
        return Provenance.of(source, method, Provenance.Confidence.MEASURED).withObservedAt(now);
    }

    /// The source of facts that a table of known devices told.
    ///
    /// @param table the table's name, such as `PCI ids`
    public static Provenance fromCatalogue(String table) {
        return Provenance.of(table, Provenance.Method.CATALOGUE, Provenance.Confidence.STATED);
    }
}
