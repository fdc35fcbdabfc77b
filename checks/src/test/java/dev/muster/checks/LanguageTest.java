// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The language of sources and documents: doc comments open with a noun phrase or a verb, not with a question word, and
/// sentences name their subject.
class LanguageTest {
    /// Modules that follow the rules. Add a module when its texts do.
    private static final Set<String> MODULES = new TreeSet<>(
            Set.of("core", "monitor", "fleet", "micrometer", "opentelemetry", "spring", "bench", "testing"));
    /// Documents that follow the rules.
    private static final Set<String> DOCUMENTS =
            Set.of("fleet.md", "fleet-sources.md", "data.md", "top.md", "benchmarks.md");

    private static final Path ROOT = Path.of("..");
    private static final double MOST_QUESTION_WORDS = 0.03;
    private static final double MOST_INDEFINITE = 15;
    private static final double LINES = 100_000;
    /// The first words of a doc comment, or of the description of a parameter or result.
    private static final Pattern OPENING =
            Pattern.compile("(?m)(?<!///.{0,200}\\R[ ]{0,40})///[ ]+(?!@)(\\w+)|///[ ]+@(?:param \\S+|return) (\\w+)");
    private static final Pattern QUESTION_WORD =
            Pattern.compile("(?:wh(?:at|ere|en|ich|y|o|om|ose|ether)(?:ever)?|how)", Pattern.CASE_INSENSITIVE);
    private static final Pattern INDEFINITE = Pattern.compile(
            "\\b(?:(?:no|some|any|every)body|(?:what|who|whom)ever|some(?:one)|no[ ]one)\\b", Pattern.CASE_INSENSITIVE);
    /// "is not a file" is plain, the other form is not; comparisons such as "no longer" are.
    private static final Pattern DENIAL = Pattern.compile(
            "\\b(?:is|are|was|were)[ ]no[ ](?!longer|more\\b|sooner|fewer|less\\b|larger|smaller)\\w+",
            Pattern.CASE_INSENSITIVE);

    @ParameterizedTest
    @FieldSource("MODULES")
    void docCommentsOpenWithANounOrAVerb(String module) throws IOException {
        int comments = 0;
        List<String> found = new ArrayList<>();
        for (Path file : sources(module)) {
            Matcher opening = OPENING.matcher(Files.readString(file));
            while (opening.find()) {
                comments++;
                String word = opening.group(1) == null ? opening.group(2) : opening.group(1);
                if (QUESTION_WORD.matcher(word).matches()) {
                    found.add(file + ": " + opening.group());
                }
            }
        }
        assertThat(found)
                .as("of %d doc comments and parameters of %s", comments, module)
                .hasSizeLessThanOrEqualTo((int) (comments * MOST_QUESTION_WORDS));
        assertThat(comments).isPositive();
    }

    @Test
    void sentencesNameTheirSubject() throws IOException {
        long lines = 0;
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            for (Path file : sources(module)) {
                lines += Files.readString(file).lines().count();
                look(file, INDEFINITE, found);
            }
        }
        assertThat(found).hasSizeLessThanOrEqualTo((int) (lines / LINES * MOST_INDEFINITE));
    }

    @Test
    void whatSomethingIsNotIsSaidWithNot() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : MODULES) {
            for (Path file : sources(module)) {
                look(file, DENIAL, found);
            }
        }
        for (String document : DOCUMENTS) {
            look(ROOT.resolve("docs").resolve(document), DENIAL, found);
        }
        assertThat(found).isEmpty();
    }

    @Test
    void thePatternsFindWhatTheyAreFor() {
        String source = """
                /// What it is.
                ///
                /// @param size how large it is
                /// @return the size
                int a;
                /// The size, and
                /// what it means.
                int b;
                """;
        assertThat(OPENING.matcher(source).results().map(one -> one.group(1) == null ? one.group(2) : one.group(1)))
                .containsExactly("What", "how", "the", "The");
        assertThat(INDEFINITE.matcher("Some" + "body said: what" + "ever").results())
                .hasSize(2);
        assertThat(DENIAL.matcher("it is" + " no file, and is no longer there").results())
                .hasSize(1);
    }

    private static void look(Path file, Pattern pattern, List<String> found) throws IOException {
        pattern.matcher(Files.readString(file)).results().forEach(one -> found.add(file + ": " + one.group()));
    }

    private static List<Path> sources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("target"))
                    .sorted()
                    .toList();
        }
    }
}
