// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The language of sources, messages, help and documents: doc comments open with a noun phrase or a verb, sentences
/// name
/// their subject, and denials use "not".
class LanguageTest {
    private static final Path ROOT = Path.of("..");
    private static final double MOST_QUESTION_WORDS = 0.03;
    private static final double MOST_INDEFINITE = 15;
    private static final double LINES = 100_000;
    /// The first word of a line of a doc comment, or of the description of a parameter or result.
    private static final Pattern OPENING = Pattern.compile("///[ ]+(?:(@)(?:param \\S+|return) )?(\\w+).*");

    private static final Pattern QUESTION_WORD =
            Pattern.compile("(?:wh(?:at|ere|en|ich|y|o|om|ose|ether)(?:ever)?|how)", Pattern.CASE_INSENSITIVE);
    private static final Pattern INDEFINITE = Pattern.compile(
            "\\b(?:(?:no|some|any|every)body|(?:what|who|whom)ever|some(?:one)|no[ ]one)\\b", Pattern.CASE_INSENSITIVE);
    /// "is not a file" is plain, the other form is not; comparisons such as "no longer" are.
    private static final Pattern DENIAL = Pattern.compile(
            "\\b(?:is|are|was|were)[ ]no[ ](?!longer|more\\b|sooner|fewer|less\\b|larger|smaller)\\w+",
            Pattern.CASE_INSENSITIVE);
    /// Phrases of options and messages that the manuals of kubectl and vLLM do not have.
    private static final Pattern DIALECT = Pattern.compile(
            "unless said|unless told|if nothing is said|what if these|made[- ]up|\\bunwell\\b|may be given again"
                    + "|with commas between|there is " + "no file",
            Pattern.CASE_INSENSITIVE);

    /// Texts of scripts and data, which are as visible as those of the sources.
    private static final Set<String> TEXT_FOLDERS = Set.of("scripts", "packaging", ".github");

    private static final Set<String> TEXTS =
            Set.of("java", "md", "txt", "csv", "js", "html", "css", "json", "sh", "py", "properties", "");
    /// Data of others, recordings, and outputs of tools.
    private static final Pattern FOREIGN = Pattern.compile(
            "/(?:target|node_modules|native|fixtures|recordings|captures|[a-z-]*FuzzTest[A-Za-z]*Inputs)/|/[A-Za-z]+FuzzTest"
                    + "|-options\\.csv$|equivalents\\.tsv$|/LICENSE|/Chart\\.js|chart\\.umd");

    static List<String> modules() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT)) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src"))
                            || folder.getFileName().toString().equals("testing"))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void docCommentsOpenWithANounOrAVerb(String module) throws IOException {
        for (List<Path> part : List.of(sources(module, "/test/", false), sources(module, "/test/", true))) {
            int comments = 0;
            List<String> found = new ArrayList<>();
            for (Path file : part) {
                for (String word : openings(Files.readString(file))) {
                    comments++;
                    if (QUESTION_WORD.matcher(word).matches()) {
                        found.add(file + ": " + word);
                    }
                }
            }
            assertThat(found)
                    .as("of %d doc comments and parameters of %s", comments, module)
                    .hasSizeLessThanOrEqualTo((int) (comments * MOST_QUESTION_WORDS));
        }
    }

    @Test
    void everyModuleIsRead() throws IOException {
        assertThat(modules())
                .contains("browser", "checks", "cli", "core", "detect", "evidence", "fleet", "mesh", "model", "plan")
                .contains("report", "server", "testing");
        for (String module : modules()) {
            assertThat(sources(module, "/", true)).as(module).isNotEmpty();
        }
    }

    @Test
    void sentencesNameTheirSubject() throws IOException {
        long lines = 0;
        List<String> found = new ArrayList<>();
        for (String module : modules()) {
            for (Path file : sources(module, "/", true)) {
                lines += Files.readString(file).lines().count();
                look(file, INDEFINITE, found);
            }
        }
        assertThat(found).hasSizeLessThanOrEqualTo((int) (lines / LINES * MOST_INDEFINITE));
    }

    @Test
    void sentencesOfDocumentsHelpAndScriptsNameTheirSubject() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : texts()) {
            look(file, INDEFINITE, found);
        }
        assertThat(found).isEmpty();
    }

    @Test
    void whatSomethingIsNotIsSaidWithNot() throws IOException {
        List<String> found = new ArrayList<>();
        for (String module : modules()) {
            for (Path file : sources(module, "/", true)) {
                look(file, DENIAL, found);
            }
        }
        for (Path file : texts()) {
            look(file, DENIAL, found);
        }
        assertThat(found).isEmpty();
    }

    @Test
    void helpAndDocumentsUseTheUsualPhrases() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path file : texts()) {
            look(file, DIALECT, found);
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
        assertThat(openings(source)).containsExactly("What", "how", "the", "The");
        assertThat(INDEFINITE.matcher("Some" + "body said: what" + "ever").results())
                .hasSize(2);
        assertThat(DENIAL.matcher("it is" + " no file, and is no longer there").results())
                .hasSize(1);
    }

    /// Returns the first words of doc comments, and of the descriptions of parameters and results.
    private static List<String> openings(String source) {
        List<String> words = new ArrayList<>();
        boolean inComment = false;
        for (String line : source.lines().map(String::strip).toList()) {
            Matcher opening = OPENING.matcher(line);
            if (opening.matches() && (!inComment || opening.group(1) != null)) {
                words.add(opening.group(2));
            }
            inComment = line.startsWith("///");
        }
        return words;
    }

    private static void look(Path file, Pattern pattern, List<String> found) throws IOException {
        pattern.matcher(Files.readString(file)).results().forEach(one -> found.add(file + ": " + one.group()));
    }

    /// Returns the sources of a module whose path has the part, or does not.
    private static List<Path> sources(String module, String part, boolean has) throws IOException {
        return walk(ROOT.resolve(module)).stream()
                .filter(file -> file.toString().endsWith(".java"))
                .filter(file -> file.toString().contains(part) == has)
                .toList();
    }

    /// Returns documents, the launcher, scripts, expected outputs and texts among the resources of main code.
    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>(List.of(
                ROOT.resolve("muster"),
                ROOT.resolve("README.md"),
                ROOT.resolve("CONTRIBUTING.md"),
                ROOT.resolve("SECURITY.md")));
        for (String folder : TEXT_FOLDERS) {
            texts.addAll(walk(ROOT.resolve(folder)));
        }
        texts.addAll(walk(ROOT.resolve("docs")));
        texts.removeIf(file -> file.toString().contains("/decisions/"));
        for (String module : modules()) {
            texts.addAll(walk(ROOT.resolve(module).resolve("src/main/resources")));
            texts.addAll(walk(ROOT.resolve(module).resolve("src/test/resources/golden")));
        }
        texts.removeIf(file -> !TEXTS.contains(ending(file)));
        assertThat(texts).hasSizeGreaterThan(200);
        return texts;
    }

    private static String ending(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1).equals(name) ? "" : name.substring(name.lastIndexOf('.') + 1);
    }

    private static List<Path> walk(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !FOREIGN.matcher(file.toString()).find())
                    .sorted()
                    .toList();
        }
    }
}
