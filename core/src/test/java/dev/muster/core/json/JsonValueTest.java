// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.DUPLICATE_KEY;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.RandomRegistry;
import dev.muster.core.Trials;
import dev.muster.core.json.JsonValue.JsonArray;
import dev.muster.core.json.JsonValue.JsonBoolean;
import dev.muster.core.json.JsonValue.JsonNull;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.json.JsonValue.JsonString;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {
    @Test
    void readsEveryKindOfValue() {
        assertThat(JsonValue.parse(" {\"a\" : [ 1 , \"x\" , true , false , null , { } , [ ] ] } "))
                .isEqualTo(new JsonObject(Map.of(
                        "a",
                        new JsonArray(List.of(
                                new JsonNumber("1"),
                                new JsonString("x"),
                                new JsonBoolean(true),
                                new JsonBoolean(false),
                                new JsonNull(),
                                new JsonObject(Map.of()),
                                new JsonArray(List.of()))))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "true", "false", "\"\"", "0", "-1.5e3", "[]", "{}", "\t\r\n 1 \t\r\n"})
    void aDocumentMayBeAnyValue(String text) {
        assertThat(JsonValue.parse(text).toText()).isEqualTo(text.strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[1,]",
                "[,1]",
                "[,]",
                "[1,,2]",
                "[1 2]",
                "[1",
                "[",
                "]",
                "[}",
                "[1}",
                "{\"a\":1,}",
                "{,}",
                "{\"a\":1 \"b\":2}",
                "{\"a\" 1}",
                "{\"a\":}",
                "{\"a\"",
                "{",
                "}",
                "{\"a\":1]",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{null:1}",
                "'a'",
                "[1]x",
                "[1][2]",
                "1 2",
                "nul",
                "nulll",
                "True",
                "TRUE",
                "tru",
                "truefalse",
                "undefined",
                "NaN",
                "Infinity",
                "-Infinity",
                "// c\n1",
                "/* c */1",
                "#1",
                "\uFEFF1",
                "1;",
                "\u00A01",
                "\f1",
                "[1\u000B]"
            })
    void refusesWhatIsNotJson(String text) {
        assertRefused(MALFORMED, () -> JsonValue.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "[\u0000]", "{\u0000}", "[1,\u0000]", "{\"a\":\u0000}", "1\u0000"})
    void aNulCharacterIsNotTheEnd(String text) {
        assertRefused(MALFORMED, () -> JsonValue.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01", "00", "-01", "-", "--1", "+1", "1.", ".5", "-.5", "1.e3", "1e", "1e+", "1E-", "1e1.5", "1.5.5",
                "0x10", "1_000", "- 1", "1 .5", "1e 5", "١"
            })
    void refusesNumbersThatAreNotWellFormed(String text) {
        assertRefused(MALFORMED, () -> JsonValue.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.0",
                "-0.0",
                "10",
                "1.50",
                "1e5",
                "1E+05",
                "1e-400",
                "123456789012345678901234567890",
                "0e0"
            })
    void keepsNumbersAsTheyWereWritten(String text) {
        assertThat(JsonValue.parse(text)).isEqualTo(new JsonNumber(text));
        assertThat(((JsonNumber) JsonValue.parse(text)).toDouble()).isEqualTo(Double.parseDouble(text));
        assertThat(((JsonNumber) JsonValue.parse(text)).toDecimal()).isEqualByComparingTo(new BigDecimal(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400", "1e99999999999999999999"})
    void refusesNumbersOutOfRange(String text) {
        assertRefused(DocumentException.DocumentErrorCode.WRONG_VALUE, () -> JsonValue.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0e99999999999", "1e-99999999999", "0.0e-2147483648"})
    void aNumberThatIsNotRefusedIsADecimal(String text) {
        JsonNumber number;
        try {
            number = (JsonNumber) JsonValue.parse(text);
        } catch (DocumentException e) {
            assertThat(e.code()).isEqualTo(DocumentException.DocumentErrorCode.WRONG_VALUE);
            return;
        }
        assertThat(number.toDouble()).isZero();
        assertThat(number.toDecimal()).isNotNull();
    }

    @Test
    void tellsWholeNumbersFromOthers() {
        assertThat(new JsonNumber("12").isWhole()).isTrue();
        assertThat(new JsonNumber("-0").isWhole()).isTrue();
        assertThat(new JsonNumber("12.0").isWhole()).isFalse();
        assertThat(new JsonNumber("1e3").isWhole()).isFalse();
        assertThat(new JsonNumber("1E3").isWhole()).isFalse();
        assertThat(JsonNumber.of(Long.MIN_VALUE).text()).isEqualTo("-9223372036854775808");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\\\"\\\\\\/ | \"\\/",
                "\\u0041\\u00e4\\u6f22 | Aä漢",
                "\\uD83D\\uDE00 | 😀",
                "\\ud83d\\ude00 | 😀",
                "ä漢😀 | ä漢😀",
                "\\u007f\\u2028 | \u007f\u2028"
            })
    void readsEscapes(String inside, String value) {
        assertThat(JsonValue.parse('"' + inside + '"')).isEqualTo(new JsonString(value));
    }

    @Test
    void readsTheEscapesOfControlCharacters() {
        assertThat(JsonValue.parse("\"\\b\\f\\n\\r\\t\\u0000\\u001F\""))
                .isEqualTo(new JsonString("\b\f\n\r\t\u0000\u001f"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"",
                "\"a",
                "\"\\\"",
                "\"\\",
                "\"\\u",
                "\"\\u00",
                "\"\\u004",
                "\"\\u004\"",
                "\"\\u00g1\"",
                "\"\\x41\"",
                "\"\\'\"",
                "\"\\U0041\"",
                "\"\\u+041\"",
                "\"\n\"",
                "\"\t\"",
                "\"\u0000\"",
                "\"\u001f\"",
                "\"\\\n\"",
                "\"a\\nb\u0001\"",
                "\"\\u٠٠٤١\""
            })
    void refusesTextsThatAreNotWellFormed(String text) {
        assertRefused(MALFORMED, () -> JsonValue.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\ud83d",
                "\\ude00",
                "\\ud83dx",
                "\\ud83d\\n",
                "\\ud83d\\u0041",
                "\\ude00\\ud83d",
                "\\ud83d\\ud83d",
                "\\ud83d\\u",
                "\\ud83d\\ude0"
            })
    void refusesHalfASurrogatePair(String inside) {
        assertRefused(MALFORMED, () -> JsonValue.parse('"' + inside + '"'));
    }

    @Test
    void refusesAKeyThatIsThereTwice() {
        assertRefused(DUPLICATE_KEY, () -> JsonValue.parse("{\"a\":1,\"b\":2,\"a\":1}"));
        assertRefused(DUPLICATE_KEY, () -> JsonValue.parse("{\"a\":1,\"\\u0061\":1}"));
        assertThat(JsonValue.parse("{\"a\":{\"a\":1}}").find("a").flatMap(inner -> inner.find("a")))
                .contains(new JsonNumber("1"));
    }

    @Test
    void namesAHugeKeyInFewWords() {
        String key = "k".repeat(100_000);
        assertRefused(MALFORMED, () -> JsonValue.parse("{\"" + key + "\" 1}"));
        assertRefused(DUPLICATE_KEY, () -> JsonValue.parse("{\"" + key + "\":1,\"" + key + "\":1}"));
    }

    @Test
    void aDocumentTakesCollectionsAndWhatMayBeMissing() {
        JsonObject document = JsonObject.document("test")
                .put("ratio", 0.5)
                .put("names", List.of("a", "b"), JsonString::new)
                .put("known", Optional.of(7L), JsonNumber::of)
                .put("unknown", Optional.<Long>empty(), JsonNumber::of)
                .build();

        assertThat(document.toText())
                .isEqualTo("{\"schema\":1,\"kind\":\"test\",\"ratio\":0.5,\"names\":[\"a\",\"b\"],\"known\":7}");
    }

    @Test
    void writesObjectsInTheOrderOfTheirMembers() {
        JsonObject object = JsonObject.builder()
                .put("z", 1)
                .put("a", "x\"\\\u0001ä")
                .put("m", true)
                .put("e", List.<JsonValue>of())
                .put("o", JsonObject.builder().put("n", new JsonNull()).build())
                .build();
        assertThat(object.toText())
                .isEqualTo("{\"z\":1,\"a\":\"x\\\"\\\\\\u0001ä\",\"m\":true,\"e\":[],\"o\":{\"n\":null}}");
        assertThat(object.toIndentedText()).isEqualTo("""
                {
                  "z": 1,
                  "a": "x\\"\\\\\\u0001ä",
                  "m": true,
                  "e": [],
                  "o": {
                    "n": null
                  }
                }""");
    }

    @Test
    void keepsItsOwnCopyOfMembersAndItems() {
        Map<String, JsonValue> members = new LinkedHashMap<>(Map.of("a", new JsonNull()));
        JsonObject object = new JsonObject(members);
        members.clear();
        assertThat(object.find("a")).contains(new JsonNull());
        assertThat(object.find("b")).isEmpty();
        assertThat(new JsonNull().find("a")).isEmpty();
    }

    @Test
    void readsBackWhatItWrites() {
        Trials.run(2_000, random -> {
            JsonValue value = anyValue(random, 5);
            assertThat(JsonValue.parse(value.toText())).isEqualTo(value);
            assertThat(JsonValue.parse(value.toIndentedText().getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(value);
        });
    }

    private static JsonValue anyValue(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 7)) {
            case 0 -> new JsonNull();
            case 1 -> new JsonBoolean(random.nextBoolean());
            case 2 -> new JsonString(RandomRegistry.text(random));
            case 3 -> JsonNumber.of(random.nextLong());
            case 4 -> JsonNumber.of(RandomRegistry.finiteDouble(random));
            case 5 -> {
                List<JsonValue> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(anyValue(random, depth - 1));
                }
                yield new JsonArray(items);
            }
            default -> {
                JsonObject.ObjectBuilder members = JsonObject.builder();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(RandomRegistry.text(random), anyValue(random, depth - 1));
                }
                yield members.build();
            }
        };
    }
}
