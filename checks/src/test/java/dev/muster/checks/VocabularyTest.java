// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Terms of the field instead of words of our own: TP, KV cache, prefill, replica, recompute.
class VocabularyTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern OWN_WORDS = Pattern.compile(
            "shared? matrices|promptWork|OF_KIN|\\bbadness\\b|virtual turns|turns of the pipeline|\\d copies of the model",
            Pattern.CASE_INSENSITIVE);
    /// A store has keys and values; a model has a KV cache.
    private static final Pattern SHOWN = Pattern.compile("keys and values", Pattern.CASE_INSENSITIVE);

    @Test
    void codeHelpTablesAndDocumentsSpeakTheWordsOfTheField() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : List.of(
                "core",
                "detect",
                "model",
                "plan",
                "evidence",
                "report",
                "mesh",
                "monitor",
                "fleet",
                "server",
                "micrometer",
                "opentelemetry",
                "spring",
                "cli")) {
            look(ROOT.resolve(module).resolve("src/main/java"), OWN_WORDS, found);
        }
        look(ROOT.resolve("docs"), OWN_WORDS, found);
        Path golden = ROOT.resolve("cli/src/test/resources/golden");
        look(golden, OWN_WORDS, found);
        look(golden, SHOWN, found);
        assertThat(found).isEmpty();
    }

    private static void look(Path folder, Pattern words, List<String> found) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(VocabularyTest::isText).toList()) {
                if (words.matcher(Files.readString(file)).find()) {
                    found.add(file + ": " + words);
                }
            }
        }
    }

    private static boolean isText(Path file) {
        String name = file.toString();
        return name.endsWith(".java") || name.endsWith(".md") || name.endsWith(".txt") || name.endsWith(".json");
    }
}
