// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;

/// One word of a command line of `sh`: quoted so that the shell passes it on unchanged, apart from variables.
/// Immutable.
///
/// @param plain the word without quotes
/// @param quoted the word as it stands in a script
record ShellWord(String plain, String quoted) {
    /// Characters without a special meaning in any shell.
    private static final String HARMLESS = "[A-Za-z0-9_./:=,@%+-]*";

    private static final String INDENT = "    ";

    static ShellWord of(String text) {
        return new ShellWord(text, text.isEmpty() ? "''" : quote(text));
    }

    /// Quotes a text in single quotes, in which only the quote itself is special: it is closed, escaped and opened
    /// again.
    static String quote(String text) {
        return text.matches(HARMLESS) ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /// Returns a command over several lines, one option a line.
    ///
    /// @param before text before the program, such as a variable
    static List<String> lines(String before, List<List<ShellWord>> command) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < command.size(); i++) {
            String end = i < command.size() - 1 ? " \\" : "";
            lines.add((i == 0 ? before : INDENT) + join(command.get(i), " ") + end);
        }
        return lines;
    }

    static String join(List<ShellWord> words, String separator) {
        return String.join(separator, words.stream().map(ShellWord::quoted).toList());
    }
}
