// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.session.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The command line as documented: examples, commands, options and exit codes.
class DocumentedCommandsTest {
    private static final Path ROOT = Path.of("..");
    private static final Commands COMMANDS = new Commands("25");
    /// `muster …` in a block of code, up to a comment, a pipe, a file or a second command.
    private static final Pattern EXAMPLE =
            Pattern.compile("(?m)^(?:\\$ )?(?:\\./)?muster ((?:'[^']*'|\"[^\"]*\"|[^#|>&\n])*)");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");
    private static final Pattern OPTION = Pattern.compile("`--([a-z][a-z-]+)");
    /// Options of other programs that the page of the command line speaks of.
    private static final List<String> OF_OTHERS = List.of("n-cpu-moe");

    static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page).replace("\\\n", " ");
            for (String block : text.split("(?m)^```", -1)) {
                if (block.startsWith("sh\n") || block.startsWith("console\n")) {
                    EXAMPLE.matcher(block)
                            .results()
                            .map(found -> found.group(1).strip())
                            .filter(example -> !example.isEmpty())
                            .forEach(examples::add);
                }
            }
        }
        return examples;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsUnderstood(String example) {
        List<String> words = new ArrayList<>(WORD.matcher(example)
                .results()
                .map(DocumentedCommandsTest::word)
                .toList());
        Command command = COMMANDS.require(words.removeFirst());
        Arguments arguments = Arguments.parse(command.spec(), words);
        CommandSpec meant = command.specOf(arguments.operands());
        if (!meant.name().equals(command.spec().name())) {
            words.remove(arguments.operands().getFirst());
        }
        assertThatCode(() -> Arguments.parse(meant, words)).as(example).doesNotThrowAnyException();
    }

    @Test
    void thePageNamesEveryCommand() throws IOException {
        String table = section("## Commands");
        for (CommandSpec command : COMMANDS.specs()) {
            assertThat(table).as(command.name()).containsPattern("\\| .*`" + command.name() + "\\b.*\\|.*\\|");
        }
    }

    @Test
    void thePageNamesNoOptionThatIsNone() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/command-line.md"));
        TreeSet<String> named = new TreeSet<>();
        OPTION.matcher(page).results().forEach(found -> named.add(found.group(1)));
        assertThat(named).hasSizeGreaterThan(50);

        named.removeAll(OF_OTHERS);
        named.removeIf(name -> COMMANDS.specs().stream()
                .anyMatch(command -> command.findOption(name).isPresent()));
        assertThat(named).isEmpty();
    }

    @Test
    void thePageExplainsEveryExitCode() throws IOException, IllegalAccessException {
        String table = section("## Exit codes");
        for (var field : ExitCode.class.getDeclaredFields()) {
            assertThat(table)
                    .as(field.getName())
                    .containsPattern("(?m)^\\|[^|]*\\b" + field.getInt(null) + "\\b[^|]*\\|");
        }
    }

    private static String section(String heading) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/command-line.md"));
        int start = page.indexOf(heading + "\n");
        return page.substring(start, page.indexOf("\n## ", start));
    }

    private static String word(MatchResult found) {
        return Stream.of(1, 2, 3)
                .map(group -> Optional.ofNullable(found.group(group)))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        for (String folder : List.of("docs", "docs/engines", "docs/guides")) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                pages.addAll(files.filter(file -> file.toString().endsWith(".md"))
                        .sorted()
                        .toList());
            }
        }
        return pages;
    }
}
