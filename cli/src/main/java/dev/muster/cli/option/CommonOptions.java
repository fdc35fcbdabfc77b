// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import java.util.List;

/// Options that every command has.
public final class CommonOptions {
    /// In the forms of devices; commands that print something else offer fewer.
    public static final OptionSpec OUTPUT = OutputFormat.option(OutputFormat.OF_DEVICES);

    public static final OptionSpec JSON = OptionSpec.flag("json", "same as --output json");
    public static final OptionSpec REGISTRY = OptionSpec.value(
            "registry",
            "FILE",
            "saved registry to read instead of this machine (of Muster or ai-hwaccel, or XML of "
                    + "lstopo or NCCL; - for stdin)");
    public static final OptionSpec HOST =
            OptionSpec.value("host", "BUNDLE", "recorded host (folder or archive) to read instead of this machine");
    public static final OptionSpec ONLY =
            OptionSpec.value("only", "NAMES", "probes to run, separated by commas, such as cuda,rocm (default: all)");
    public static final OptionSpec WITHOUT =
            OptionSpec.value("without", "NAMES", "probes to skip, separated by commas, such as vulkan");
    public static final OptionSpec NO_EXEC =
            OptionSpec.flag("no-exec", "do not run vendor tools; use files and libraries only");
    public static final OptionSpec TIMEOUT =
            OptionSpec.value("timeout", "TIME", "detection timeout, such as 500ms or 10s (default: 5s)");
    public static final OptionSpec ADD = OptionSpec.value(
            "add",
            "DEVICES",
            "hypothetical additional devices, by their names in the device catalogue, such as " + "h100-sxm:8,l4:2");
    public static final OptionSpec REMOVE =
            OptionSpec.value("remove", "DEVICES", "devices to treat as absent: 0,2-3, cuda:1 or part of a name");
    public static final OptionSpec REPLACE =
            OptionSpec.value("replace", "DEVICES", "hypothetical devices instead of the detected ones");
    public static final OptionSpec SYNTHETIC = OptionSpec.value(
            "synthetic",
            "HOSTS",
            "synthetic hosts instead of this machine, such as '2x[h100-sxm:8 nvswitch ib:8x400]'");
    public static final OptionSpec COLOR = OptionSpec.choice(
            "color", "WHEN", List.of("auto", "always", "never"), "coloured output: auto (default), always or never");
    public static final OptionSpec ASCII = OptionSpec.flag("ascii", "print only ASCII characters");
    public static final OptionSpec WIDTH =
            OptionSpec.value("width", "COLUMNS", "table width in columns (default: that of the terminal)");
    public static final OptionSpec LOG_LEVEL = OptionSpec.choice(
            "log-level",
            "LEVEL",
            List.of("off", "error", "warning", "info", "debug", "trace"),
            "log level on stderr: off (default), error, warning, info, debug or trace");
    public static final OptionSpec LOG_FORMAT =
            OptionSpec.choice("log-format", "FORM", List.of("text", "json"), "log format: text (default) or json");
    public static final OptionSpec HELP = OptionSpec.flag("help", "show help").withLetter("h");
    public static final OptionSpec VERSION =
            OptionSpec.flag("version", "show the version").withLetter("V");

    /// The options of a detection.
    public static final List<OptionSpec> ASKING = List.of(HOST, ONLY, WITHOUT, NO_EXEC);
    /// The same, and how long it may take.
    public static final List<OptionSpec> DETECTION = List.of(HOST, ONLY, WITHOUT, NO_EXEC, TIMEOUT);
    /// The options of hypothetical changes.
    public static final List<OptionSpec> WHAT_IF = List.of(ADD, REMOVE, REPLACE, SYNTHETIC);
    /// The options that select a machine.
    public static final List<OptionSpec> SOURCE =
            List.of(REGISTRY, HOST, ONLY, WITHOUT, NO_EXEC, TIMEOUT, ADD, REMOVE, REPLACE, SYNTHETIC);
    /// The options of output and logging.
    public static final List<OptionSpec> GENERAL =
            List.of(OUTPUT, JSON, COLOR, ASCII, WIDTH, LOG_LEVEL, LOG_FORMAT, HELP, VERSION);

    private CommonOptions() {}
}
