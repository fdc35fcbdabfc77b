package dev.muster.plan.catalogue;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Makes names comparable: the same words mean the same device, whoever wrote them and in whatever order.
final class DeviceName {
    /// Words that some sources add and others leave out.
    private static final Set<String> NOISE = Set.of(
            "nvidia",
            "amd",
            "intel",
            "apple",
            "google",
            "aws",
            "corporation",
            "graphics",
            "gpu",
            "tesla",
            "geforce",
            "instinct",
            "radeon",
            "edition",
            "generation");

    private static final int MAX_NAME = 200;

    private DeviceName() {}

    /// The words that matter, sorted, with a blank between; no text at all when none matters.
    static String key(String name) {
        return String.join(" ", words(name).stream().sorted().toList());
    }

    /// The words that matter, in their order.
    static List<String> words(String name) {
        String lower = withoutParentheses(name).toLowerCase(Locale.ROOT);
        String[] words = lower.substring(0, Math.min(MAX_NAME, lower.length())).split("[^a-z0-9]+");
        return Arrays.stream(words)
                .filter(word -> !word.isEmpty() && !NOISE.contains(word))
                .toList();
    }

    /// In parentheses stand trade marks, code names and how much of the chip works.
    private static String withoutParentheses(String name) {
        StringBuilder kept = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character == '(') {
                depth++;
                kept.append(' ');
            } else if (character == ')') {
                depth = Math.max(0, depth - 1);
            } else if (depth == 0) {
                kept.append(character);
            }
        }
        return kept.toString();
    }
}
