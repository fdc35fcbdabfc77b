// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Any JSON value as a tree, for texts whose shape is not known beforehand. Immutable. Documents of a known shape are
/// read without it.
///
/// @since 0.1
public sealed interface JsonValue {
    /// Reads a text.
    ///
    /// @throws DocumentException if it is not JSON, or larger or deeper than is read
    static JsonValue parse(String text) {
        return JsonTree.read(JsonReader.of(text));
    }

    /// Reads UTF-8 bytes.
    ///
    /// @throws DocumentException if they are not JSON, or larger or deeper than is read
    static JsonValue parse(byte[] utf8) {
        return JsonTree.read(JsonReader.of(utf8));
    }

    /// The value on one line.
    default String toText() {
        return JsonTree.write(this, false);
    }

    /// The value with one item a line, indented by two blanks.
    default String toIndentedText() {
        return JsonTree.write(this, true);
    }

    /// The value as a YAML document.
    default String toYaml() {
        return Yaml.of(this);
    }

    /// The value as a file of settings in YAML: with a comment behind some values, and texts of several lines
    /// as literal blocks.
    ///
    /// @param comments by the very value that they explain
    default String toYaml(IdentityHashMap<JsonValue, String> comments) {
        return Yaml.of(this, comments);
    }

    /// The member with that name, if this is an object that has it.
    default Optional<JsonValue> find(String name) {
        return this instanceof JsonObject object
                ? Optional.ofNullable(object.members().get(name))
                : Optional.empty();
    }

    /// The member with that name.
    ///
    /// @throws DocumentException if there is none
    default JsonValue require(String name) {
        return find(name)
                .orElseThrow(() -> DocumentException.of(
                        DocumentException.DocumentErrorCode.MISSING_KEY, "the key '" + name + "' is missing"));
    }

    /// The text of a member.
    ///
    /// @throws DocumentException if there is none
    default String requireText(String name) {
        if (require(name) instanceof JsonString(String text)) {
            return text;
        }
        throw DocumentException.of(DocumentException.DocumentErrorCode.WRONG_TYPE, "'" + name + "' is not a text");
    }

    /// The number that a member is.
    ///
    /// @throws DocumentException if there is none
    default JsonNumber requireNumber(String name) {
        if (require(name) instanceof JsonNumber number) {
            return number;
        }
        throw DocumentException.of(DocumentException.DocumentErrorCode.WRONG_TYPE, "'" + name + "' is not a number");
    }

    /// The items of a member that is a list.
    ///
    /// @throws DocumentException if there is none
    default List<JsonValue> requireItems(String name) {
        if (require(name) instanceof JsonArray(List<JsonValue> items)) {
            return items;
        }
        throw DocumentException.of(DocumentException.DocumentErrorCode.WRONG_TYPE, "'" + name + "' is not a list");
    }

    /// An object; members keep their order.
    ///
    /// @param members the members by name
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {
        /// Copies the members.
        public JsonObject {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /// Starts an object without members.
        public static ObjectBuilder builder() {
            return new ObjectBuilder();
        }

        /// Starts a document: an object that says its kind, of the first schema.
        public static ObjectBuilder document(String kind) {
            return builder().put("schema", 1).put("kind", kind);
        }

        /// Puts an object together, member by member. Confined to one thread.
        public static final class ObjectBuilder {
            private final Map<String, JsonValue> members = new LinkedHashMap<>();

            private ObjectBuilder() {}

            /// Adds a member.
            public ObjectBuilder put(String name, JsonValue value) {
                members.put(name, value);
                return this;
            }

            /// Adds a text.
            public ObjectBuilder put(String name, String text) {
                return put(name, new JsonString(text));
            }

            /// Adds a whole number.
            public ObjectBuilder put(String name, long number) {
                return put(name, JsonNumber.of(number));
            }

            /// Adds a floating-point number in its shortest form.
            public ObjectBuilder put(String name, double number) {
                return put(name, JsonNumber.of(number));
            }

            /// Adds a truth.
            public ObjectBuilder put(String name, boolean truth) {
                return put(name, new JsonBoolean(truth));
            }

            /// Adds an array.
            public ObjectBuilder put(String name, List<JsonValue> items) {
                return put(name, new JsonArray(items));
            }

            /// Adds an array with an item for each of some things.
            public <T> ObjectBuilder put(
                    String name, Collection<T> things, Function<? super T, ? extends JsonValue> item) {
                return put(name, things.stream().<JsonValue>map(item).toList());
            }

            /// Adds a member where there is a value for it.
            public <T> ObjectBuilder put(
                    String name, Optional<T> value, Function<? super T, ? extends JsonValue> json) {
                value.ifPresent(known -> put(name, json.apply(known)));
                return this;
            }

            /// The object.
            public JsonObject build() {
                return new JsonObject(members);
            }
        }
    }

    /// An array.
    ///
    /// @param items the items in order
    record JsonArray(List<JsonValue> items) implements JsonValue {
        /// Copies the items.
        public JsonArray {
            items = List.copyOf(items);
        }
    }

    /// A text.
    ///
    /// @param value the text without quotes and escapes
    record JsonString(String value) implements JsonValue {}

    /// A number, as it was written.
    ///
    /// @param text the number's text
    record JsonNumber(String text) implements JsonValue {
        /// Up to here a double has every whole number.
        private static final long MOST_EXACT = 1L << 53;

        /// A whole number.
        public static JsonNumber of(long value) {
            return new JsonNumber(Long.toString(value));
        }

        /// A floating-point number in its shortest form.
        public static JsonNumber of(double value) {
            JsonWriter writer = new JsonWriter(false);
            return new JsonNumber(writer.number(value).toString());
        }

        /// A number that is written without a fraction where it has none.
        ///
        /// @since 0.2
        public static JsonNumber shortest(double value) {
            return value == Math.rint(value) && Math.abs(value) <= MOST_EXACT ? of((long) value) : of(value);
        }

        /// The number as the nearest double.
        public double toDouble() {
            return Double.parseDouble(text);
        }

        /// The exact number.
        public BigDecimal toDecimal() {
            return new BigDecimal(text);
        }

        /// Reports whether the number was written without fraction and exponent.
        public boolean isWhole() {
            return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
        }
    }

    /// True or false.
    ///
    /// @param value the truth value
    record JsonBoolean(boolean value) implements JsonValue {}

    /// Null.
    record JsonNull() implements JsonValue {}
}
