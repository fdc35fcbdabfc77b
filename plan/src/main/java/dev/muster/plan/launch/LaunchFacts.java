package dev.muster.plan.launch;

import dev.muster.plan.model.ModelArchitecture;
import dev.muster.plan.model.ModelDimension;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// What is known of a plan, by name, for templates of commands. Immutable.
///
/// @since 0.1
final class LaunchFacts {
    private final Map<LaunchFact, String> values;

    private LaunchFacts(Map<LaunchFact, String> values) {
        this.values = values;
    }

    /// Starts without any fact.
    public static Builder builder() {
        return new Builder(new EnumMap<>(LaunchFact.class));
    }

    /// The same with room for changes.
    public Builder toBuilder() {
        return new Builder(new EnumMap<>(values));
    }

    /// A fact, unless it is not known.
    public Optional<String> find(LaunchFact fact) {
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

    /// Puts facts together. Confined to one thread.
    public static final class Builder {
        private final Map<LaunchFact, String> values;

        private Builder(Map<LaunchFact, String> values) {
            this.values = values;
        }

        /// Adds a text.
        ///
        /// @throws IllegalArgumentException if it is blank, begins with a dash or has control
        ///     characters, none of which a command line should carry; the message says which
        public Builder put(LaunchFact fact, String text) {
            if (text.isBlank()) {
                throw new IllegalArgumentException("the " + fact.label() + " is blank");
            }
            if (text.startsWith("-")) {
                throw new IllegalArgumentException(
                        "the " + fact.label() + " begins with a dash, as options do; write ./ before it");
            }
            if (text.codePoints().anyMatch(Builder::breaksLines)) {
                throw new IllegalArgumentException(
                        "the " + fact.label() + " has control characters, which no command line should carry");
            }
            values.put(fact, text);
            return this;
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

        /// Adds a number.
        public Builder put(LaunchFact fact, long number) {
            values.put(fact, Long.toString(number));
            return this;
        }

        /// Adds a text of several lines, made here.
        Builder putScript(LaunchFact fact, String text) {
            values.put(fact, text);
            return this;
        }

        /// Adds what is known of how a model is built.
        public Builder architecture(ModelArchitecture architecture) {
            put(LaunchFact.EXPERTS, architecture.find(ModelDimension.EXPERTS).orElse(0));
            put(architecture, ModelDimension.ACTIVE_EXPERTS, LaunchFact.ACTIVE_EXPERTS);
            put(architecture, ModelDimension.LAYERS, LaunchFact.LAYERS);
            put(architecture, ModelDimension.HIDDEN_SIZE, LaunchFact.HIDDEN);
            put(architecture, ModelDimension.HEADS, LaunchFact.HEADS);
            if (!architecture.hasLatentAttention()) {
                put(architecture, ModelDimension.KV_HEADS, LaunchFact.KV_HEADS);
            }
            put(architecture, ModelDimension.FEED_FORWARD_SIZE, LaunchFact.FEED_FORWARD);
            architecture.find(ModelDimension.LAYERS).ifPresent(layers -> put(LaunchFact.OFFLOADED_LAYERS, layers + 1));
            return this;
        }

        private void put(ModelArchitecture architecture, ModelDimension dimension, LaunchFact fact) {
            architecture.find(dimension).ifPresent(number -> put(fact, number));
        }

        /// The facts.
        public LaunchFacts build() {
            return new LaunchFacts(new EnumMap<>(values));
        }
    }
}
