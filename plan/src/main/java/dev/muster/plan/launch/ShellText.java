package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Command lines of `sh`, one option a line.
final class ShellText {
    private static final String INDENT = "    ";

    private ShellText() {}

    /// A command over several lines.
    ///
    /// @param before what stands before the program, such as a variable
    static List<String> lines(String before, List<List<ShellWord>> command) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < command.size(); i++) {
            String end = i < command.size() - 1 ? " \\" : "";
            lines.add((i == 0 ? before : INDENT) + join(command.get(i), " ") + end);
        }
        return lines;
    }

    static String join(List<ShellWord> words, String separator) {
        return words.stream().map(ShellWord::quoted).collect(Collectors.joining(separator));
    }
}
