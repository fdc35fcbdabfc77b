// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.sentence;

import dev.muster.model.memory.WeightFormat;
import dev.muster.plan.ask.Naming;
import dev.muster.plan.ask.QuestionKind;
import dev.muster.plan.serving.ServingEngine;
import dev.muster.plan.serving.ServingGoal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Text with values and the names of parameters: `{0}` is the first value, `<engine>` the parameter with that key.
///
/// @param naming the names of parameters
record NamedText(Naming naming) {
    private static final Pattern KEY = Pattern.compile("<([a-zA-Z]+)>");

    String fill(String template, List<?> values) {
        StringBuilder text = new StringBuilder();
        int from = 0;
        for (int at = template.indexOf('{'); at >= 0; at = template.indexOf('{', from)) {
            int end = template.indexOf('}', at);
            int value = Integer.parseInt(template.substring(at + 1, end));
            text.append(named(template.substring(from, at))).append(display(values.get(value)));
            from = end + 1;
        }
        return text.append(named(template.substring(from))).toString();
    }

    String named(String text) {
        return KEY.matcher(text)
                .replaceAll(match ->
                        Matcher.quoteReplacement(parameter(match.group(1)).orElse(match.group())));
    }

    /// Returns text for the command line alone, or another.
    String option(String options, String otherwise) {
        return naming == Naming.OPTIONS ? options : otherwise;
    }

    private Optional<String> parameter(String key) {
        return Stream.of(QuestionKind.values())
                .flatMap(kind -> kind.parameters().stream())
                .filter(parameter -> parameter.key().equals(key))
                .findFirst()
                .map(naming::of);
    }

    private static String display(Object value) {
        return switch (value) {
            case WeightFormat format -> format.label();
            case ServingEngine engine -> engine.display();
            case ServingGoal goal -> goal.display();
            case List<?> list ->
                String.join(", ", list.stream().map(NamedText::display).toList());
            default -> String.valueOf(value);
        };
    }
}
