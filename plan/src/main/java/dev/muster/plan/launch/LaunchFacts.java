// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.launch;

import dev.muster.model.ModelArchitecture;
import java.util.EnumMap;
import java.util.Optional;
import java.util.OptionalLong;

/// What is known of a plan, by name, for templates of commands. Immutable.
record LaunchFacts(EnumMap<LaunchFact, String> values) {
    /// Without any fact.
    static final LaunchFacts NONE = new LaunchFacts(new EnumMap<>(LaunchFact.class));

    /// A fact, unless it is not known.
    Optional<String> find(LaunchFact fact) {
        return Optional.ofNullable(values.get(fact));
    }

    /// A number that has to be known.
    int number(LaunchFact fact) {
        return find(fact)
                .map(Integer::parseInt)
                .orElseThrow(() -> new IllegalArgumentException("the plan does not say '" + fact.label() + "'"));
    }

    /// A number, or another where it is not known.
    int number(LaunchFact fact, int otherwise) {
        return find(fact).map(Integer::parseInt).orElse(otherwise);
    }

    /// The same with a text.
    ///
    /// @throws IllegalArgumentException if it is blank, begins with a dash or has control characters, none of
    ///     which a command line should carry; the message says which
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

    /// What ends a line for some reader, or makes text look like another.
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

    /// The same with a number.
    LaunchFacts with(LaunchFact fact, long number) {
        return withScript(fact, Long.toString(number));
    }

    /// The same with a text of several lines, made here.
    LaunchFacts withScript(LaunchFact fact, String text) {
        EnumMap<LaunchFact, String> more = new EnumMap<>(values);
        more.put(fact, text);
        return new LaunchFacts(more);
    }

    /// The same with what is known of how a model is built.
    LaunchFacts withArchitecture(ModelArchitecture architecture) {
        return ArchitectureFacts.add(this, architecture);
    }

    /// The same with a number, where it is known.
    LaunchFacts withKnown(LaunchFact fact, OptionalLong number) {
        return number.isPresent() ? with(fact, number.getAsLong()) : this;
    }
}
