// SPDX-License-Identifier: Apache-2.0
package dev.muster.evidence.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.evidence.results.form.ResultsException;
import dev.muster.testing.Need;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/// Every published file beside the checkout against what its index says that it holds.
class PublishedResultsTest {
    @Test
    void everyFileTellsWhatItsIndexSaysOrIsRefusedForItsReason() throws IOException {
        Map<String, String> table = ExpectedRuns.table("published.txt");
        SoftAssertions softly = new SoftAssertions();
        for (Path file : files()) {
            String name = folder().relativize(file).toString().replace('\\', '/');
            softly.assertThat(table).as("a new file without expectation").containsKey(name);
            ExpectedRuns.check(name, Files.readString(file), table.getOrDefault(name, ""), softly);
        }
        softly.assertAll();
    }

    @Test
    void cutFilesAreReadInPartOrRefused() throws IOException {
        for (Path file : files()) {
            String text = Files.readString(file);
            for (int tenth = 1; tenth < 10; tenth++) {
                String cut = text.substring(0, text.length() * tenth / 10);
                try {
                    assertThat(ResultForms.read(cut)).isNotEmpty();
                } catch (ResultsException e) {
                    assertThat(e.getMessage()).isNotBlank();
                }
            }
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> results = Files.walk(folder().resolve("results"));
                Stream<Path> logs = Files.walk(folder().resolve("training-logs"))) {
            return Stream.concat(results, logs)
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }

    private static Path folder() {
        return Need.recording("fixtures/bench");
    }
}
