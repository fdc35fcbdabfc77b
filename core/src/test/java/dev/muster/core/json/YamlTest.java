// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.json.JsonValue.JsonString;
import java.util.IdentityHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTest {
    @Test
    void objectsAndArraysAreBlocks() {
        assertThat(yaml("""
                        {"a": 1, "b": {"c": true, "d": null}, "e": [1, "two", {"f": 3, "g": {"h": 4}}, [5, [6]]]}
                        """)).isEqualTo("""
                        a: 1
                        b:
                          c: true
                          d: null
                        e:
                          - 1
                          - two
                          - f: 3
                            g:
                              h: 4
                          - - 5
                            - - 6
                        """);
    }

    @Test
    void whatIsEmptyStandsOnTheLine() {
        assertThat(yaml("{\"a\": {}, \"b\": [], \"c\": \"\", \"d\": [[], {}]}")).isEqualTo("""
                        a: {}
                        b: []
                        c: ""
                        d:
                          - []
                          - {}
                        """);
        assertThat(yaml("{}")).isEqualTo("{}\n");
        assertThat(yaml("[]")).isEqualTo("[]\n");
    }

    @Test
    void aLoneValueIsADocument() {
        assertThat(yaml("\"text\"")).isEqualTo("text\n");
        assertThat(yaml("18446744073709551615")).isEqualTo("18446744073709551615\n");
        assertThat(yaml("[1]")).isEqualTo("- 1\n");
    }

    @Test
    void numbersKeepTheirText() {
        assertThat(yaml("[1.50, 1e3, -0]")).isEqualTo("- 1.50\n- 1e3\n- -0\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cuda",
                "NVIDIA H100 80GB HBM3",
                "NVIDIA A100-SXM4-40GB",
                "Intel(R) Xeon(R)",
                "system clock",
                "a.b/c",
                "yesterday",
                "nothing",
                "a"
            })
    void ordinaryTextStandsBare(String text) {
        assertThat(Yaml.of(new JsonString(text))).isEqualTo(text + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                " a",
                "a ",
                "~",
                "null",
                "Null",
                "NULL",
                "true",
                "True",
                "TRUE",
                "false",
                "yes",
                "Yes",
                "no",
                "No",
                "NO",
                "on",
                "Off",
                "y",
                "N",
                "1",
                "-1",
                "+1",
                "0",
                "007",
                "0x1F",
                "0o17",
                "1_000",
                "1.5",
                "1e3",
                ".5",
                ".inf",
                "-.INF",
                ".nan",
                "12:30:45",
                "1:2",
                "2026-11-15",
                "2026-11-15T08:30:00Z",
                "550.90.07",
                "9.0",
                "- a",
                "-",
                "--",
                "---",
                "...",
                "a: b",
                "a:",
                ":",
                "cuda:0",
                "a #b",
                "#a",
                "&a",
                "*a",
                "!a",
                "!!str a",
                "|",
                ">",
                "%a",
                "@a",
                "`a",
                "'a'",
                "\"a\"",
                "[a]",
                "{a}",
                "{",
                "]",
                ",",
                "? a",
                "?",
                "<<",
                "=",
                "a\nb",
                "a\tb",
                "\u001b[31m",
                "é",
                "昇腾",
                "a\\b"
            })
    void textThatAReaderCouldMistakeIsQuoted(String text) {
        assertThat(Yaml.of(new JsonString(text))).isEqualTo(new JsonString(text).toText() + "\n");
    }

    @Test
    void keysAreQuotedLikeValues() {
        assertThat(yaml("{\"no\": 1, \"a b\": 2, \"\": 3, \"1\": 4, \"a:b\": 5}"))
                .isEqualTo("""
                        "no": 1
                        a b: 2
                        "": 3
                        "1": 4
                        "a:b": 5
                        """);
    }

    /// YAML 1.2.2, 5.1: "non-printable characters should be escaped on output"; some readers refuse them.
    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\u0007", "\u001b", "\u007f", "\u0080", "\u009b"})
    void charactersThatYamlForbidsAreEscaped(String character) {
        assertThat(Yaml.of(new JsonString("a" + character + "b"))).doesNotContain(character);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "\u001b", "\r", "\t", "\u0085", "\u009b", "\u2028", "\u202e", "\ufeff"})
    void scriptsAndCommentsHaveNoControlCharactersEither(String character) {
        JsonValue script = new JsonString("run a" + character + "b\nrun c\n");
        IdentityHashMap<JsonValue, String> comments = new IdentityHashMap<>();
        comments.put(script, "starts" + character + "it\nowner: root");

        assertThat(Yaml.of(script, comments)).isEqualTo(script.toText() + " # starts?it?owner: root\n");
    }

    @Test
    void aScriptWhoseFirstLineIsIndentedIsQuoted() {
        JsonValue script = new JsonString("  run\nend\n");

        assertThat(Yaml.of(script, new IdentityHashMap<>())).isEqualTo("\"  run\\nend\\n\"\n");
    }

    @Test
    void settingsHaveCommentsAndScripts() {
        JsonValue port = JsonValue.parse("8000");
        JsonValue same = JsonValue.parse("8000");
        JsonValue script = new JsonString("set -e\n\nrun \"$1\"");
        JsonValue settings = JsonValue.JsonObject.builder()
                .put("port", port)
                .put("other", same)
                .put("command", new JsonValue.JsonArray(List.of(script, new JsonString("no"))))
                .build();
        IdentityHashMap<JsonValue, String> comments = new IdentityHashMap<>();
        comments.put(port, "as asked");
        comments.put(script, "starts it");

        assertThat(Yaml.of(settings, comments)).isEqualTo("""
                        port: 8000 # as asked
                        other: 8000
                        command:
                          - | # starts it
                            set -e

                            run "$1"
                          - "no"
                        """);
    }

    private static String yaml(String json) {
        return Yaml.of(JsonValue.parse(json));
    }
}
