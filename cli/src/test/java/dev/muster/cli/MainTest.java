// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.detect.host.Host;
import dev.muster.detect.host.OperatingSystem;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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
    void tooFewOpenFilesAreNoDefect() throws IOException, InterruptedException {
        assertThat(shell("ulimit -n 24; \"$@\" mesh run -n 4 -- true 2>&1; echo $?"))
                .startsWith("muster: this process may not open enough files (")
                .endsWith("); raise the limit, for example with 'ulimit -n 1024'\n1\n");
    }

    @Test
    void aFileNameThatTheLocaleCannotSpellIsNoDefect() throws IOException, InterruptedException {
        String said = shell("LC_ALL=C \"$@\" --registry \"$(printf 'gr\\303\\274n.json')\"; echo $?");

        assertThat(said).startsWith("muster: file").contains(" not found").endsWith("\n1\n");
    }

    @Test
    void withoutHomeTheUsersFolderIsTheOneThatJavaKnows() {
        Host bare = host(Map.of("LANG", "C"));

        assertThat(Main.withHome(bare, "/home/me").variables())
                .containsOnly(Map.entry("LANG", "C"), Map.entry("HOME", "/home/me"));
        assertThat(Main.withHome(host(Map.of("HOME", "")), "/home/me").variables())
                .containsOnly(Map.entry("HOME", "/home/me"));
        assertThat(Main.withHome(bare, "?")).isSameAs(bare);
        Host set = host(Map.of("HOME", "/elsewhere"));
        assertThat(Main.withHome(set, "/home/me")).isSameAs(set);
    }

    @Test
    void withoutHomeAKubeconfigIsLookedForInTheUsersFolder() throws IOException, InterruptedException {
        String folder = System.getProperty("user.home");

        assertThat(shell("unset HOME KUBECONFIG KUBERNETES_SERVICE_HOST;"
                        + " \"$@\" fleet list --source kubernetes:nowhere 2>&1"))
                .contains(folder + "/.kube/config");
    }

    private static Host host(Map<String, String> variables) {
        return Host.live(OperatingSystem.LINUX, "amd64", variables, InstantSource.system());
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
