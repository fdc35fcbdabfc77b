// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `docs/tutorial.md`, followed from top to bottom: files behind `<!-- file: NAME -->` are written, commands of
/// `console` blocks are run, and have to print what is shown below them and to end with 0, or with what a `$ echo $?`
/// behind them shows.
///
/// `mvn test -Dgolden.update=true` shows the same lines as they are printed now; read the difference before committing
/// it.
@Timeout(300)
@Needs(value = Need.POSIX, programs = "curl")
class TutorialTest {
    private static final Path PAGE = Path.of("../docs/tutorial.md");
    private static final Pattern BLOCK =
            Pattern.compile("(?:<!-- file: (\\S+) -->\n+```\\w*\n|```console\n)(.*?)```\n", Pattern.DOTALL);
    private static final String PROMPT = "$ ";
    private static final String EXIT_CODE = "echo $?";

    @TempDir
    private Path folder;

    private final List<String> wrong = new ArrayList<>();

    @Test
    void everyCommandPrintsWhatThePageShows(@TempDir Path programs) throws Exception {
        String page = Files.readString(PAGE);
        String renewed;
        try (TutorialShell shell = new TutorialShell(folder, programs)) {
            renewed = follow(page, shell);
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(PAGE, renewed);
        } else {
            assertThat(wrong).as("update with -Dgolden.update=true").isEmpty();
        }
    }

    /// Does what the page says; returns the page as it should be.
    private String follow(String page, TutorialShell shell) throws Exception {
        StringBuilder renewed = new StringBuilder();
        Matcher block = BLOCK.matcher(page);
        int end = 0;
        while (block.find()) {
            renewed.append(page, end, block.start(2));
            if (block.group(1) == null) {
                run(block.group(2), shell, renewed);
            } else {
                Files.writeString(folder.resolve(block.group(1)), block.group(2));
                renewed.append(block.group(2));
            }
            end = block.end(2);
        }
        assertThat(end).isPositive();
        return renewed.append(page.substring(end)).toString();
    }

    /// Runs the commands of a block, and writes down what it should be.
    private void run(String block, TutorialShell shell, StringBuilder renewed) throws Exception {
        List<String> lines = block.lines().toList();
        assertThat(lines.getFirst()).startsWith(PROMPT);
        int i = 0;
        while (i < lines.size()) {
            int begin = i;
            while (lines.get(i).endsWith("\\")) {
                i++;
            }
            List<String> typed = lines.subList(begin, i + 1);
            begin = ++i;
            while (i < lines.size() && !lines.get(i).startsWith(PROMPT)) {
                i++;
            }
            ShownOutput shown = new ShownOutput(lines.subList(begin, i));
            int code = i + 1 < lines.size() && lines.get(i).equals(PROMPT + EXIT_CODE)
                    ? Integer.parseInt(lines.get(i + 1))
                    : ExitCode.OK;
            String command = String.join("\n", typed).substring(PROMPT.length()).replaceAll("\\\\\n\\s*", "");
            for (String line : Stream.concat(typed.stream(), check(command, shell, shown, code).lines().stream())
                    .toList()) {
                renewed.append(line).append('\n');
            }
        }
    }

    /// Runs a command unless it asks for the exit code, which the one before it has checked; returns what is to be
    /// shown.
    private ShownOutput check(String command, TutorialShell shell, ShownOutput shown, int code) throws Exception {
        if (command.equals(EXIT_CODE)) {
            return shown;
        }
        Outcome outcome = shell.run(command);
        assertThat(outcome.code())
                .as("%s\n%s%s", command, outcome.err(), outcome.out())
                .isEqualTo(code);
        List<String> output = (outcome.err() + outcome.out())
                .lines()
                .map(String::stripTrailing)
                .toList();
        if (Boolean.getBoolean("golden.update")) {
            return shown.of(output);
        }
        if (!shown.matches(output)) {
            wrong.add(PROMPT + command + "\n" + String.join("\n", output));
        }
        return shown;
    }
}
