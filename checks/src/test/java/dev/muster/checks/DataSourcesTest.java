// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.text.CsvReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every row of data in the jars says where it is from, and `docs/data.md` on which terms.
class DataSourcesTest {
    private static final Path TABLES = Path.of("../plan/src/main/resources/dev/muster/plan");
    private static final Pattern NAMED = Pattern.compile("`([a-z0-9.*-]+)`");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "catalogue/devices.csv",
                "catalogue/models.csv",
                "catalogue/prices.csv",
                "accuracy/inference.csv",
                "accuracy/serving.csv",
                "accuracy/training.csv",
                "accuracy/memory.csv"
            })
    void everyRowHasASource(String table) throws IOException {
        assertThat(column(table, "source"))
                .isNotEmpty()
                .allSatisfy(source -> assertThat(source).isNotBlank());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"accuracy/inference.csv", "accuracy/serving.csv", "accuracy/training.csv", "accuracy/memory.csv"
            })
    void everySourceHasItsTerms(String table) throws IOException {
        List<Pattern> named = NAMED.matcher(Files.readString(Path.of("../docs/data.md")))
                .results()
                .map(name -> Pattern.compile(name.group(1).replace(".", "\\.").replace("*", ".*")))
                .toList();
        assertThat(new TreeSet<>(column(table, "source_id")))
                .allSatisfy(
                        id -> assertThat(named).anyMatch(one -> one.matcher(id).matches()));
    }

    @Test
    void everyPriceHasADayAndNoneIsWrittenFromMemory() throws IOException {
        assertThat(column("catalogue/prices.csv", "date"))
                .isNotEmpty()
                .allSatisfy(day -> assertThat(LocalDate.parse(day)).isAfter(LocalDate.of(2024, 1, 1)));
        assertThat(column("catalogue/prices.csv", "source"))
                .noneMatch(source -> source.toLowerCase(Locale.ROOT).contains("recalled"));
    }

    private static List<String> column(String table, String name) throws IOException {
        List<String> lines = Files.readAllLines(TABLES.resolve(table));
        int column = CsvReader.fieldsOf(lines.getFirst()).indexOf(name);
        assertThat(column).isNotNegative();
        return lines.stream()
                .skip(1)
                .map(line -> CsvReader.fieldsOf(line).get(column))
                .toList();
    }
}
