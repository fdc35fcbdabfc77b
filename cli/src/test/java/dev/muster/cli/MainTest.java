// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program as a process of its own: what only a process has.
@Needs(Need.LINUX)
class MainTest {
    @Test
    void theExitCodeReachesTheCaller() throws IOException, InterruptedException {
        assertThat(shell("\"$@\" no-such-command 2>/dev/null; echo $?")).isEqualTo("2\n");
    }

    @Test
    void aReaderThatWentAwayEndsTheProgramSilently() throws IOException, InterruptedException {
        // The reader is gone before the program starts writing.
        assertThat(shell("{ sleep 0.1; \"$@\" help; echo \"code $?\" >&2; } | true"))
                .isEqualTo("code 141\n");
    }

    @Test
    void aFullDeviceIsNamed() throws IOException, InterruptedException {
        assertThat(shell("\"$@\" help >/dev/full; echo $?"))
                .isEqualTo("muster: cannot write to standard output: No space left on device\n74\n");
    }

    @Test
    void aRecordingThatCannotBeWrittenIsToldByTheExitCode(@TempDir Path folder)
            throws IOException, InterruptedException {
        String top = "\"$@\" top -1 --synthetic l4:1 --record '" + folder.resolve("night.jsonl") + "' >/dev/null";

        assertThat(shell("ulimit -f 0; " + top + "; echo $?"))
                .endsWith("muster: cannot write the recording: File too large\n74\n");
    }

    @Test
    void aFileNameThatTheLocaleCannotSpellIsNoDefect() throws IOException, InterruptedException {
        String said = shell("LC_ALL=C \"$@\" --registry \"$(printf 'gr\\303\\274n.json')\"; echo $?");

        assertThat(said).startsWith("muster: there is no file").endsWith("\n1\n");
    }

    private static String shell(String script) throws IOException, InterruptedException {
        List<String> line = List.of(
                "bash",
                "--norc",
                "-c",
                script,
                "test",
                ProcessHandle.current().info().command().orElse("java"),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-classpath",
                System.getProperty("java.class.path", ""),
                Main.class.getName());
        return Program.run(line).output();
    }
}
