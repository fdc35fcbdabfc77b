package dev.muster.plan.launch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A text of a template: `{fact}` stands for a fact, `$NAME` for a variable of the shell that runs the
/// command. Only what stands in the template itself can be a variable; a fact never becomes one.
/// Immutable.
///
/// @param text as it stands in the template
record TemplateText(String text) {
    private static final Pattern SPECIAL = Pattern.compile("\\{(\\w+)}|\\$([A-Z][A-Z0-9_]*|@)");

    /// Facts that the text needs.
    List<LaunchFact> facts() {
        List<LaunchFact> facts = new ArrayList<>();
        Matcher matcher = SPECIAL.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1) != null) {
                facts.add(require(matcher.group(1)));
            }
        }
        return facts;
    }

    static LaunchFact require(String label) {
        return LaunchFact.find(label)
                .orElseThrow(() -> new IllegalArgumentException("templates know no fact '" + label + "'"));
    }

    /// The text as a word of the shell, unless a fact is not known.
    Optional<ShellWord> word(LaunchFacts facts) {
        List<ShellWord.Part> parts = new ArrayList<>();
        Matcher matcher = SPECIAL.matcher(text);
        int at = 0;
        while (matcher.find()) {
            parts.add(new ShellWord.Literal(text.substring(at, matcher.start())));
            at = matcher.end();
            if (matcher.group(1) == null) {
                parts.add(new ShellWord.Variable(matcher.group(2)));
                continue;
            }
            Optional<String> value = facts.find(require(matcher.group(1)));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            parts.add(new ShellWord.Literal(value.get()));
        }
        parts.add(new ShellWord.Literal(text.substring(at)));
        return Optional.of(new ShellWord(parts));
    }

    /// The text with its facts, unless one is not known; dollars stay as they are.
    Optional<String> fill(LaunchFacts facts) {
        return word(facts).map(ShellWord::plain);
    }
}
