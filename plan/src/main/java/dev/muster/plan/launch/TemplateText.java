// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A text of a template: `{fact}` stands for a fact, `$NAME` for a variable of the shell that runs the command. Only
/// the template's own text can contain variables; a fact never becomes one. Immutable.
///
/// @param text as it stands in the template
record TemplateText(String text) {
    private static final Pattern SPECIAL = Pattern.compile("\\{(\\w+)}|\\$([A-Z][A-Z0-9_]*|@)");

    /// Checks that all facts in it exist.
    ///
    /// @throws IllegalArgumentException if one is not
    void checkFacts() {
        Matcher matcher = SPECIAL.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1) != null) {
                require(matcher.group(1));
            }
        }
    }

    static LaunchFact require(String label) {
        return LaunchFact.find(label)
                .orElseThrow(() -> new IllegalArgumentException("unknown fact in a template: '" + label + "'"));
    }

    /// Returns the text as a word of the shell, unless a fact is unknown.
    Optional<ShellWord> word(LaunchFacts facts) {
        StringBuilder plain = new StringBuilder();
        StringBuilder quoted = new StringBuilder();
        Matcher matcher = SPECIAL.matcher(text);
        int at = 0;
        while (matcher.find()) {
            String before = text.substring(at, matcher.start());
            at = matcher.end();
            plain.append(before);
            quoted.append(ShellWord.quote(before));
            if (matcher.group(1) == null) {
                plain.append('$').append(matcher.group(2));
                quoted.append("\"$").append(matcher.group(2)).append('"');
                continue;
            }
            Optional<String> value = facts.find(require(matcher.group(1)));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            plain.append(value.get());
            quoted.append(ShellWord.quote(value.get()));
        }
        plain.append(text, at, text.length());
        quoted.append(ShellWord.quote(text.substring(at)));
        return Optional.of(new ShellWord(plain.toString(), quoted.isEmpty() ? "''" : quoted.toString()));
    }

    /// Returns the text with its facts, unless one is unknown; dollars stay as they are.
    Optional<String> fill(LaunchFacts facts) {
        return word(facts).map(ShellWord::plain);
    }
}
