// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/// Lines of the form `key: value`, as reports have them. Case and blanks of keys do not count, and of equal keys the
/// first does. Immutable.
///
/// @param values by key, in lower case
public record KeyedLines(Map<String, String> values) {
    /// Longer keys are sentences.
    private static final int LONGEST_KEY = 120;

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    public KeyedLines {
        values = Map.copyOf(values);
    }

    public static KeyedLines of(List<String> lines) {
        Map<String, String> values = new HashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            if (colon > 0 && colon <= LONGEST_KEY) {
                values.putIfAbsent(
                        key(line.substring(0, colon)), line.substring(colon + 1).strip());
            }
        }
        return new KeyedLines(values);
    }

    private static String key(String text) {
        return BLANKS.matcher(text.strip()).replaceAll(" ").toLowerCase(Locale.ROOT);
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(key(name))).filter(text -> !text.isBlank());
    }

    public OptionalDouble number(String name) {
        return text(name).map(Numbers::find).orElse(OptionalDouble.empty());
    }

    /// Returns the first of some names that has a number.
    public OptionalDouble firstNumber(String... names) {
        for (String name : names) {
            OptionalDouble found = number(name);
            if (found.isPresent()) {
                return found;
            }
        }
        return OptionalDouble.empty();
    }
}
