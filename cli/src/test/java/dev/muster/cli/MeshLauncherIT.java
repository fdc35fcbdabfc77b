// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.InstalledMuster.Result;
import dev.muster.mesh.collective.EngineProvider;
import dev.muster.mesh.session.Backends;
import dev.muster.testing.Exclusive;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Program;
import dev.muster.testing.Waiting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Meshes as people start them: the launcher's own command, with all options that it gives the JVM. Launchers of others
/// have their own opinion of some of those.
@Exclusive
@Needs(Need.LINUX)
@Timeout(900)
class MeshLauncherIT {
    private static final Path BUILT_SHIM = Path.of("../mesh/target/native/libmuster_gloo.so");
    private static final int NOT_AVAILABLE = 69;
    private static final int SIGINT = 128 + 2;
    /// The signal of Ctrl-C.
    private static final byte END_OF_TEXT = 3;
    /// Names the window, clears it, and asks for its answer-back text.
    private static final String ESCAPES = "\\033]0;owned\\007\\033[2J\\005 harmless";

    private static InstalledMuster muster = new InstalledMuster(Path.of(""));

    @BeforeAll
    static void install(@TempDir Path folder) throws Exception {
        muster = InstalledMuster.in(Files.createDirectory(folder.resolve("with blanks")));
        assertThat(muster.run("version").code()).as("makes the start-up cache").isZero();
    }

    static Stream<String> backends() {
        return Backends.list().stream()
                .filter(backend -> !backend.isForDevices())
                .map(EngineProvider::name);
    }

    @ParameterizedTest
    @MethodSource("backends")
    void everyBackendIsMeasured(String backend) throws Exception {
        if (backend.equals("shm")) {
            Need.SHARED_MEMORY.require();
        }
        if (backend.contains("mpi")) {
            Program.require("mpirun");
        }
        if (backend.contains("gloo")) {
            requireGloo();
        }

        Result result = muster.run(
                ("mesh bench -n 2 --to 1KiB --factor 128 --iterations 3 --json --backend " + backend).split(" "));

        assertThat(result.code()).as(result.toString()).isZero();
        assertThat(result.err()).isEmpty();
        for (int bytes : List.of(8, 1024)) {
            assertThat(result.out())
                    .contains("\"backend\":\"" + backend + "\",\"operation\":\"all-reduce\",\"sizeBytes\":" + bytes);
        }
        assertThat(result.out().split("\"wrongElements\":0\\b", -1)).hasSize(3);
    }

    /// As in a bundle, the library lies beside the jars.
    private static void requireGloo() throws IOException, InterruptedException {
        Path shim = muster.lib().resolve("libmuster_gloo.so");
        if (Files.exists(shim)) {
            return;
        }
        if (Files.exists(BUILT_SHIM)) {
            Files.copy(BUILT_SHIM, shim);
            return;
        }
        Process build = new ProcessBuilder("../scripts/build-gloo-shim", shim.toString())
                .redirectErrorStream(true)
                .start();
        String said = Waiting.output(build);
        int code = InstalledMuster.end(build);
        if (code == NOT_AVAILABLE) {
            throw Need.unmet("Gloo and a compiler (Debian: g++ libgloo-dev, Fedora: gcc-c++ gloo-devel)");
        }
        assertThat(code).as(said).isZero();
    }

    @Test
    void nothingOnAnyListOfBackendsIsLeftUntested() {
        assertThat(backends()).contains("local", "shm", "tcp", "hier", "gloo", "hier-gloo", "mpi", "hier-mpi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " >&2"})
    void escapeCodesOfRanksReachNoTerminal(String where) throws Exception {
        Process terminal = onTerminal("mesh run -n 2 -- sh -c 'printf \"" + ESCAPES + "\\n\"" + where + "'");
        String seen = Waiting.output(terminal);

        assertThat(InstalledMuster.end(terminal)).as(seen).isZero();
        assertThat(seen.split("harmless", -1)).hasSize(3);
        assertThat(seen).doesNotContain("\u001b]", "\u0007", "\u001b[2J", "\u0005");
    }

    @Test
    void escapeCodesOfRanksThatFailReachNoTerminal() throws Exception {
        Process terminal = onTerminal("mesh run -n 1 -- sh -c 'printf \"" + ESCAPES + "\\n\"; exit 3'");
        String seen = Waiting.output(terminal);

        assertThat(InstalledMuster.end(terminal)).as(seen).isEqualTo(3);
        assertThat(seen)
                .contains("rank 0 failed with exit code 3")
                .doesNotContain("\u001b]", "\u0007", "\u001b[2J", "\u0005");
    }

    /// A terminal tells all of them at once, and ranks end sooner than a JVM notices.
    @RepeatedTest(3)
    void controlAndCBlamesNoRank() throws Exception {
        // The first start of all records its start-up cache, and says so.
        Process first = onTerminal("mesh run -n 1 -- true");
        Waiting.output(first);
        InstalledMuster.end(first);
        Process terminal = onTerminal("mesh run -n 4 -- sh -c 'echo ready; exec sleep 600'");
        try {
            Queue<String> lines = new ConcurrentLinkedQueue<>();
            Thread reader = Thread.ofPlatform()
                    .daemon()
                    .start(() ->
                            terminal.inputReader(StandardCharsets.UTF_8).lines().forEach(lines::add));
            Waiting.until(() -> String.join("\n", lines).split("ready", -1).length == 5 || !terminal.isAlive());
            terminal.getOutputStream().write(END_OF_TEXT);
            terminal.getOutputStream().flush();

            assertThat(InstalledMuster.end(terminal)).as(lines.toString()).isEqualTo(SIGINT);
            assertThat(reader.join(Waiting.limit(Duration.ofSeconds(20)))).isTrue();
            assertThat(String.join("\n", lines))
                    .contains("ready", "[3]")
                    .doesNotContain("muster: ", "SIGINT", "exit code");
        } finally {
            InstalledMuster.end(terminal.destroyForcibly());
        }
    }

    @Test
    void aSignalToTheLauncherAloneBlamesNoRank(@TempDir Path folder) throws Exception {
        Path err = folder.resolve("err");
        Process launcher = muster.process(Program.interruptible(
                        muster.command("mesh", "run", "-n", "3", "--", "sh", "-c", "echo ready; exec sleep 600")))
                .redirectError(err.toFile())
                .start();
        try {
            for (int rank = 0; rank < 3; rank++) {
                assertThat(Waiting.bounded(() ->
                                launcher.inputReader(StandardCharsets.UTF_8).readLine()))
                        .endsWith("ready");
            }
            List<ProcessHandle> ranks = launcher.children().toList();
            assertThat(Program.run(List.of("sh", "-c", "kill -INT " + launcher.pid()))
                            .code())
                    .isZero();

            assertThat(InstalledMuster.end(launcher)).isEqualTo(SIGINT);
            assertThat(err).isEmptyFile();
            assertThat(ranks).hasSize(3).noneMatch(ProcessHandle::isAlive);
        } finally {
            InstalledMuster.end(launcher.destroyForcibly());
        }
    }

    /// Runs a command line of the launcher on a terminal of its own; what it shows comes as output.
    private static Process onTerminal(String words) throws IOException, InterruptedException {
        Program.require("script");
        String line = "'" + muster.launcher() + "' " + words;
        return muster.process(Program.interruptible(List.of("script", "-qec", line, "/dev/null")))
                .redirectErrorStream(true)
                .start();
    }
}
