// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The format of an answer.
public enum OutputFormat {
    TABLE,
    WIDE,
    JSON,
    YAML,
    CSV,
    TSV,
    NAME;

    /// Of commands that print devices.
    public static final List<OutputFormat> OF_DEVICES = List.of(values());
    /// Of other commands.
    public static final List<OutputFormat> OF_REPORTS = List.of(TABLE, JSON, YAML);

    public static OutputFormat of(Arguments arguments) {
        return arguments.has(CommonOptions.JSON)
                ? JSON
                : arguments
                        .find(CommonOptions.OUTPUT)
                        .map(name -> valueOf(name.toUpperCase(Locale.ROOT)))
                        .orElse(TABLE);
    }

    /// `--output` of a command that prints in these forms. Every start comes here (docs/decisions/0004).
    static OptionSpec option(List<OutputFormat> formats) {
        List<String> words = new ArrayList<>();
        StringBuilder help = new StringBuilder("output format: ");
        for (int i = 0; i < formats.size(); i++) {
            String word = formats.get(i).name().toLowerCase(Locale.ROOT);
            words.add(word);
            help.append(i == 0 ? "" : i + 1 < formats.size() ? ", " : " or ").append(word);
        }
        return OptionSpec.choice("output", "FORMAT", words, help.toString()).withLetter("o");
    }

    /// Reports whether it is a document for machines, rather than a table.
    public boolean isDocument() {
        return this == JSON || this == YAML;
    }
}
