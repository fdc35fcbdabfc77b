// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.CommandSpec;
import dev.muster.cli.option.ExitCode;
import dev.muster.cli.option.OptionSpec;
import dev.muster.cli.session.Version;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManPageTest {
    private static final List<CommandSpec> COMMANDS = new Commands("").specs();
    private static final String PAGE = ManPage.text(COMMANDS);

    @Test
    void beginsWithATitleThatNamesTheVersion() {
        assertThat(PAGE).startsWith(".TH MUSTER 1 \"\" \"muster " + Version.TEXT + "\" \"User Commands\"\n");
    }

    @Test
    void hasTheUsualSectionsInTheUsualOrder() {
        assertThat(PAGE.lines().filter(line -> line.startsWith(".SH ")))
                .containsExactly(
                        ".SH NAME",
                        ".SH SYNOPSIS",
                        ".SH DESCRIPTION",
                        ".SH COMMANDS",
                        ".SH MACHINE OPTIONS",
                        ".SH COMMON OPTIONS",
                        ".SH EXIT STATUS",
                        ".SH ENVIRONMENT");
    }

    @Test
    void hasASectionForEveryCommandWithItsOptions() {
        for (CommandSpec command : COMMANDS) {
            assertThat(PAGE.lines())
                    .anyMatch(line ->
                            line.startsWith(".SS \"muster " + command.name().replace("-", "\\-")));
            for (OptionSpec option : command.options()) {
                assertThat(PAGE).contains("\\-\\-" + option.name().replace("-", "\\-"));
            }
        }
    }

    @Test
    void explainsEveryExitCode() throws IllegalAccessException {
        for (Field field : ExitCode.class.getDeclaredFields()) {
            assertThat(PAGE.substring(PAGE.indexOf(".SH EXIT STATUS")))
                    .as(field.getName())
                    .contains(".TP\n.B " + field.getInt(null) + "\n");
        }
    }

    @Test
    void noLineOfTextIsTakenForARequest() {
        List<String> requests = List.of("TH", "SH", "SS", "B", "RI", "TP", "PP", "br", "nf", "fi", "RS", "RE");

        assertThat(PAGE.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allSatisfy(line -> assertThat(requests)
                        .contains(Arrays.asList(line.substring(1).split(" ")).getFirst()));
    }

    @Test
    @Needs(programs = "groff")
    void groffHasNothingToWarnAbout(@TempDir Path folder) throws IOException, InterruptedException {
        Path page = Files.writeString(folder.resolve("muster.1"), PAGE);

        Program.Result result = Program.run(List.of("groff", "-ww", "-man", "-Tutf8", "-z", page.toString()));

        assertThat(result).isEqualTo(new Program.Result(0, ""));
    }

    @Test
    @Needs(programs = "man")
    void manShowsWhatPeopleCanPaste(@TempDir Path folder) throws IOException, InterruptedException {
        Path page = Files.writeString(folder.resolve("muster.1"), PAGE);

        Program.Result result = Program.run(
                List.of("man", "--warnings", "-E", "UTF-8", "-l", page.toString()),
                Map.of("MANWIDTH", "200", "MANPAGER", "cat", "MAN_KEEP_FORMATTING", ""));

        assertThat(result.code()).isZero();
        assertThat(result.output()).doesNotContain("warning:", "\\");
        for (CommandSpec command : COMMANDS) {
            command.examples().forEach(example -> assertThat(result.output()).contains(example.line()));
            command.allOptions()
                    .forEach(option -> assertThat(result.output())
                            .contains(option.synopsis().strip()));
        }
    }

    @Test
    void theBuildWritesThePageAndTheScripts(@TempDir Path folder) throws IOException {
        ManPage.main(new String[] {folder.toString()});

        assertThat(folder.resolve("man/muster.1")).content().isEqualTo(PAGE);
        assertThat(folder.resolve("completion/muster.bash")).content().isEqualTo(CompletionScript.of("bash", COMMANDS));
        assertThat(folder.resolve("completion/_muster")).content().startsWith("#compdef muster\n");
        assertThat(folder.resolve("completion/muster.fish")).content().isEqualTo(CompletionScript.of("fish", COMMANDS));
    }
}
