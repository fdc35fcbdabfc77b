// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TsvTest {
    @Test
    void plainCellsStandBetweenTabs() {
        assertThat(SeparatedValues.tsv(List.of("cuda:0", "a b,c", "", "1"))).isEqualTo("cuda:0\ta b,c\t\t1\n");
    }

    @Test
    void defect56_tabsAndLineEndsInsideACellAreEscaped() {
        assertThat(SeparatedValues.tsv(List.of("a\tb", "c\r\nd", "e\\f"))).isEqualTo("a\\tb\tc\\r\\nd\te\\\\f\n");
    }

    @Test
    void otherControlCharactersDoNotReachATerminal() {
        assertThat(SeparatedValues.tsv(List.of("a\u001b[2Jb"))).isEqualTo("a?[2Jb\n");
    }
}
