// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.device;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.CommandTitle;
import dev.muster.cli.option.CommonOptions;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.option.OutputFormat;
import dev.muster.cli.option.UsageException;
import dev.muster.cli.session.Command;
import dev.muster.cli.session.ReportPrinter;
import dev.muster.cli.session.Session;
import dev.muster.cli.session.Version;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.text.FixedText;
import dev.muster.detect.Detection;
import dev.muster.report.host.Summary;
import dev.muster.report.host.Totals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `muster detect`: what is in this box.
///
/// @param withHint true if to end with a line on what to try next
public record DetectCommand(boolean withHint) implements Command {
    static final OptionSpec REQUIRE = OptionSpec.flag("require-accelerator", "exit with code 3 if only a CPU is found");
    static final OptionSpec SUMMARY =
            OptionSpec.flag("summary", "show totals instead of devices; with --reference in ai-hwaccel's format");
    static final OptionSpec TIMING = OptionSpec.flag("timing", "print the time of each probe to stderr");
    static final OptionSpec TELEMETRY =
            OptionSpec.flag("telemetry", "also read energy, PCIe and NVLink traffic, encoder use and remapped rows");
    static final OptionSpec STRICT =
            OptionSpec.flag("strict", "exit with code 4 if a probe failed or a memory size is unknown");

    private static final int NAME_WIDTH = 16;
    private static final int TIME_WIDTH = 8;
    private static final double NANOS_PER_MILLI = 1e6;

    @Override
    public CommandTitle title() {
        return CommandTitle.of("detect", "list accelerators").recordedBy("detect --json", "");
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of(title())
                .with(DeviceOutput.FIELDS, DeviceOutput.COLUMNS, DeviceOrder.FAMILY, DeviceOrder.SORT)
                .with(DeviceOutput.NO_HEADER, DeviceOutput.NO_UNITS, DeviceOutput.REFERENCE)
                .with(SUMMARY, TIMING, TELEMETRY, REQUIRE, STRICT)
                .printing(OutputFormat.OF_DEVICES)
                .exiting("3  no accelerator, with --require-accelerator", "4  incomplete result, with --strict")
                .example("muster detect", "the devices of this machine")
                .example("muster detect --json > box.json", "save the registry of this machine")
                .example("muster detect --registry box.json -o wide", "show a saved registry with all columns")
                .example("muster detect --family gpu --sort mem", "GPUs, largest memory first")
                .example("muster detect --summary --json", "totals only")
                .example("muster detect --only cuda --timing", "NVIDIA's probe only, with its time")
                .example(
                        "muster detect --telemetry -o wide",
                        "with PCIe throughput and energy, which take longer to read")
                .example("muster detect --synthetic 'h100-sxm:8 nvswitch'", "a synthetic machine")
                .example("muster detect --reference", "the registry in ai-hwaccel's format (schema 3)");
    }

    @Override
    public int run(Arguments arguments, Session session) {
        requireDetection(TIMING, arguments);
        requireDetection(TELEMETRY, arguments);
        if (arguments.has(SUMMARY)) {
            requireTotals(arguments);
        }
        DeviceOutput output = DeviceOutput.of(arguments, session.terminal());
        AcceleratorRegistry registry =
                arguments.has(TIMING) ? session.whatIf(arguments, timed(session)) : session.loadRegistry(arguments);
        AcceleratorRegistry shown = DeviceOrder.isAsked(arguments) ? arranged(registry, arguments, session) : registry;
        if (arguments.has(SUMMARY)) {
            printTotals(new Totals(shown, Version.TEXT), arguments, session);
        } else {
            session.print(output.render(shown));
            print(output, shown, session);
        }
        if (arguments.has(REQUIRE) && !registry.hasAccelerator()) {
            session.note("muster: no accelerator found, only a CPU");
            return ExitCode.NO_ACCELERATOR;
        }
        return arguments.has(STRICT) && isPartial(registry) ? ExitCode.PARTIAL : ExitCode.OK;
    }

    @Override
    public boolean asksTelemetry(Arguments arguments) {
        return arguments.has(TELEMETRY);
    }

    private static void requireTotals(Arguments arguments) {
        OutputFormat format = OutputFormat.of(arguments);
        if (format == OutputFormat.CSV || format == OutputFormat.TSV || format == OutputFormat.NAME) {
            throw new UsageException("--summary requires --output table, json or yaml");
        }
        if (arguments.has(DeviceOutput.FIELDS) || arguments.has(DeviceOutput.COLUMNS)) {
            throw new UsageException("--summary has no columns to choose");
        }
    }

    private static void printTotals(Totals totals, Arguments arguments, Session session) {
        if (arguments.has(DeviceOutput.REFERENCE)) {
            OutputFormat format = OutputFormat.of(arguments);
            session.print(ReportPrinter.of(
                    totals.reference(), format == OutputFormat.TABLE ? OutputFormat.JSON : format, session.terminal()));
        } else {
            ReportPrinter.print(arguments, session, totals);
        }
    }

    private static void requireDetection(OptionSpec option, Arguments arguments) {
        for (OptionSpec other : List.of(CommonOptions.REGISTRY, CommonOptions.SYNTHETIC)) {
            if (arguments.has(option) && arguments.has(other)) {
                throw new UsageException("--" + option.name() + " applies to detection, not to --" + other.name());
            }
        }
    }

    /// Returns the text below a table.
    private void print(DeviceOutput output, AcceleratorRegistry registry, Session session) {
        if (output.isTable()) {
            session.print(Summary.of(registry, session.terminal()));
        }
        if (withHint && output.isTable()) {
            StringBuilder hint = new StringBuilder("\n");
            session.terminal()
                    .wrap(
                            hint,
                            "",
                            0,
                            "Try 'muster detect -o wide', 'muster topology', 'muster doctor' or 'muster help'.");
            session.print(hint.toString());
        }
    }

    private static AcceleratorRegistry timed(Session session) {
        Detection detection = session.detect();
        session.note(timing(detection));
        return detection.registry();
    }

    /// Returns the time of each part, the slowest first. Parts run in parallel, so the total is not their sum.
    private static String timing(Detection detection) {
        List<Map.Entry<String, Duration>> timings =
                new ArrayList<>(detection.timings().entrySet());
        timings.sort((one, other) -> other.getValue().compareTo(one.getValue()));
        StringBuilder out = new StringBuilder("\nBackend timing:\n");
        for (Map.Entry<String, Duration> timing : timings) {
            line(out, timing.getKey(), timing.getValue());
        }
        line(out, "TOTAL (wall)", detection.total());
        return out.toString();
    }

    private static void line(StringBuilder out, String name, Duration took) {
        String millis = FixedText.of(took.toNanos() / NANOS_PER_MILLI, 1);
        out.append("  ").append(name).repeat(" ", Math.max(0, NAME_WIDTH - name.length()));
        out.append(' ').repeat(" ", Math.max(0, TIME_WIDTH - millis.length()));
        out.append(millis).append("ms\n");
    }

    private static AcceleratorRegistry arranged(AcceleratorRegistry registry, Arguments arguments, Session session) {
        List<AcceleratorProfile> devices = DeviceOrder.apply(arguments, registry.profiles());
        if (devices.isEmpty()) {
            session.note("muster: none of " + registry.profiles().size() + " devices is of that family");
        }
        return DeviceOrder.restrict(registry, devices);
    }

    /// Returns a source that failed, or a device whose memory is unknown.
    private static boolean isPartial(AcceleratorRegistry registry) {
        return !registry.gaps().isEmpty()
                || registry.profiles().stream()
                        .anyMatch(device -> !device.memory().isKnown());
    }
}
