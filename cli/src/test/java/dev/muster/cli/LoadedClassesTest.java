// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The classes of Muster that a start loads: each takes its time, so a command loads no other's.
class LoadedClassesTest {
    private static final int MOST_OF_VERSION = 45;
    private static final Pattern LOADED = Pattern.compile("] (dev\\.muster\\.[\\w.$]+)");

    @Test
    void versionLoadsFewClassesAndNoOtherCommand() throws Exception {
        List<String> classes = load("version");

        assertThat(classes)
                .contains("dev.muster.cli.Main", "dev.muster.cli.VersionCommand")
                .hasSizeLessThanOrEqualTo(MOST_OF_VERSION)
                .filteredOn(name -> name.endsWith("Command"))
                .containsExactlyInAnyOrder("dev.muster.cli.session.Command", "dev.muster.cli.VersionCommand");
    }

    private static List<String> load(String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xlog:class+load",
                // As on the boot loader, where the launcher puts the jars: a check would load more classes.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
        builder.command().addAll(List.of(words));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        process.getOutputStream().close();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(log).isZero();
        return LOADED.matcher(log)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
