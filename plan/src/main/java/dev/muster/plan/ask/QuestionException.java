// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import java.io.Serial;
import java.util.List;

/// A question that cannot be asked: a value out of range, or parameters that exclude each other. Parameters are named
/// as the caller knows them.
///
/// @since 0.2
public final class QuestionException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String PLACE = "{}";

    private final transient List<Object> arguments;
    private final String template;

    private QuestionException(String template, List<Object> arguments) {
        super(fill(template, arguments, Naming.KEYS), null);
        this.template = template;
        this.arguments = List.copyOf(arguments);
    }

    /// Creates an exception.
    ///
    /// @param template the sentence, with {@code {}} in the place of each argument
    /// @param arguments parameters and values
    public static QuestionException of(String template, Object... arguments) {
        return new QuestionException(template, List.of(arguments));
    }

    /// Returns the sentence with the names of an interface.
    public String sentence(Naming naming) {
        return fill(template, arguments, naming);
    }

    private static String fill(String template, List<Object> arguments, Naming naming) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (Object argument : arguments) {
            int place = template.indexOf(PLACE, from);
            text.append(template, from, place)
                    .append(argument instanceof Parameter<?> parameter ? naming.of(parameter) : argument);
            from = place + PLACE.length();
        }
        return text.append(template, from, template.length()).toString();
    }
}
