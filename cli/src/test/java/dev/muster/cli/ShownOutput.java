// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The output of a command as a page shows it: whole lines, `...` for lines that it leaves out, and ` ...` at the end
/// of a line for the rest of it.
///
/// @param lines the lines between a command and the next
record ShownOutput(List<String> lines) {
    private static final String LEFT_OUT = "...";
    private static final String CUT = " ...";

    /// Reports whether an output is the one shown. Nothing is left out silently.
    boolean matches(List<String> output) {
        String pattern = lines.stream()
                .map(line -> line.equals(LEFT_OUT) ? "(?:.*\n)*?" : patternOf(line) + "\n")
                .collect(Collectors.joining());
        return Pattern.matches(pattern, output.stream().map(line -> line + "\n").collect(Collectors.joining()));
    }

    private static String patternOf(String line) {
        return line.endsWith(CUT)
                ? Pattern.quote(line.substring(0, line.length() - CUT.length())) + ".*"
                : Pattern.quote(line);
    }

    /// The same lines of another output: for each the one most like it, in the same order. Empty lines are shown where
    /// there is nothing else between.
    ///
    /// @throws AssertionError if there are fewer lines now than are shown, or one has nothing in common with any
    ShownOutput of(List<String> output) {
        List<String> kept = lines.stream()
                .filter(line -> !line.equals(LEFT_OUT) && !line.isEmpty())
                .toList();
        List<String> renewed = new ArrayList<>();
        List<Integer> places = places(kept, output);
        int next = 0;
        for (int i = 0; i < kept.size(); i++) {
            int place = places.get(i);
            renewed.addAll(between(output.subList(next, place)));
            renewed.add(cutAs(kept.get(i), output.get(place)));
            next = place + 1;
        }
        renewed.addAll(between(output.subList(next, output.size())));
        return new ShownOutput(renewed);
    }

    private static List<String> between(List<String> lines) {
        return lines.stream().allMatch(String::isEmpty) ? lines : List.of(LEFT_OUT);
    }

    private static String cutAs(String shown, String line) {
        int end = shown.length() - CUT.length();
        return shown.endsWith(CUT) && line.length() > end
                ? line.substring(0, end).stripTrailing() + CUT
                : line;
    }

    /// Positions of lines in an output where they are, together, most similar to it.
    private static List<Integer> places(List<String> shown, List<String> output) {
        double[][] best = new double[shown.size() + 1][output.size() + 1];
        for (int i = 1; i <= shown.size(); i++) {
            best[i][0] = Double.NEGATIVE_INFINITY;
            for (int j = 1; j <= output.size(); j++) {
                best[i][j] =
                        Math.max(best[i][j - 1], best[i - 1][j - 1] + likeness(shown.get(i - 1), output.get(j - 1)));
            }
        }
        List<Integer> places = new ArrayList<>();
        int j = output.size();
        for (int i = shown.size(); i > 0; i--) {
            while (j > 0 && best[i][j] == best[i][j - 1]) {
                j--;
            }
            if (j == 0 || likeness(shown.get(i - 1), output.get(j - 1)) == 0) {
                throw new AssertionError(
                        "no line like '" + shown.get(i - 1) + "' is left of\n" + String.join("\n", output));
            }
            places.addFirst(--j);
        }
        return places;
    }

    /// The share of words that a shown line has in common with another, and more where they begin with the same.
    private static double likeness(String one, String other) {
        if (Pattern.matches(patternOf(one), other)) {
            return 3;
        }
        List<String> words = List.of(one.strip().split("\\s+"));
        List<String> others = List.of(other.strip().split("\\s+"));
        Set<String> common = new HashSet<>(words);
        common.retainAll(others);
        return (double) common.size() / Math.max(words.size(), others.size())
                + (words.getFirst().equals(others.getFirst()) ? 1 : 0);
    }
}
