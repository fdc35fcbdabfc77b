// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.ask;

import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import dev.muster.plan.serving.Speculation;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The forms of values that parameters have.
final class Grammars {
    static final Grammar<Boolean> FLAG = new Flag();
    private static final int FEW = 8;
    private static final int MAX_DIGITS = 12;

    private Grammars() {}

    /// Creates an integer in a range, both ends included.
    static Grammar<Integer> whole(int least, int most) {
        return new Whole(least, most);
    }

    /// Creates a decimal number above a bound and up to another.
    ///
    /// @param unit the unit for people, with an example, as in "GB/s, such as 50"
    static Grammar<Double> decimal(double above, double most, String unit) {
        return new Decimal(above, false, most, unit, List.of());
    }

    /// Creates a share from 0 to 1, both included.
    static Grammar<Double> share() {
        return new Decimal(0, true, 1, "", List.of());
    }

    /// Creates a decimal number that may end in one of some suffixes.
    static Grammar<Double> decimal(double above, double most, String unit, List<Suffix> suffixes) {
        return new Decimal(above, false, most, unit, suffixes);
    }

    /// Creates a time in a range, both ends included.
    static Grammar<Duration> time(Duration least, Duration most) {
        return new Time(least, most);
    }

    static <T> Grammar<T> choice(List<T> values, Function<T, String> label) {
        return new Choice<>(values, label);
    }

    /// Creates a list of up to eight values; commas separate them in an option.
    static <T> Grammar<List<T>> list(Grammar<T> item) {
        return list(item, FEW);
    }

    /// Creates a list of up to so many values; commas separate them in an option.
    static <T> Grammar<List<T>> list(Grammar<T> item, int most) {
        return new Listed<>(item, most);
    }

    /// Creates a text that a parser reads.
    ///
    /// @param form describes the texts, with an example
    static <T> Grammar<T> text(String form, Function<String, T> parser, Function<T, String> printer) {
        return new Text<>(form, parser, printer, false);
    }

    /// Creates a text that is the content of a file.
    static <T> Grammar<T> file(String form, Function<String, T> parser) {
        return new Text<>(form, parser, value -> "", true);
    }

    /// Reads a decimal number without sign or exponent.
    static Optional<Double> plain(String text) {
        boolean hasDot = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isDot = c == '.' && !hasDot && i > 0 && i < text.length() - 1;
            if (!isDot && (c < '0' || c > '9')) {
                return Optional.empty();
            }
            hasDot |= isDot;
        }
        return text.isEmpty() || text.length() > MAX_DIGITS ? Optional.empty() : Optional.of(Double.parseDouble(text));
    }

    /// Returns a number without an exponent or trailing zeros.
    static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /// Reads draft tokens and their acceptance rate, such as `3:0.7`.
    static Speculation speculation(String text) {
        int colon = text.indexOf(':');
        int draft = Integer.parseInt(text.substring(0, Math.max(0, colon)));
        if (draft < 1) {
            throw new IllegalArgumentException("");
        }
        return new Speculation(draft, plain(text.substring(colon + 1)).orElse(-1.0));
    }

    static String plain(Speculation speculation) {
        return speculation.draft() + ":" + plain(speculation.acceptance());
    }

    /// A suffix of a number.
    ///
    /// @param text the suffix, such as `B` or `/s`
    /// @param factor the number that it stands for
    record Suffix(String text, double factor) {}

    private static IllegalArgumentException refused() {
        return new IllegalArgumentException("");
    }

    private record Flag() implements Grammar<Boolean> {
        @Override
        public Boolean parse(String text) {
            return true;
        }

        @Override
        public Boolean read(JsonValue value) {
            if (value instanceof JsonBoolean(boolean truth)) {
                return truth;
            }
            throw refused();
        }

        @Override
        public String text(Boolean value) {
            return "";
        }

        @Override
        public JsonValue json(Boolean value) {
            return new JsonBoolean(value);
        }

        @Override
        public String form() {
            return "true or false";
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            schema.put("type", "boolean");
        }
    }

    private record Whole(int least, int most) implements Grammar<Integer> {
        @Override
        public Integer parse(String text) {
            return checked(Integer.parseInt(text));
        }

        @Override
        public Integer read(JsonValue value) {
            if (value instanceof JsonNumber number && number.isWhole() && Math.abs(number.toDouble()) <= most) {
                return checked((int) number.toDouble());
            }
            throw refused();
        }

        private int checked(int number) {
            if (number < least || number > most) {
                throw refused();
            }
            return number;
        }

        @Override
        public String text(Integer value) {
            return value.toString();
        }

        @Override
        public JsonValue json(Integer value) {
            return JsonNumber.of((long) value);
        }

        @Override
        public String form() {
            return "an integer from " + least + " to " + most;
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            schema.put("type", "integer").put("minimum", (long) least).put("maximum", (long) most);
        }
    }

    private record Decimal(double least, boolean isIncluded, double most, String unit, List<Suffix> suffixes)
            implements Grammar<Double> {
        @Override
        public Double parse(String text) {
            for (Suffix suffix : suffixes) {
                if (text.regionMatches(
                        true,
                        text.length() - suffix.text().length(),
                        suffix.text(),
                        0,
                        suffix.text().length())) {
                    String digits =
                            text.substring(0, text.length() - suffix.text().length());
                    return checked(plain(digits).orElseThrow(Grammars::refused) * suffix.factor());
                }
            }
            return checked(plain(text).orElseThrow(Grammars::refused));
        }

        @Override
        public Double read(JsonValue value) {
            if (value instanceof JsonNumber number) {
                return checked(number.toDouble());
            }
            throw refused();
        }

        private double checked(double number) {
            if (!(number <= most && (number > least || (isIncluded && number == least)))) {
                throw refused();
            }
            return number;
        }

        @Override
        public String text(Double value) {
            return plain(value);
        }

        @Override
        public JsonValue json(Double value) {
            return JsonNumber.shortest(value);
        }

        @Override
        public String form() {
            return unit.isEmpty() ? "a share from 0 to 1, such as 0.8" : "a number of " + unit;
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            schema.put("type", "number");
            schema.put(isIncluded ? "minimum" : "exclusiveMinimum", JsonNumber.shortest(least));
            schema.put("maximum", JsonNumber.shortest(most));
        }
    }

    private record Time(Duration least, Duration most) implements Grammar<Duration> {
        @Override
        public Duration parse(String text) {
            return Times.parse(text, least, most);
        }

        @Override
        public Duration read(JsonValue value) {
            if (value instanceof JsonNumber number) {
                return Times.checked(number.toDecimal(), least, most);
            }
            throw refused();
        }

        @Override
        public String text(Duration value) {
            return Times.text(value);
        }

        @Override
        public JsonValue json(Duration value) {
            return new JsonNumber(Times.seconds(value).toPlainString());
        }

        @Override
        public String form() {
            return "a time from " + Times.text(least) + " to " + Times.text(most);
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            schema.put("type", "number");
            schema.put("minimum", json(least)).put("maximum", json(most));
        }
    }

    private record Choice<T>(List<T> values, Function<T, String> label) implements Grammar<T> {
        @Override
        public T parse(String text) {
            for (T value : values) {
                if (label.apply(value).equals(text)) {
                    return value;
                }
            }
            throw refused();
        }

        @Override
        public String text(T value) {
            return label.apply(value);
        }

        @Override
        public String form() {
            return "one of " + String.join(", ", choices());
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            schema.put("type", "string").put("enum", choices(), JsonString::new);
        }

        @Override
        public List<String> choices() {
            return values.stream().map(label).toList();
        }
    }

    private record Listed<T>(Grammar<T> item, int most) implements Grammar<List<T>> {
        @Override
        public List<T> parse(String text) {
            return checked(Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(item::parse)
                    .toList());
        }

        @Override
        public List<T> read(JsonValue value) {
            if (value instanceof JsonArray(List<JsonValue> items)) {
                List<T> values = new ArrayList<>();
                items.forEach(one -> values.add(item.read(one)));
                return checked(List.copyOf(values));
            }
            throw refused();
        }

        private List<T> checked(List<T> values) {
            if (values.isEmpty() || values.size() > most) {
                throw refused();
            }
            return values;
        }

        @Override
        public String text(List<T> values) {
            return String.join(",", values.stream().map(item::text).toList());
        }

        @Override
        public JsonValue json(List<T> values) {
            return new JsonArray(values.stream().map(item::json).toList());
        }

        @Override
        public String form() {
            return "1 to " + most + " of: " + item.form();
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            JsonObject.ObjectBuilder items = JsonObject.builder();
            item.describe(items);
            schema.put("type", "array").put("items", items.build());
            schema.put("minItems", 1L).put("maxItems", (long) most);
        }
    }

    private record Text<T>(String form, Function<String, T> parser, Function<T, String> printer, boolean isFile)
            implements Grammar<T> {
        @Override
        public T parse(String text) {
            return parser.apply(text);
        }

        @Override
        public String text(T value) {
            return printer.apply(value);
        }

        @Override
        public void describe(JsonObject.ObjectBuilder schema) {
            schema.put("type", "string");
            if (isFile) {
                schema.put("contentMediaType", "text/plain");
            }
        }
    }
}
