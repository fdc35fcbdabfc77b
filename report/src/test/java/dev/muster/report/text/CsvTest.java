// SPDX-License-Identifier: Apache-2.0
package dev.muster.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTest {
    @Test
    void plainCellsStandBetweenCommas() {
        assertThat(SeparatedValues.csv(List.of("cuda:0", "NVIDIA H100 80GB HBM3", "", "85520809984")))
                .isEqualTo("cuda:0,NVIDIA H100 80GB HBM3,,85520809984\n");
    }

    @Test
    void cellsWithSeparatorsAreQuoted() {
        assertThat(SeparatedValues.csv(List.of("a,b", "POWER9, altivec supported", "c")))
                .isEqualTo("\"a,b\",\"POWER9, altivec supported\",c\n");
    }

    @Test
    void quotesAreDoubled() {
        assertThat(SeparatedValues.csv(List.of("14\" disk", "\""))).isEqualTo("\"14\"\" disk\",\"\"\"\"\n");
    }

    @Test
    void lineEndsInsideACellAreQuoted() {
        assertThat(SeparatedValues.csv(List.of("a\nb", "c\r\nd", "\r"))).isEqualTo("\"a\nb\",\"c\r\nd\",\"\r\"\n");
    }

    @Test
    void aLineMayBeOneCellOrNone() {
        assertThat(SeparatedValues.csv(List.of("a"))).isEqualTo("a\n");
        assertThat(SeparatedValues.csv(List.of(""))).isEqualTo("\n");
    }
}
