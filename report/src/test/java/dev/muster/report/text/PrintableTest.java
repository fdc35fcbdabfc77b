// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @Test
    void ordinaryTextOfAnyScriptStays() {
        assertThat(Printable.of("NVIDIA H100 80GB HBM3")).isEqualTo("NVIDIA H100 80GB HBM3");
        assertThat(Printable.of("华为 昇腾 é 😀 {}'\"\\")).isEqualTo("华为 昇腾 é 😀 {}'\"\\");
        assertThat(Printable.of("")).isEmpty();
    }

    @Test
    void escapeSequencesLoseTheirPower() {
        assertThat(Printable.of("\u001b]0;owned\u0007")).isEqualTo("?]0;owned?");
        assertThat(Printable.of("\u001b[2J\u001b[31mred")).isEqualTo("?[2J?[31mred");
        assertThat(Printable.of("\u009b31mred")).isEqualTo("?31mred");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000", "\b", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009b", "\u00ad", "\u061c", "\u200b",
                "\u200e", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069", "\ufeff", "\ud800", "\udc00"
            })
    void controlFormatAndBidirectionalCharactersBecomeQuestionMarks(String character) {
        assertThat(Printable.of("a" + character + "b")).isEqualTo("a?b");
    }

    @Test
    void tagCharactersOutsideTheFirstPlaneBecomeQuestionMarks() {
        assertThat(Printable.of("a" + Character.toString(0xE0041) + "b")).isEqualTo("a?b");
    }

    @Test
    void veryLongTextIsCut() {
        assertThat(Printable.of("x".repeat(200))).isEqualTo("x".repeat(200));
        assertThat(Printable.of("x".repeat(201))).isEqualTo("x".repeat(200) + "…");
        assertThat(Printable.of("😀".repeat(201))).isEqualTo("😀".repeat(200) + "…");
    }
}
