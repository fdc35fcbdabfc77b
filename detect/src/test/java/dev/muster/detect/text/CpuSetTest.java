// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
    private static CpuSet list(String text) {
        return CpuSet.parseList(text).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0 | 1", "0-7 | 8", "0-3,8 | 5", "0,4,8,12 | 4", "0-1,1-2 | 3", "' 0-3 ' | 4", "'' | 0"})
    void countsTheProcessorsOfAList(String text, int count) {
        assertThat(list(text).count()).isEqualTo(count);
    }

    @Test
    void readsAMaskAsTheSameSet() {
        assertThat(CpuSet.parseMask("00000000,0000ff00\n")).contains(list("8-15"));
        assertThat(CpuSet.parseMask("0000,00000011,11111111").orElseThrow().count())
                .isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "3-1", "-1", "0-", "0-99999999", "99999999999999", "1,x"})
    void refusesWhatIsNoList(String text) {
        assertThat(CpuSet.parseList(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xyz", ","})
    void refusesWhatIsNoMask(String text) {
        assertThat(CpuSet.parseMask(text)).isEmpty();
    }

    @Test
    void knowsItsEndsAndItsParts() {
        assertThat(list("3-5,9").findFirst()).hasValue(3);
        assertThat(list("3-5,9").findLast()).hasValue(9);
        assertThat(list("3-5").isPartOf(list("0-7"))).isTrue();
        assertThat(list("3-8").isPartOf(list("0-7"))).isFalse();
        assertThat(CpuSet.NONE.isPartOf(list("0-7"))).isFalse();
        assertThat(list("0-7").without(list("0-3"))).isEqualTo(list("4-7"));
        assertThat(CpuSet.NONE.findFirst()).isEmpty();
        assertThat(CpuSet.NONE.findLast()).isEmpty();
    }
}
