// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `scripts/mutate` does not count mutants that are listed as equivalent: each row is about a line that exists, and has
/// a
/// reason.
class EquivalentMutantsTest {
    private static final Path TABLE = Path.of("../scripts/lib/mutate/equivalents.tsv");

    static List<String> rows() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isAboutALineThatExists(String row) throws IOException {
        String[] fields = row.split("\t", -1);
        assertThat(fields).as("file, line, old text, new text, number, reason").hasSize(6);
        assertThat(fields[5]).isNotBlank();
        assertThat(Files.readAllLines(Path.of("..").resolve(fields[0])).stream().map(String::strip))
                .contains(fields[1]);
        assertThat(fields[2]).isNotEqualTo(fields[3]);
    }
}
