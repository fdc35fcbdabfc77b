package dev.muster.cli;

import java.util.Collection;
import java.util.Optional;

/// Words for the one that somebody probably meant.
final class NearestMatch {
    private NearestMatch() {}

    /// The candidate that takes the fewest changes, if they are few.
    static Optional<String> find(String word, Collection<String> candidates) {
        return dev.muster.core.text.NearestMatch.find(word, candidates);
    }

    /// What to add to a message about an unknown word.
    static String hint(String word, Collection<String> candidates, String prefix) {
        return find(word, candidates)
                .map(found -> "; did you mean " + prefix + found + "?")
                .orElse("");
    }

    /// The same, or all there are behind an introduction where nothing is near.
    static String hintOrAll(String word, Collection<String> candidates, String introduction) {
        String hint = hint(word, candidates, "");
        return hint.isEmpty() ? introduction + String.join(", ", candidates) : hint;
    }
}
