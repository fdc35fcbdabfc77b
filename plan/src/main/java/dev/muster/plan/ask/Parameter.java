// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.model.PlanException;
import java.util.List;

/// A parameter of questions: its name in JSON and on the command line, its values, its default and its description.
/// Options, request bodies, API descriptions, forms, completion and help are made of it. Immutable.
///
/// @param <T> the type of its values
/// @since 0.2
public final class Parameter<T> {
    private static final int MAX_SHOWN = 80;

    private final String key;
    private final String option;
    private final String placeholder;
    private final String help;
    private final String usual;
    private final Grammar<T> grammar;

    private Parameter(String key, String option, String placeholder, Grammar<T> grammar, String help, String usual) {
        this.key = key;
        this.option = option;
        this.placeholder = placeholder;
        this.grammar = grammar;
        this.help = help;
        this.usual = usual;
    }

    /// Creates a parameter with a value.
    ///
    /// @param placeholder the name of the value in help
    /// @param help a noun phrase with the unit
    /// @param usual the default in words; empty for none
    static <T> Parameter<T> of(
            String key, String option, String placeholder, Grammar<T> grammar, String help, String usual) {
        return new Parameter<>(key, option, placeholder, grammar, help, usual);
    }

    /// Creates a parameter whose values are operands of a command, such as the machines of a comparison.
    ///
    /// @param placeholder the name of the operands in help
    static <T> Parameter<T> operand(String key, String placeholder, Grammar<T> grammar, String help) {
        return new Parameter<>(key, "", placeholder, grammar, help, "");
    }

    /// Creates a parameter that is on or off.
    static Parameter<Boolean> flag(String key, String option, String help) {
        return new Parameter<>(key, option, "", Grammars.FLAG, help, "");
    }

    /// Returns the key in JSON, such as `maxTtftSeconds`.
    public String key() {
        return key;
    }

    /// Returns the name of the option without dashes, such as `max-ttft`; empty for operands.
    public String option() {
        return option;
    }

    /// Returns the name of the value in help, such as `TIME`; empty for a flag.
    public String placeholder() {
        return placeholder;
    }

    /// Returns the description with the default in parentheses.
    public String help() {
        return usual.isEmpty() ? help : help + " (default: " + usual + ")";
    }

    /// Returns the only values allowed; empty where there are others.
    public List<String> choices() {
        return grammar.choices();
    }

    /// Reports whether the parameter is on or off.
    public boolean isFlag() {
        return placeholder.isEmpty();
    }

    /// Reports whether its values are operands of a command rather than those of an option.
    public boolean isOperand() {
        return option.isEmpty();
    }

    /// Reports whether its option names a file with the value.
    public boolean isFile() {
        return grammar.isFile();
    }

    /// Reads the text of an option, or the content of the file that it names.
    ///
    /// @throws QuestionException if the text does not have the form
    public T parse(String text) {
        try {
            return grammar.parse(text);
        } catch (IllegalArgumentException | PlanException e) {
            throw refusal(isFile() ? "" : ", not '" + shown(text) + "'", e);
        }
    }

    /// Reads a JSON value.
    ///
    /// @throws QuestionException if the value does not have the form
    public T read(JsonValue value) {
        try {
            return grammar.read(value);
        } catch (IllegalArgumentException | PlanException e) {
            throw refusal("", e);
        }
    }

    /// Returns the text of the option for a value.
    public String text(T value) {
        return grammar.text(value);
    }

    /// Returns the JSON form of a value.
    public JsonValue json(T value) {
        return grammar.json(value);
    }

    /// Returns the JSON Schema of the value, with the description.
    public JsonObject schema() {
        JsonObject.ObjectBuilder schema = JsonObject.builder();
        grammar.describe(schema);
        return schema.put("description", help()).build();
    }

    private QuestionException refusal(String given, RuntimeException cause) {
        String said = cause.getMessage();
        return said == null || said.isEmpty() || cause instanceof NumberFormatException
                ? QuestionException.of("{} must be {}{}", this, grammar.form(), given)
                : QuestionException.of("{}: {}", this, said);
    }

    private static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(MAX_SHOWN).forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return shown.toString();
    }

    @Override
    public String toString() {
        return key;
    }
}
