// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The facts of a plan, for templates of commands. Immutable.
///
/// @param values numbers as `Long`, lists of names as `List`, what has a type of its own in that type, texts
record LaunchFacts(Map<LaunchFact, Object> values) {
    /// An empty set of facts.
    static final LaunchFacts NONE = new LaunchFacts(Map.of());

    LaunchFacts {
        Map<LaunchFact, Object> copy = new EnumMap<>(LaunchFact.class);
        copy.putAll(values);
        values = Collections.unmodifiableMap(copy);
    }

    /// Returns a fact as templates write it, if it is known.
    Optional<String> find(LaunchFact fact) {
        return Optional.ofNullable(values.get(fact)).map(LaunchFacts::text);
    }

    private static String text(Object value) {
        return switch (value) {
            case LaunchTarget.LaunchKind kind -> kind.label();
            case LaunchTarget target -> target.label();
            case List<?> names ->
                String.join(",", names.stream().map(String::valueOf).toList());
            default -> value.toString();
        };
    }

    /// Returns the purpose, if it is known.
    Optional<LaunchTarget.LaunchKind> findPurpose() {
        return find(LaunchFact.PURPOSE, LaunchTarget.LaunchKind.class);
    }

    /// Returns the target that starts the script; empty if nothing does.
    Optional<LaunchTarget> findWrapper() {
        return find(LaunchFact.WRAPPER, LaunchTarget.class);
    }

    /// Returns the names of a list, if it is known.
    Optional<List<String>> findNames(LaunchFact fact) {
        return find(fact, List.class).map(names -> {
            List<String> texts = new ArrayList<>();
            for (Object name : names) {
                texts.add(name.toString());
            }
            return texts;
        });
    }

    private <T> Optional<T> find(LaunchFact fact, Class<T> type) {
        return Optional.ofNullable(values.get(fact)).filter(type::isInstance).map(type::cast);
    }

    /// Returns a number that must be known.
    int number(LaunchFact fact) {
        return find(fact, Long.class)
                .map(Math::toIntExact)
                .orElseThrow(() -> new IllegalArgumentException("the plan does not say '" + fact.label() + "'"));
    }

    /// Returns a number, or a default if it is unknown.
    int number(LaunchFact fact, int otherwise) {
        return find(fact, Long.class).map(Math::toIntExact).orElse(otherwise);
    }

    /// Returns a copy with a text.
    ///
    /// @throws IllegalArgumentException if it is blank, begins with a dash or has control characters, none of which
    /// a command line should carry; the message says which
    LaunchFacts with(LaunchFact fact, String text) {
        checkWord(fact, text);
        return withScript(fact, text);
    }

    private static void checkWord(LaunchFact fact, String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("the " + fact.label() + " is blank");
        }
        if (text.startsWith("-")) {
            throw new IllegalArgumentException(
                    "the " + fact.label() + " begins with a dash, as options do; write ./ before it");
        }
        if (text.codePoints().anyMatch(LaunchFacts::breaksLines)) {
            throw new IllegalArgumentException(
                    "the " + fact.label() + " has control characters, which no command line should carry");
        }
    }

    /// Reports whether a character ends a line for some reader, or makes text look like another.
    private static boolean breaksLines(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    LaunchFacts with(LaunchFact fact, long number) {
        return withValue(fact, number);
    }

    LaunchFacts with(LaunchTarget.LaunchKind purpose) {
        return withValue(LaunchFact.PURPOSE, purpose);
    }

    LaunchFacts withWrapper(LaunchTarget target) {
        return withValue(LaunchFact.WRAPPER, target);
    }

    /// Returns a copy with a list of names.
    ///
    /// @throws IllegalArgumentException if one is nothing for a command line
    LaunchFacts with(LaunchFact fact, List<String> names) {
        names.forEach(name -> checkWord(fact, name));
        return withValue(fact, List.copyOf(names));
    }

    /// Returns a copy with a text of several lines, generated here.
    LaunchFacts withScript(LaunchFact fact, String text) {
        return withValue(fact, text);
    }

    private LaunchFacts withValue(LaunchFact fact, Object value) {
        Map<LaunchFact, Object> more = new EnumMap<>(LaunchFact.class);
        more.putAll(values);
        more.put(fact, value);
        return new LaunchFacts(more);
    }

    LaunchFacts withArchitecture(ModelArchitecture architecture) {
        return ArchitectureFacts.add(this, architecture);
    }

    /// Returns a copy with a number, if it is known.
    LaunchFacts withKnown(LaunchFact fact, OptionalLong number) {
        return number.isPresent() ? with(fact, number.getAsLong()) : this;
    }
}
