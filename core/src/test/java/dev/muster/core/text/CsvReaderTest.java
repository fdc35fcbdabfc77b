// SPDX-License-Identifier: Apache-2.0
package dev.muster.core.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CsvReaderTest {
    @Test
    void linesOfToolsAreReadWhateverTheirQuotes() {
        assertThat(CsvReader.fieldsOf("0,\"Intel(R), Graphics\", \"a \"\"b\"\"\" ,"))
                .containsExactly("0", "Intel(R), Graphics", "a \"b\"", "");
        assertThat(CsvReader.fieldsOf(",".repeat(1000))).hasSize(CsvReader.MAX_LENIENT_COLUMNS);
        assertThat(CsvReader.fieldsOf("\"never closed, at all")).isEqualTo(List.of("never closed, at all"));
        assertThat(CsvReader.fieldsOf("")).containsExactly("");
        assertThat(CsvReader.fieldsOf("one, two\r")).containsExactly("one", "two");
    }

    @Test
    void tablesAreReadToTheLetter() {
        CsvReader reader = CsvReader.strict("\uFEFFa, b\r\n\n\"x\ny\",\"\"\"\"\n", CsvReaderTest::fault);
        List<List<String>> records = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        while (reader.next()) {
            records.add(reader.fields());
            lines.add(reader.line());
        }

        assertThat(records).containsExactly(List.of("a", " b"), List.of("x\ny", "\""));
        assertThat(lines).containsExactly(1, 3);
    }

    @Test
    void aFaultInATableHasItsLine() {
        CsvReader reader = CsvReader.strict("a\nb\"c\n", CsvReaderTest::fault);
        reader.next();

        assertThatThrownBy(reader::next).hasMessageStartingWith("2: a quote stands inside a field");
    }

    private static RuntimeException fault(int line, String what) {
        return new IllegalStateException(line + ": " + what);
    }
}
