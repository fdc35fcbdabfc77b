package dev.muster.cli.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvTest {
    @Test
    void plainCellsStandBetweenCommas() {
        assertThat(Csv.line(List.of("cuda:0", "NVIDIA H100 80GB HBM3", "", "85520809984")))
                .isEqualTo("cuda:0,NVIDIA H100 80GB HBM3,,85520809984\n");
    }

    @Test
    void cellsWithSeparatorsAreQuoted() {
        assertThat(Csv.line(List.of("a,b", "POWER9, altivec supported", "c")))
                .isEqualTo("\"a,b\",\"POWER9, altivec supported\",c\n");
    }

    @Test
    void quotesAreDoubled() {
        assertThat(Csv.line(List.of("14\" disk", "\""))).isEqualTo("\"14\"\" disk\",\"\"\"\"\n");
    }

    @Test
    void lineEndsInsideACellAreQuoted() {
        assertThat(Csv.line(List.of("a\nb", "c\r\nd", "\r"))).isEqualTo("\"a\nb\",\"c\r\nd\",\"\r\"\n");
    }

    @Test
    void aLineMayBeOneCellOrNone() {
        assertThat(Csv.line(List.of("a"))).isEqualTo("a\n");
        assertThat(Csv.line(List.of(""))).isEqualTo("\n");
    }
}
