// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.text.CsvReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Every row of data in the jar says where it is from, and `docs/data.md` on which terms.
class DataSourcesTest {
    private static final List<Path> TABLES = Stream.of("model", "plan", "evidence")
            .map(module -> Path.of("..", module, "src/main/resources/dev/muster", module))
            .toList();
    private static final Path MEASURED = TABLES.getLast().resolve("measured");
    private static final Path NOT_PASSED_ON = Path.of("../measurements");
    private static final Pattern NAMED = Pattern.compile("`([A-Za-z0-9./_*-]+)`");
    /// Licences under which figures may be passed on with a program under Apache-2.0.
    private static final Set<String> FITTING = Set.of("Apache-2.0", "MIT", "BSD-3-Clause");
    /// Tables whose rows say their source in another way, which `docs/data.md` names.
    private static final Pattern WITHOUT_COLUMN = Pattern.compile(
            "measured/h200_.*|time/coefficients.csv|catalogue/sizes.csv|price/skypilot-devices.csv|launch/families.csv"
                    + "|launch/.*-[bv]?[0-9.]+\\.csv");

    private record Terms(List<Pattern> names, String terms) {
        boolean isOf(String name) {
            return names.stream().anyMatch(one -> one.matcher(name).matches());
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void everyTableHasItsTerms(String table) throws IOException {
        assertThat(terms("| table |"))
                .as("a row for `%s` in docs/data.md", table)
                .anyMatch(one -> one.isOf(table) && !one.terms().isBlank());
    }

    @ParameterizedTest
    @MethodSource("tables")
    void everyRowHasASource(String table) throws IOException {
        if (table.endsWith(".csv") && !WITHOUT_COLUMN.matcher(table).matches()) {
            assertThat(column(table(table), "source"))
                    .isNotEmpty()
                    .allSatisfy(source -> assertThat(source).isNotBlank());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"inference.csv", "serving.csv", "training.csv", "memory.csv", "other.csv"})
    void measurementsInTheJarMayBePassedOn(String table) throws IOException {
        List<Terms> licences = terms("| `source_id` in the jar |");
        for (String id : sources(MEASURED.resolve(table))) {
            assertThat(licences)
                    .as("the licence of '%s' in docs/data.md", id)
                    .filteredOn(one -> one.isOf(id))
                    .singleElement()
                    .satisfies(one -> assertThat(FITTING).contains(one.terms()));
        }
    }

    @Test
    void everyPriceHasADayAndNoneIsWrittenFromMemory() throws IOException {
        assertThat(column(table("catalogue/prices.csv"), "date"))
                .isNotEmpty()
                .allSatisfy(day -> assertThat(LocalDate.parse(day)).isAfter(LocalDate.of(2024, 1, 1)));
        assertThat(column(table("catalogue/prices.csv"), "source"))
                .noneMatch(source -> source.toLowerCase(Locale.ROOT).contains("recalled"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"inference.csv", "serving.csv", "training.csv", "memory.csv", "other.csv"})
    void otherMeasurementsSayWhyTheyAreNotInTheJar(String table) throws IOException {
        List<Terms> reasons = terms("| `source_id` in `measurements` |");
        for (String id : sources(NOT_PASSED_ON.resolve(table))) {
            assertThat(reasons)
                    .as("why '%s' is not in the jar, in docs/data.md", id)
                    .filteredOn(one -> one.isOf(id))
                    .hasSize(1);
        }
    }

    @Test
    void noSourceIsNamedThatHasNoRows() throws IOException {
        Set<String> ids = new TreeSet<>();
        for (Path folder : List.of(MEASURED, NOT_PASSED_ON)) {
            for (String table : List.of("inference.csv", "serving.csv", "training.csv", "memory.csv", "other.csv")) {
                ids.addAll(sources(folder.resolve(table)));
            }
        }
        Stream.of("| `source_id` in the jar |", "| `source_id` in `measurements` |")
                .flatMap(head -> terms(head).stream())
                .flatMap(one -> one.names().stream())
                .forEach(name -> assertThat(ids)
                        .as("rows of %s", name)
                        .anyMatch(id -> name.matcher(id).matches()));
    }

    static List<String> tables() throws IOException {
        List<String> names = new ArrayList<>();
        for (Path folder : TABLES) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(Files::isRegularFile)
                        .map(file -> folder.relativize(file).toString().replace('\\', '/'))
                        .forEach(names::add);
            }
        }
        Collections.sort(names);
        return names;
    }

    private static Path table(String name) {
        return TABLES.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    /// The rows of the table in `docs/data.md` that begins so: what is named in the first column, and the last column.
    private static List<Terms> terms(String head) {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of("../docs/data.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Terms> rows = new ArrayList<>();
        int at = 0;
        while (!lines.get(at).startsWith(head)) {
            at++;
        }
        for (at += 2; at < lines.size() && lines.get(at).startsWith("|"); at++) {
            String[] cells = lines.get(at).split("\\|", -1);
            List<Pattern> names = NAMED.matcher(cells[1])
                    .results()
                    .map(DataSourcesTest::pattern)
                    .toList();
            rows.add(new Terms(names, cells[cells.length - 2].strip()));
        }
        return rows;
    }

    private static Pattern pattern(MatchResult name) {
        return Pattern.compile(name.group(1).replace(".", "\\.").replace("*", ".*"));
    }

    private static Set<String> sources(Path table) throws IOException {
        return new TreeSet<>(column(table, "source_id"));
    }

    private static List<String> column(Path table, String name) throws IOException {
        List<String> lines = Files.readAllLines(table);
        int column = CsvReader.fieldsOf(lines.getFirst()).indexOf(name);
        assertThat(column).isNotNegative();
        return lines.stream()
                .skip(1)
                .map(line -> CsvReader.fieldsOf(line).get(column))
                .toList();
    }
}
