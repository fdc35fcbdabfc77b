package dev.muster.cli;

import java.util.Locale;

/// How an answer is printed.
enum OutputFormat {
    TABLE,
    WIDE,
    JSON,
    YAML,
    CSV,
    TSV,
    NAME;

    static OutputFormat of(Arguments arguments) {
        if (arguments.has(CommonOptions.JSON)) {
            if (arguments.has(CommonOptions.OUTPUT)) {
                throw new UsageException("give either --json or --output, not both");
            }
            return JSON;
        }
        return arguments
                .find(CommonOptions.OUTPUT)
                .map(name -> valueOf(name.toUpperCase(Locale.ROOT)))
                .orElse(TABLE);
    }

    /// The format of a command that prints no devices, and so has no CSV, TSV or names.
    static OutputFormat ofReport(Arguments arguments) {
        OutputFormat format = of(arguments);
        if (format == CSV || format == TSV || format == NAME) {
            throw new UsageException("this command prints table, json or yaml");
        }
        return format;
    }
}
