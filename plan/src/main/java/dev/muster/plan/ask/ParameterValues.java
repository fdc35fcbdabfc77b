// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Values of parameters, as a caller gave them. Immutable.
///
/// @since 0.2
public final class ParameterValues {
    /// No values: all defaults.
    public static final ParameterValues NONE = new ParameterValues(Map.of());

    private static final int LONGEST_KEY = 40;
    private static final int DELETE = 0x7F;

    private final Map<Parameter<?>, Object> values;

    private ParameterValues(Map<Parameter<?>, Object> values) {
        this.values = values;
    }

    /// Returns these values and another.
    public <T> ParameterValues with(Parameter<T> parameter, T value) {
        Map<Parameter<?>, Object> more = new LinkedHashMap<>(values);
        more.put(parameter, value);
        return new ParameterValues(more);
    }

    /// Reads the options of a command.
    ///
    /// @param parameters those that the command has
    /// @param option finds the text of an option; the content of the file where the parameter is one
    /// @throws QuestionException if a text does not have the form of its parameter
    public static ParameterValues parse(
            List<Parameter<?>> parameters, Function<Parameter<?>, Optional<String>> option) {
        Map<Parameter<?>, Object> values = new LinkedHashMap<>();
        for (Parameter<?> parameter : parameters) {
            Optional<String> text = parameter.isOperand() ? Optional.empty() : option.apply(parameter);
            if (text.isPresent()) {
                values.put(parameter, parameter.parse(text.get()));
            }
        }
        return new ParameterValues(values);
    }

    /// Reads the members of a JSON object.
    ///
    /// @param parameters those that the question has
    /// @param others keys that are read elsewhere
    /// @throws QuestionException if a key is unknown, or a value does not have the form of its parameter
    public static ParameterValues read(List<Parameter<?>> parameters, JsonObject object, List<String> others) {
        Map<Parameter<?>, Object> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            if (others.contains(member.getKey())) {
                continue;
            }
            Parameter<?> parameter = parameters.stream()
                    .filter(one -> one.key().equals(member.getKey()))
                    .findFirst()
                    .orElseThrow(() -> unknown(member.getKey(), parameters, others));
            Object value = parameter.read(member.getValue());
            if (!Boolean.FALSE.equals(value)) {
                values.put(parameter, value);
            }
        }
        return new ParameterValues(values);
    }

    private static QuestionException unknown(String key, List<Parameter<?>> parameters, List<String> others) {
        List<String> keys = new ArrayList<>(others);
        parameters.forEach(one -> keys.add(one.key()));
        return QuestionException.of(
                "unknown key{}; known keys: {}",
                isWord(key) ? " '" + key + "'" : "",
                String.join(", ", keys.stream().sorted().toList()));
    }

    /// Reports whether a key of a client is short and plain enough for a message.
    private static boolean isWord(String key) {
        return key.length() <= LONGEST_KEY && key.chars().allMatch(c -> c > ' ' && c < DELETE && c != '\'');
    }

    /// Returns the value of a parameter, if it was given.
    @SuppressWarnings("unchecked") // with and parse put what the parameter reads
    public <T> Optional<T> find(Parameter<T> parameter) {
        return Optional.ofNullable((T) values.get(parameter));
    }

    /// Reports whether a parameter was given.
    public boolean has(Parameter<?> parameter) {
        return values.containsKey(parameter);
    }

    /// Reports whether one of some parameters was given.
    public boolean hasAny(List<? extends Parameter<?>> parameters) {
        for (Parameter<?> one : parameters) {
            if (has(one)) {
                return true;
            }
        }
        return false;
    }

    /// Refuses parameters that do not go with others.
    ///
    /// @param parameters the parameters
    /// @param reason the sentence in front, whose last places are filled by `arguments`
    /// @throws QuestionException if one of them was given
    public void refuse(List<? extends Parameter<?>> parameters, String reason, Object... arguments) {
        for (Parameter<?> one : parameters) {
            if (has(one)) {
                List<Object> all = new ArrayList<>(List.of(arguments));
                all.addFirst(one);
                throw QuestionException.of("{} does not apply: " + reason, all.toArray());
            }
        }
    }

    /// Returns the values as the members of a JSON object.
    public JsonObject toJson() {
        JsonObject.ObjectBuilder object = JsonObject.builder();
        values.forEach((parameter, value) -> object.put(parameter.key(), json(parameter, value)));
        return object.build();
    }

    /// Returns the values as options of the command line. Parameters that are files or operands are left out.
    public List<String> toOptions() {
        List<String> words = new ArrayList<>();
        values.forEach((parameter, value) -> {
            if (!parameter.isFile() && !parameter.isOperand()) {
                words.add("--" + parameter.option());
                if (!parameter.isFlag()) {
                    words.add(text(parameter, value));
                }
            }
        });
        return words;
    }

    @SuppressWarnings("unchecked") // with and parse put what the parameter reads
    private static <T> JsonValue json(Parameter<T> parameter, Object value) {
        return parameter.json((T) value);
    }

    @SuppressWarnings("unchecked") // with and parse put what the parameter reads
    private static <T> String text(Parameter<T> parameter, Object value) {
        return parameter.text((T) value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ParameterValues that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return toJson().toText();
    }
}
