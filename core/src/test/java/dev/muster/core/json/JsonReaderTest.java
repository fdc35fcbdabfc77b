// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static dev.muster.core.json.DocumentException.DocumentErrorCode.MALFORMED;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.TOO_LARGE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_TYPE;
import static dev.muster.core.json.DocumentException.DocumentErrorCode.WRONG_VALUE;
import static dev.muster.core.json.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static final Duration SHORT = Duration.ofSeconds(5);

    @Test
    void readsValuesInsideEachOtherUpToALimit() {
        assertThat(JsonValue.parse("[".repeat(128) + "]".repeat(128)).toText()).hasSize(256);
        assertRefused(TOO_LARGE, () -> JsonValue.parse("[".repeat(129) + "]".repeat(129)));
        String objects = "{\"a\":".repeat(127) + "{}" + "}".repeat(127);
        assertThat(JsonValue.parse(objects).toText()).isEqualTo(objects);
        assertRefused(TOO_LARGE, () -> JsonValue.parse("{\"a\":" + objects + "}"));
    }

    @Test
    void leavingAnArrayGivesItsDepthBack() {
        String row = "[" + "[[]],".repeat(500) + "[{}]]";
        assertThat(JsonValue.parse("[" + row + "," + row + "]").toText()).hasSize(2 * row.length() + 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", "[[{\"a\":"})
    void refusesADeepTextAtOnce(String opening) {
        String deep = opening.repeat(100_000);
        assertTimeoutPreemptively(SHORT, () -> {
            assertRefused(TOO_LARGE, () -> JsonValue.parse(deep));
            assertRefused(TOO_LARGE, () -> RegistryDocument.read(("{\"x\":" + deep).getBytes(StandardCharsets.UTF_8)));
            assertRefused(TOO_LARGE, () -> ReferenceDocument.read("{\"profiles\":[],\"system_io\":{\"x\":" + deep));
        });
    }

    @Test
    void readsOverDeepValuesUpToTheSameLimit() {
        String prefix = "{\"profiles\":[],\"system_io\":{\"x\":";
        assertThat(ReferenceDocument.read(prefix + "[".repeat(126) + "]".repeat(126) + "}}")
                        .profiles())
                .isEmpty();
        assertRefused(TOO_LARGE, () -> ReferenceDocument.read(prefix + "[".repeat(127) + "]".repeat(127) + "}}"));
    }

    @Test
    void refusesNumbersThatAreTooLong() {
        assertThat(JsonReader.of("0." + "0".repeat(509) + "1").nextDouble()).isZero();
        assertRefused(
                TOO_LARGE, () -> JsonReader.of("0." + "0".repeat(510) + "1").nextDouble());
        assertTimeoutPreemptively(SHORT, () -> assertRefused(TOO_LARGE, () -> JsonValue.parse("1".repeat(10_000_000))));
        assertTimeoutPreemptively(
                SHORT,
                () -> assertRefused(
                        WRONG_VALUE, () -> JsonReader.of("1".repeat(10_000_000)).nextUnsigned()));
    }

    @Test
    void refusesDocumentsThatAreTooLarge() {
        byte[] largest = new byte[RegistryDocument.MAX_BYTES];
        Arrays.fill(largest, (byte) ' ');
        largest[largest.length - 1] = '1';
        assertThat(JsonValue.parse(largest)).isEqualTo(new JsonValue.JsonNumber("1"));

        byte[] larger = Arrays.copyOf(largest, largest.length + 1);
        larger[largest.length] = ' ';
        DocumentException refusal = assertRefused(TOO_LARGE, () -> JsonValue.parse(larger));
        assertThat(refusal).hasMessageContaining("33554433").hasMessageContaining("33554432");
        assertThat(refusal.offset()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "22c32822, 1",
        "22c08022, 1",
        "22eda08022, 1",
        "22f490808022, 1",
        "22f522, 1",
        "22ff22, 1",
        "228022, 1",
        "5bc3a4ff5d, 3",
        "2261e282, 2",
        "fffe22006100, 0"
    })
    void refusesBytesThatAreNotUtf8(String hex, long offset) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(assertRefused(MALFORMED, () -> JsonReader.of(bytes)))
                .satisfies(e -> assertThat(e.offset()).isEqualTo(offset));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1,] | line 1, column 4: | 3",
                "[1,\\n 2,\\n  x] | line 3, column 3: | 10",
                "{\\n'a':1} | line 2, column 1: | 2",
                "[\\r\\n\\r\\n nope] | line 3, column 2: | 6",
                "[\"ä\" 1] | line 1, column 7: | 6",
                "[1 | line 1, column 3: | 2",
                "\"a\\tb\" | line 1, column 3: | 2"
            })
    void saysWhereReadingStopped(String text, String place, long offset) {
        String document = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
        assertThat(assertRefused(MALFORMED, () -> JsonValue.parse(document)))
                .hasMessageStartingWith(place)
                .satisfies(e -> assertThat(e.offset()).isEqualTo(offset));
    }

    @Test
    void saysWhichKeyHasAnotherType() {
        assertThat(assertRefused(WRONG_TYPE, () -> ReferenceDocument.read("{\"profiles\":7}")))
                .hasMessage("line 1, column 13: expected an array for 'profiles', found a number");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "9",
                "999999999999999999",
                "1000000000000000000",
                "9223372036854775807",
                "9223372036854775808",
                "18446744073709551609",
                "18446744073709551615"
            })
    void readsWholeNumbersUpToTheLargestUnsigned(String text) {
        assertThat(Long.toUnsignedString(JsonReader.of(text).nextUnsigned())).isEqualTo(text);
        assertThat(Long.toUnsignedString(JsonReader.of(" " + text + " ").nextUnsigned()))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "18446744073709551616, WRONG_VALUE",
        "18446744073709551620, WRONG_VALUE",
        "99999999999999999999, WRONG_VALUE",
        "184467440737095516150, WRONG_VALUE",
        "-1, WRONG_TYPE",
        "-0, WRONG_TYPE",
        "1.0, WRONG_TYPE",
        "1e3, WRONG_TYPE",
        "1E3, WRONG_TYPE",
        "true, WRONG_TYPE",
        "null, WRONG_TYPE",
        "[1], WRONG_TYPE"
    })
    void refusesOtherNumbersWhereAnUnsignedOneIsExpected(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> JsonReader.of(text).nextUnsigned());
    }

    @Test
    void refusesLeadingZerosWhereverANumberIsExpected() {
        for (String text : new String[] {"00", "01", "-01", "00000000000000000000001"}) {
            assertThatExceptionOfType(DocumentException.class)
                    .isThrownBy(() -> JsonReader.of(text).nextUnsigned());
            assertThatExceptionOfType(DocumentException.class)
                    .isThrownBy(() -> JsonReader.of(text).nextSigned());
            assertRefused(MALFORMED, () -> JsonReader.of(text).nextDouble());
        }
    }

    @Test
    void boundsUnsignedNumbers() {
        assertThat(JsonReader.of("4294967295").nextUnsigned(4_294_967_295L)).isEqualTo(4_294_967_295L);
        assertRefused(WRONG_VALUE, () -> JsonReader.of("4294967296").nextUnsigned(4_294_967_295L));
        assertRefused(WRONG_VALUE, () -> JsonReader.of("18446744073709551615").nextUnsigned(Long.MAX_VALUE));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "-1", "2147483647", "-2147483648"})
    void readsSignedNumbersOf32Bits(int value) {
        assertThat(JsonReader.of(String.valueOf(value)).nextInt()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "2147483648, WRONG_VALUE",
        "-2147483649, WRONG_VALUE",
        "9223372036854775808, WRONG_VALUE",
        "-0, WRONG_TYPE",
        "-1.0, WRONG_TYPE",
        "1e3, WRONG_TYPE"
    })
    void refusesOtherNumbersWhereASignedOneIsExpected(String text, DocumentException.DocumentErrorCode code) {
        assertRefused(code, () -> JsonReader.of(text).nextInt());
    }

    @Test
    void aSignStandsBeforeItsDigits() {
        assertRefused(MALFORMED, () -> JsonReader.of("- 5").nextInt());
        assertRefused(MALFORMED, () -> JsonReader.of("-\n5").nextInt());
        assertRefused(MALFORMED, () -> JsonReader.of("-").nextInt());
    }

    @Test
    void readsTheSmallestSignedNumberOf64Bits() {
        assertThat(JsonReader.of("-9223372036854775807").nextSigned()).isEqualTo(-Long.MAX_VALUE);
        assertThat(JsonReader.of("-9223372036854775808").nextSigned()).isEqualTo(Long.MIN_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0",
                "0.1",
                "-0.3",
                "123456789.125",
                "999999999999999",
                "9007199254740993",
                "1e22",
                "1e23",
                "5e-324",
                "1.7976931348623157e308",
                "2.2250738585072011e-308",
                "0.000000000000001",
                "123456789012345.6",
                "1234567890.12345",
                "4.35",
                "8.41E+21"
            })
    void readsTheNearestDouble(String text) {
        assertThat(JsonReader.of(text).nextDouble()).isEqualTo(Double.parseDouble(text));
    }

    @Test
    void keysMayBeWrittenWithEscapes() {
        JsonReader json = JsonReader.of("{\"\\u0061b\":1,\"c\":2}");
        JsonKeys keys = JsonKeys.of("ab", "b");
        json.beginObject();
        assertThat(json.nextKey(keys, 1)).isZero();
        assertThat(json.nextDouble()).isEqualTo(1);
        assertThat(json.nextKey(keys, 0)).isEqualTo(JsonReader.UNKNOWN);
        assertThat(json.lastKey()).isEqualTo("c");
        json.skipValue();
        assertThat(json.nextKey(keys, 0)).isEqualTo(JsonReader.END);
        json.requireEnd();
    }

    @Test
    void namesMayBeWrittenWithEscapes() {
        JsonKeys names = JsonKeys.of("alpha", "beta");
        assertThat(JsonReader.of("\"b\\u0065ta\"").nextName(names)).isEqualTo(1);
        assertThat(assertRefused(WRONG_VALUE, () -> JsonReader.of("\"gamma\"").nextName(names)))
                .hasMessageContaining("'gamma' is not one of alpha, beta");
        assertRefused(
                WRONG_VALUE,
                () -> JsonReader.of("\"" + "x".repeat(100_000) + "\"").nextName(names));
    }
}
