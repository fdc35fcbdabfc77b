// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisplayWidthTest {
    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "abc, 3",
        "é, 1",
        "e\u0301, 1",
        "昇腾, 4",
        "ﾌ, 1",
        "Ａ, 2",
        "한국, 4",
        "😀, 2",
        "a\u200db, 2",
        "–, 1",
        "…, 1"
    })
    void countsColumns(String text, int columns) {
        assertThat(DisplayWidth.of(text)).isEqualTo(columns);
    }

    @Test
    void whatFitsIsNotCut() {
        assertThat(DisplayWidth.cut("abc", 3, "…")).isEqualTo("abc");
        assertThat(DisplayWidth.cut("", 0, "…")).isEmpty();
    }

    @Test
    void whatDoesNotFitEndsInASign() {
        assertThat(DisplayWidth.cut("abcdef", 4, "…")).isEqualTo("abc…");
        assertThat(DisplayWidth.cut("abcdef", 5, "...")).isEqualTo("ab...");
        assertThat(DisplayWidth.cut("昇腾九", 4, "…")).isEqualTo("昇…");
        assertThat(DisplayWidth.cut("😀😀", 3, "…")).isEqualTo("😀…");
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void aCutTextIsNeverWiderThanTheLimit(int limit) {
        assertThat(DisplayWidth.of(DisplayWidth.cut("abcdef", limit, "..."))).isLessThanOrEqualTo(limit);
        assertThat(DisplayWidth.of(DisplayWidth.cut("abcdef", limit, "…"))).isLessThanOrEqualTo(limit);
    }
}
