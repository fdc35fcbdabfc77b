// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.muster.core.text.CsvReader;
import dev.muster.model.CatalogueException;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTableTest {
    @Test
    void readsQuotesCommasAndLineEndsInsideFields() {
        CsvTable table = CsvTable.parse("\uFEFFa,b\r\n\"x, \"\"y\"\"\",\" two\nlines \"\r\n\r\n1,\n");
        assertThat(table.rows()).extracting(CsvRow::line).containsExactly(2, 5);
        assertThat(table.rows().getFirst().require("a")).isEqualTo("x, \"y\"");
        assertThat(table.rows().getFirst().require("b")).isEqualTo("two\nlines");
        assertThat(table.rows().getLast().find("b")).isEmpty();
        assertThat(table.rows().getLast().find("c")).isEmpty();
    }

    @Test
    void theLastLineNeedsNoEnd() {
        assertThat(CsvTable.parse("a\n1").rows()).hasSize(1);
        assertThat(CsvTable.parse("a,b\n1,").rows()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''          | 0 | the table is empty",
                "a,a         | 1 | column 'a' occurs twice",
                "a,          | 1 | a column has no name",
                "a,b;1       | 2 | there are 1 fields, but 2 columns",
                "a;1,2       | 2 | there are 2 fields, but 1 columns",
                "a;x\"y      | 2 | a quote stands inside a field",
                "a;\"x\"y    | 2 | something follows a closing quote",
                "a;1;\"x;y   | 3 | a quoted field does not end"
            })
    void saysWhatIsWrongAndWhere(String text, int line, String message) {
        assertThatThrownBy(() -> CsvTable.parse(text.replace(';', '\n')))
                .hasMessageContaining(message)
                .asInstanceOf(type(CatalogueException.class))
                .extracting(CatalogueException::line)
                .isEqualTo(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\r", "\u001b"})
    void refusesWhatCannotBePrinted(String character) {
        assertThatThrownBy(() -> CsvTable.parse("a\n1" + character + "2"))
                .isInstanceOf(CatalogueException.class)
                .hasMessageContaining("cannot be printed");
    }

    @Test
    void nothingGrowsForEver() {
        assertThatThrownBy(() -> CsvTable.parse("a\n".repeat(CsvTable.MAX_ROWS + 2)))
                .hasMessageContaining("at most " + CsvTable.MAX_ROWS + " rows");
        assertThatThrownBy(() -> CsvTable.parse(",".repeat(CsvReader.MAX_COLUMNS)))
                .hasMessageContaining("at most " + CsvReader.MAX_COLUMNS + " fields");
        assertThatThrownBy(() -> CsvTable.parse("a".repeat(CsvReader.MAX_FIELD + 1)))
                .hasMessageContaining("more than " + CsvReader.MAX_FIELD + " characters");
        assertThatThrownBy(() -> CsvTable.parse("\"" + "a".repeat(CsvReader.MAX_FIELD + 1) + "\""))
                .hasMessageContaining("more than " + CsvReader.MAX_FIELD + " characters");
        assertThatThrownBy(() -> CsvTable.parse("\n".repeat(CsvReader.MAX_CHARACTERS + 1)))
                .hasMessageContaining("at most " + CsvReader.MAX_CHARACTERS);
    }

    @Test
    void columnsAreKnownAndThere() {
        CsvTable table = CsvTable.parse("a,b\n1,2\n");
        assertThat(table.checked(List.of("a"), List.of("b"))).isSameAs(table);
        assertThatThrownBy(() -> table.checked(List.of("a", "c"), List.of("b")))
                .hasMessage("line 1: column 'c' is missing; the first line has to name it");
        assertThatThrownBy(() -> table.checked(List.of("a"), List.of("c")))
                .hasMessage("line 1: unknown column 'b'; known: a, c");
    }

    @Test
    void readsNumbersDatesAndLists() {
        CsvRow row = row("n,d,l,blank\n989.40,2026-11-15,a; b;;c,\n");
        assertThat(row.findNumber("n", 1000)).hasValue(989.4);
        assertThat(row.requireDate("d")).isEqualTo(LocalDate.of(2026, 11, 15));
        assertThat(row.list("l")).containsExactly("a", "b", "c");
        assertThat(row.list("blank")).isEmpty();
        assertThat(row.findNumber("blank", 1)).isEmpty();
        assertThatThrownBy(() -> row.require("blank")).hasMessage("line 2: column 'blank' is blank; fill it in");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+1", "1e3", "0x10", ".5", "5.", "1.2.3", "NaN", "١", "1 000", "1234567890123456789"})
    void onlyPlainNumbersAreNumbers(String text) {
        assertThatThrownBy(() -> row("n\n" + text + "\n").findNumber("n", Long.MAX_VALUE))
                .hasMessageContaining("write a plain number as in 989.4");
    }

    @Test
    void numbersHaveBounds() {
        CsvRow row = row("n,zero,half\n11,0,1.5\n");
        assertThatThrownBy(() -> row.findNumber("n", 10)).hasMessageContaining("at most 10 is possible");
        assertThatThrownBy(() -> row.requirePositive("zero", 10)).hasMessageContaining("write a number above 0");
        assertThatThrownBy(() -> row.requireCount("half", 1, 10)).hasMessageContaining("a whole number from 1 to 10");
        assertThatThrownBy(() -> row.requireCount("zero", 1, 10)).hasMessageContaining("a whole number from 1 to 10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-02-30", "15.11.2026", "2026-11-15T00:00", "-026-11-15", "2026-+1-15", "today"})
    void onlyDatesAreDates(String text) {
        assertThatThrownBy(() -> row("d\n" + text + "\n").requireDate("d"))
                .hasMessage("line 2: column 'd' is '" + text + "'; write a date as in 2026-11-15");
    }

    private static CsvRow row(String text) {
        return CsvTable.parse(text).rows().getFirst();
    }
}
