// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Adds a command as `docs/architecture.md` says: it is made as `version` is, and stands in the list behind `diff`.
class AddCommandTest {
    @TempDir
    private Path folder;

    @Test
    void aCommandIsAClassAndItsLineInTheList() throws Exception {
        ChangedSources changed = new ChangedSources(folder);
        String version = Files.readString(Path.of("../cli/src/main/java/dev/muster/cli/VersionCommand.java"));
        changed.add(
                "AcmeCommand.java",
                version.replace("VersionCommand", "AcmeCommand")
                        .replace("\"version\", \"show the version\"", "\"acme\", \"try a new command\""));
        changed.change(
                "Commands.java",
                text -> text.lines().flatMap(AddCommandTest::withAcme).collect(Collectors.joining("\n", "", "\n")));
        changed.compile("Commands");

        assertThat(changed.run("acme")).startsWith("muster ");
        assertThat(changed.run("help")).contains("acme").contains("try a new command");
        assertThat(changed.run("completion bash")).contains("acme");

        Map<String, String> documented = ChangedSources.documented("To add a command");
        assertThat(ChangedSources.javaFiles(documented.getOrDefault("is one of `muster`", "")))
                .containsExactly("NAMECommand.java", "Commands.java");
        assertThat(changed.sources()).containsExactlyInAnyOrder("AcmeCommand.java", "Commands.java");
    }

    private static Stream<String> withAcme(String line) {
        return line.contains("DiffCommand(") || line.strip().equals("DIFF,")
                ? Stream.of(
                        line,
                        line.replace("DiffCommand()", "AcmeCommand(\"25\")").replace("DIFF", "ACME"))
                : Stream.of(line);
    }
}
