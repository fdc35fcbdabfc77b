// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.live;

import dev.muster.cli.device.DeviceOrder;
import dev.muster.cli.device.DeviceOutput;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.DurationGrammar;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.Numbers;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.Session;
import dev.muster.cli.session.TerminalSettings;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.text.FixedText;
import dev.muster.core.unit.Bytes;
import dev.muster.monitor.AlertRule;
import dev.muster.report.host.Summary;
import dev.muster.report.terminal.Terminal;
import dev.muster.report.text.DeviceField;
import dev.muster.report.text.DeviceRenderer;
import dev.muster.report.text.Printable;
import dev.muster.report.text.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// `muster watch`: the table of devices, again and again, with what changed in between.
public final class WatchCommand implements Command {
    static final OptionSpec INTERVAL =
            OptionSpec.value("interval", "TIME", "sampling interval, such as 500ms or 1m (default: 2s)");
    static final OptionSpec COUNT = OptionSpec.value("count", "N", "number of samples (default: until q or Ctrl-C)");
    static final OptionSpec ALERT =
            OptionSpec.value("alert", "RULES", "alert rules, reported on stderr: memory>90%,temperature>85C,load>95%");

    private static final Duration USUAL = Duration.ofSeconds(2);
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofMinutes(60);
    private static final int MAX_DIGITS = 9;
    private static final String HOME = "\u001b[H";
    private static final String CLEAR = "\u001b[2J";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    @Override
    public CommandTitle title() {
        return CommandTitle.of("watch", "print devices at an interval");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(INTERVAL, COUNT, ALERT)
                .with(DeviceOutput.FIELDS, DeviceOutput.COLUMNS, DeviceOrder.FAMILY, DeviceOrder.SORT)
                .printing(List.of(OutputFormat.TABLE, OutputFormat.WIDE, OutputFormat.JSON))
                .exiting("1  an alert was raised, with --count")
                .example("muster watch --interval 1s", "a live table; q or Ctrl-C quits")
                .example(
                        "muster watch --alert 'memory>90%,temperature>85C' --count 30 > /dev/null",
                        "watch for a minute; exit code 1 after an alert")
                .example("muster watch -o json --interval 10s >> log.jsonl", "one registry per line");
    }

    @Override
    public boolean asksTelemetry(Arguments arguments) {
        return true;
    }

    @Override
    public int run(Arguments arguments, Session session) {
        OutputFormat format = OutputFormat.of(arguments);
        if (arguments.find(CommonOptions.REGISTRY).filter("-"::equals).isPresent()) {
            throw new UsageException("watch reads the registry repeatedly, which is not possible from standard input");
        }
        Terminal terminal = session.terminal();
        DeviceOutput output = DeviceOutput.of(arguments, terminal);
        Duration interval = arguments
                .find(INTERVAL)
                .map(text -> DurationGrammar.parse(INTERVAL, text, LEAST, MOST))
                .orElse(USUAL);
        int count = count(arguments);
        List<AlertRule> rules = arguments.read(ALERT, AlertRule::parse).orElse(List.of());

        boolean alerted = false;
        OptionalInt columns = session.watchScreen();
        AcceleratorRegistry before = AcceleratorRegistry.of(List.of());
        for (long look = 0; count == 0 || look < count; look++) {
            if (look > 0 && !session.pause(interval)) {
                break;
            }
            OptionalInt wide = look == 0 ? columns : session.watchScreen();
            boolean isResized = !wide.equals(columns) && !arguments.has(CommonOptions.WIDTH);
            if (isResized) {
                terminal = terminal.withWidth(TerminalSettings.width(wide));
                output = DeviceOutput.of(arguments, terminal);
                columns = wide;
            }
            AcceleratorRegistry now = session.loadRegistry(arguments);
            AcceleratorRegistry shown = DeviceOrder.restrict(now, DeviceOrder.apply(arguments, now.profiles()));
            if (format == OutputFormat.JSON) {
                session.print(RegistryDocument.write(shown) + "\n");
            } else {
                boolean screen = session.isScreen();
                String frame = frame(shown, before, output, terminal) + "every " + DurationGrammar.text(interval)
                        + (screen ? ", q or" : ",") + " Ctrl-C quits\n";
                session.print(screen ? onScreen(frame, look == 0 || isResized) : (look == 0 ? "" : "\n") + frame);
            }
            alerted |= alert(rules, now, session);
            before = now;
            int written = session.flush();
            if (written != ExitCode.OK) {
                return written;
            }
        }
        return alerted && count > 0 ? ExitCode.NO : ExitCode.OK;
    }

    private static boolean alert(List<AlertRule> rules, AcceleratorRegistry registry, Session session) {
        List<AlertRule.Alert> alerts = AlertRule.examine(rules, registry);
        for (AlertRule.Alert alert : alerts) {
            String message = "alert: " + Printable.of(alert.device().text()) + " " + alert.text();
            session.note("muster: " + session.terminal().red(message));
        }
        return !alerts.isEmpty();
    }

    private static String frame(
            AcceleratorRegistry now, AcceleratorRegistry before, DeviceOutput output, Terminal terminal) {
        MemoryChange change = MemoryChange.since(before);
        List<DeviceField> fields = new ArrayList<>(output.fields(now.profiles()));
        boolean first = before.profiles().isEmpty();
        if (!first
                && now.profiles().stream().anyMatch(device -> change.of(device).isPresent())) {
            fields.add(
                    Math.min(fields.size(), 3),
                    new DeviceField(
                            "change", "", new TextTable.Column("CHANGE", true, 3, false), change::of, List.of()));
        }
        String table = new DeviceRenderer(fields, true, true, output.isBrief()).table(now.profiles(), terminal);
        String time = now.observedAt().find().map(instant -> instant + ", ").orElse("");
        return table + Summary.of(now, terminal) + "\n" + time;
    }

    /// Returns a frame for the screen. The cursor is never hidden, so nothing has to be restored when the program is
    /// killed.
    private static String onScreen(String frame, boolean first) {
        return (first ? CLEAR : "") + HOME + frame.replace("\n", CLEAR_LINE + "\n") + CLEAR_BELOW;
    }

    private static int count(Arguments arguments) {
        int count = Numbers.digits(arguments.find(COUNT).orElse("0"), MAX_DIGITS);
        if (count < 1 && arguments.has(COUNT)) {
            throw COUNT.isNot("an integer from 1 on", arguments.find(COUNT).orElseThrow());
        }
        return count;
    }

    /// Returns the changes of free memory from one registry to the next. Devices are told apart by their
    /// id, never by their place in a table, which filters and sorting change.
    ///
    /// @param before free memory in the registry before
    private record MemoryChange(Map<DeviceId, Bytes> before) {
        /// Smaller changes would be shown as 0.0.
        private static final double LEAST_GIB = 0.05;

        private static final double BYTES_PER_GIB = 1L << 30;

        static MemoryChange since(AcceleratorRegistry registry) {
            Map<DeviceId, Bytes> free = new HashMap<>();
            for (AcceleratorProfile device : registry.profiles()) {
                device.memoryFree().find().ifPresent(bytes -> free.put(device.id(), bytes));
            }
            return new MemoryChange(free);
        }

        /// Returns the change as text, such as `-12.0 GiB`; empty if there was none to speak of.
        Optional<?> of(AcceleratorProfile device) {
            Optional<Bytes> then = Optional.ofNullable(before.get(device.id()));
            Optional<Bytes> now = device.memoryFree().find();
            if (then.isEmpty() || now.isEmpty()) {
                return Optional.empty();
            }
            double change = (now.get().toDouble() - then.get().toDouble()) / BYTES_PER_GIB;
            return Math.abs(change) < LEAST_GIB
                    ? Optional.empty()
                    : Optional.of((change > 0 ? "+" : "") + FixedText.of(change, 1) + " GiB");
        }
    }
}
