// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results.form;

import dev.muster.core.json.DocumentException;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The text of a file: its lines, and the JSON objects in it. Immutable.
///
/// @param lines lines, without terminal colours
/// @param items the objects of a JSON document or list, or of lines that are JSON; none in other texts
public record ResultText(List<String> lines, List<JsonValue> items) {
    /// More objects than any benchmark has requests.
    private static final int MAX_ITEMS = 2_000_000;

    private static final Pattern COLOUR = Pattern.compile("\u001B\\[[0-9;]*m");
    private static final Pattern STARTS_OBJECT = Pattern.compile("\\{\\s*[\"}]");
    private static final Pattern STARTS_LIST = Pattern.compile("\\[\\s*[{\\[\\]]");

    public ResultText {
        lines = List.copyOf(lines);
        items = List.copyOf(items);
    }

    /// Splits a text into lines and objects.
    ///
    /// @throws ResultsException if it is empty, or JSON that cannot be read
    public static ResultText of(String text) {
        String plain = COLOUR.matcher(text.startsWith("\uFEFF") ? text.substring(1) : text)
                .replaceAll("");
        if (plain.isBlank()) {
            throw ResultsException.of("the file is empty");
        }
        List<String> lines = plain.lines().toList();
        String start = plain.stripLeading();
        boolean isJson = STARTS_OBJECT.matcher(start).lookingAt()
                || STARTS_LIST.matcher(start).lookingAt();
        return new ResultText(lines, isJson ? items(plain, lines) : embedded(lines));
    }

    private static List<JsonValue> items(String text, List<String> lines) {
        List<String> filled = lines.stream().filter(line -> !line.isBlank()).toList();
        if (filled.size() > 1 && find(filled.getFirst()).isPresent()) {
            List<JsonValue> items = new ArrayList<>();
            for (int i = 0; i < filled.size(); i++) {
                addAll(items, parse(filled.get(i), "line " + (i + 1) + " of " + filled.size() + " "));
            }
            return items;
        }
        List<JsonValue> items = new ArrayList<>();
        addAll(items, parse(text, ""));
        return items;
    }

    private static void addAll(List<JsonValue> items, JsonValue value) {
        if (items.size() > MAX_ITEMS) {
            throw ResultsException.of("the file has more than " + MAX_ITEMS + " records; give a part of it");
        }
        if (value instanceof JsonArray(List<JsonValue> inner)) {
            items.addAll(inner);
        } else {
            items.add(value);
        }
    }

    /// Returns JSON among other lines: behind other output of a tool on the same terminal.
    private static List<JsonValue> embedded(List<String> lines) {
        List<JsonValue> items = new ArrayList<>();
        for (String line : lines) {
            if (STARTS_OBJECT.matcher(line.strip()).lookingAt()) {
                find(line.strip()).ifPresent(items::add);
            }
        }
        int first = firstOf(lines, "[", "{");
        int last = lastOf(lines, "]", "}");
        if (items.isEmpty() && first >= 0 && last > first) {
            find(String.join("\n", lines.subList(first, last + 1))).ifPresent(value -> addAll(items, value));
        }
        return items;
    }

    private static int firstOf(List<String> lines, String one, String other) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).strip().equals(one) || lines.get(i).strip().equals(other)) {
                return i;
            }
        }
        return -1;
    }

    private static int lastOf(List<String> lines, String one, String other) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).strip().equals(one) || lines.get(i).strip().equals(other)) {
                return i;
            }
        }
        return -1;
    }

    private static Optional<JsonValue> find(String text) {
        try {
            return Optional.of(JsonValue.parse(strict(text)));
        } catch (DocumentException _) {
            return Optional.empty();
        }
    }

    private static JsonValue parse(String text, String where) {
        try {
            return JsonValue.parse(strict(text));
        } catch (DocumentException e) {
            boolean isCut = !text.strip().endsWith("}") && !text.strip().endsWith("]");
            throw ResultsException.of(where + (isCut ? "is cut off: " : "is not valid JSON:  ") + e.getMessage());
        }
    }

    /// Returns the text with numbers for the `Infinity` and `NaN` of Python: an infinite rate stays one, as vLLM
    /// writes it.
    private static String strict(String text) {
        if (!text.contains("Infinity") && !text.contains("NaN")) {
            return text;
        }
        StringBuilder strict = new StringBuilder(text.length());
        boolean isInString = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (!isInString && text.startsWith("-Infinity", at)) {
                strict.append("null");
                at += "-Infinity".length() - 1;
            } else if (!isInString && text.startsWith("Infinity", at)) {
                strict.append("\"inf\"");
                at += "Infinity".length() - 1;
            } else if (!isInString && text.startsWith("NaN", at)) {
                strict.append("null");
                at += "NaN".length() - 1;
            } else {
                strict.append(c);
                if (isInString && c == '\\' && at + 1 < text.length()) {
                    strict.append(text.charAt(++at));
                } else if (c == '"') {
                    isInString = !isInString;
                }
            }
        }
        return strict.toString();
    }

    /// Returns the first object, or an empty one.
    public JsonValue first() {
        return items.isEmpty() ? JsonObject.builder().build() : items.getFirst();
    }

    public boolean holds(String text) {
        for (String line : lines) {
            if (line.contains(text)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the first line that is not blank.
    public String head() {
        for (String line : lines) {
            if (!line.isBlank()) {
                return line.strip();
            }
        }
        return "";
    }
}
