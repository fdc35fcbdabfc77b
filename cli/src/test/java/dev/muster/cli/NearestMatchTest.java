// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.muster.cli.option.UsageException;
import dev.muster.core.text.NearestMatch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestMatchTest {
    private static final List<String> COMMANDS = List.of("detect", "devices", "check", "diff", "version", "help");

    @ParameterizedTest
    @CsvSource({
        "detect, detect",
        "detcet, detect",
        "dtect, detect",
        "detectt, detect",
        "detact, detect",
        "device, devices",
        "chekc, check",
        "hlep, help",
        "dif, diff",
        "versoin, version",
        "verzoin, version"
    })
    void findsAWordWithFewChanges(String word, String meant) {
        assertThat(NearestMatch.find(word, COMMANDS)).contains(meant);
    }

    @ParameterizedTest
    @CsvSource({"frobnicate", "x", "''", "hlpe-me-please", "dtct-it"})
    void findsNothingWhereTooMuchWouldHaveToChange(String word) {
        assertThat(NearestMatch.find(word, COMMANDS)).isEmpty();
    }

    @Test
    void ofTwoEquallyNearWordsTheFirstIsMeant() {
        assertThat(NearestMatch.find("bat", List.of("cat", "rat"))).contains("cat");
        assertThat(NearestMatch.find("bat", List.of("rat", "cat"))).contains("rat");
    }

    @Test
    void findsNothingAmongNoWords() {
        assertThat(NearestMatch.find("detect", List.of())).isEmpty();
    }

    @Test
    void aHintIsAQuestionOrNothing() {
        assertThat(UsageException.hint("jsno", List.of("json"), "--")).isEqualTo("; did you mean --json?");
        assertThat(UsageException.hint("xyzzy", List.of("json"), "--")).isEmpty();
    }

    @Test
    void aVeryLongWordTakesNoTime() {
        assertTimeout(
                Duration.ofSeconds(2),
                () -> assertThat(NearestMatch.find("x".repeat(131_072), COMMANDS))
                        .isEmpty());
    }
}
