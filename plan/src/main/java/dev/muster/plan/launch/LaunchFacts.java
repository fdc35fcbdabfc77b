// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.ModelArchitecture;
import java.util.EnumMap;
import java.util.Optional;
import java.util.OptionalLong;

/// The facts of a plan, for templates of commands. Immutable.
record LaunchFacts(EnumMap<LaunchFact, String> values) {
    /// An empty set of facts.
    static final LaunchFacts NONE = new LaunchFacts(new EnumMap<>(LaunchFact.class));

    /// Returns a fact, if it is known.
    Optional<String> find(LaunchFact fact) {
        return Optional.ofNullable(values.get(fact));
    }

    /// Returns a number that must be known.
    int number(LaunchFact fact) {
        return find(fact)
                .map(Integer::parseInt)
                .orElseThrow(() -> new IllegalArgumentException("the plan does not say '" + fact.label() + "'"));
    }

    /// Returns a number, or a default if it is unknown.
    int number(LaunchFact fact, int otherwise) {
        return find(fact).map(Integer::parseInt).orElse(otherwise);
    }

    /// Returns a copy with a text.
    ///
    /// @throws IllegalArgumentException if it is blank, begins with a dash or has control characters, none of which
    /// a command line should carry; the message says which
    LaunchFacts with(LaunchFact fact, String text) {
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
        return withScript(fact, text);
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
        return withScript(fact, Long.toString(number));
    }

    /// Returns a copy with a text of several lines, generated here.
    LaunchFacts withScript(LaunchFact fact, String text) {
        EnumMap<LaunchFact, String> more = new EnumMap<>(values);
        more.put(fact, text);
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
