package dev.muster.cli;

import java.util.List;

/// Options that every command has.
final class CommonOptions {
    static final List<String> FORMATS = List.of("table", "wide", "json", "yaml", "csv", "name");

    static final OptionSpec OUTPUT = OptionSpec.choice(
                    "output", "FORMAT", FORMATS, "how to print: table, wide, json, yaml, csv or name")
            .withLetter("o");
    static final OptionSpec JSON = OptionSpec.flag("json", "the same as --output json");
    static final OptionSpec REGISTRY = OptionSpec.value(
            "registry", "FILE", "a saved registry (Muster's or ai-hwaccel's) instead of this machine; - reads stdin");
    static final OptionSpec COLOR = OptionSpec.choice(
            "color", "WHEN", List.of("auto", "always", "never"), "colour: auto (default), always or never");
    static final OptionSpec ASCII = OptionSpec.flag("ascii", "plain ASCII, no other characters of our own");
    static final OptionSpec WIDTH = OptionSpec.value("width", "COLUMNS", "width of tables; default: the terminal's");
    static final OptionSpec LOG_LEVEL = OptionSpec.choice(
            "log-level",
            "LEVEL",
            List.of("off", "error", "warning", "info", "debug", "trace"),
            "log to stderr: off (default), error, warning, info, debug or trace");
    static final OptionSpec LOG_FORMAT =
            OptionSpec.choice("log-format", "FORM", List.of("text", "json"), "form of the log: text (default) or json");
    static final OptionSpec HELP = OptionSpec.flag("help", "show help").withLetter("h");
    static final OptionSpec VERSION =
            OptionSpec.flag("version", "show the version").withLetter("V");

    static final List<OptionSpec> ALL =
            List.of(OUTPUT, JSON, REGISTRY, COLOR, ASCII, WIDTH, LOG_LEVEL, LOG_FORMAT, HELP, VERSION);

    private CommonOptions() {}
}
