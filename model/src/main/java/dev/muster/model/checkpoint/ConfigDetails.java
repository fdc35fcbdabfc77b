// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The numbers of a configuration, for the formulas of families: a flag is 0 or 1, `null` is left out, a word is 1
/// under its key and itself (`hidden_act@silu`), a list is a list, one of words also a list of flags for each word
/// (`indexer_types@shared`), a fraction is in thousandths
/// (`qk_dim_factor@milli`), and parts have paths (`vision_config.depth`).
final class ConfigDetails {
    private static final int MAX_DEPTH = 4;
    private static final int MAX_DETAILS = 10_000;
    /// The most different words of a list that are told apart; kinds of layers are a few.
    private static final int MAX_WORDS = 8;

    private final ModelArchitecture.ArchitectureBuilder builder;
    private int count;

    private ConfigDetails(ModelArchitecture.ArchitectureBuilder builder) {
        this.builder = builder;
    }

    /// Adds the values of some objects; later objects override earlier ones.
    ///
    /// @param parts a configuration, and its text section
    /// @param defaults values to use if none of the objects has the key
    static void addTo(
            ModelArchitecture.ArchitectureBuilder builder, List<JsonObject> parts, Map<String, String> defaults) {
        ConfigDetails details = new ConfigDetails(builder);
        defaults.forEach((key, value) -> whole(value).ifPresent(number -> builder.detail(key, List.of(number))));
        for (JsonObject part : parts) {
            details.add("", part, parts, 0);
        }
    }

    private void add(String path, JsonObject object, List<JsonObject> parts, int depth) {
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
            if (++count > MAX_DETAILS) {
                return;
            }
            String name = path + member.getKey();
            switch (member.getValue()) {
                case JsonObject inner -> {
                    // The text section has no path.
                    if (depth < MAX_DEPTH && !parts.contains(inner)) {
                        add(name + ".", inner, parts, depth + 1);
                    }
                }
                case JsonArray(List<JsonValue> items) -> {
                    builder.detail(name, list(items));
                    addWords(name, items);
                }
                case JsonString(String word) -> builder.detail(name + "@" + word.replace('-', '_'), List.of(1L));
                case JsonNumber _, JsonBoolean _, JsonNull _ -> {
                    Optional<Long> number = number(member.getValue());
                    builder.detail(name, number.isPresent() ? List.of(number.get()) : List.of());
                    if (member.getValue() instanceof JsonNumber decimal) {
                        milli(decimal.text()).ifPresent(value -> builder.detail(name + "@milli", List.of(value)));
                    }
                }
            }
        }
    }

    private void addWords(String name, List<JsonValue> items) {
        Set<String> words = new LinkedHashSet<>();
        for (JsonValue item : items) {
            if (!(item instanceof JsonString(String word)) || (words.add(word) && words.size() > MAX_WORDS)) {
                return;
            }
        }
        for (String word : words) {
            List<Long> flags = new ArrayList<>();
            items.forEach(item -> flags.add(item.equals(new JsonString(word)) ? 1L : 0L));
            builder.detail(name + "@" + word, flags);
        }
    }

    private static List<Long> list(List<JsonValue> items) {
        List<Long> values = new ArrayList<>();
        for (JsonValue item : items) {
            values.add(number(item).orElse(1L));
        }
        return values;
    }

    private static Optional<Long> number(JsonValue value) {
        return switch (value) {
            case JsonBoolean(boolean flag) -> Optional.of(flag ? 1L : 0L);
            case JsonNumber number -> whole(number.text());
            case JsonObject _, JsonArray _, JsonString _, JsonNull _ -> Optional.empty();
        };
    }

    /// Returns a number of at most three decimals, in thousandths.
    private static Optional<Long> milli(String text) {
        int point = text.indexOf('.');
        int decimals = point < 0 ? 0 : text.length() - point - 1;
        return decimals > 3 || text.length() > 12
                ? Optional.empty()
                : whole(text.replace(".", "") + "0".repeat(3 - decimals));
    }

    /// Returns an integer, also if it is written as `4.0`.
    private static Optional<Long> whole(String text) {
        String digits = text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        int start = digits.startsWith("-") ? 1 : 0;
        if (digits.length() == start || digits.length() > 18) {
            return Optional.empty();
        }
        for (int at = start; at < digits.length(); at++) {
            if (digits.charAt(at) < '0' || digits.charAt(at) > '9') {
                return Optional.empty();
            }
        }
        return Optional.of(Long.parseLong(digits));
    }
}
