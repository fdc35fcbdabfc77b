// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli.option;

import dev.muster.report.text.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One option of a command. Parsing, help, completion and the man page all come from this.
///
/// @param name the long name without dashes
/// @param letter the short name, or null
/// @param value name of the value in help; null for an option without value
/// @param choices the values allowed; empty when any is
/// @param help one line on what it does
/// @param section heading of help that lists it
public record OptionSpec(
        String name,
        @Nullable String letter,
        @Nullable String value,
        List<String> choices,
        String help,
        String section) {
    private static final String OWN = "Options";

    public static OptionSpec flag(String name, String help) {
        return new OptionSpec(name, null, null, List.of(), help, OWN);
    }

    public static OptionSpec value(String name, String value, String help) {
        return new OptionSpec(name, null, value, List.of(), help, OWN);
    }

    public static OptionSpec choice(String name, String value, List<String> choices, String help) {
        return new OptionSpec(name, null, value, choices, help, OWN);
    }

    public OptionSpec withLetter(String shortName) {
        return new OptionSpec(name, shortName, value, choices, help, section);
    }

    /// Returns the option below another heading of help.
    public OptionSpec in(String heading) {
        return new OptionSpec(name, letter, value, choices, help, heading);
    }

    public boolean takesValue() {
        return value != null;
    }

    /// Reports whether it may be given several times; its values are kept with line ends between.
    boolean isRepeatable() {
        return value != null && value.endsWith("...");
    }

    public boolean takesFile() {
        return "FILE".equals(value) || "BUNDLE".equals(value);
    }

    /// Returns the complaint that a value is not what it should be.
    public UsageException isNot(String what, String text) {
        return new UsageException("--" + name + " is " + what + ", not '" + Printable.of(text) + "'");
    }

    /// Returns the option as help shows it: `-o, --output FORMAT`.
    public String synopsis() {
        String start = letter == null ? "    --" : "-" + letter + ", --";
        return start + name + (value == null ? "" : " " + value);
    }
}
