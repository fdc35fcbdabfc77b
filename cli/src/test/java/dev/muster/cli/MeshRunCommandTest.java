// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import dev.muster.testing.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `muster mesh run` with real processes: good ones, failing ones, killed ones and stubborn ones.
@Needs(Need.LINUX)
class MeshRunCommandTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private final MusterRun muster = MusterRun.inPipe().withEnvironment("PATH", "/usr/bin:/bin");

    @TempDir
    private Path folder;

    @Test
    void everyProcessKnowsItsPlaceAndEveryLineItsRank() {
        Outcome outcome = shell(
                "3",
                "echo $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE, $GROUP_RANK; "
                        + "echo $MUSTER_BACKEND $MUSTER_LIMIT $MASTER_ADDR $LANG");

        assertThat(outcome.quietOutput().lines().sorted())
                .containsExactly(
                        "[0] 0 of 3, 0 of 3, 0",
                        "[0] auto 60000ms 127.0.0.1 en_US.UTF-8",
                        "[1] 1 of 3, 1 of 3, 0",
                        "[1] auto 60000ms 127.0.0.1 en_US.UTF-8",
                        "[2] 2 of 3, 2 of 3, 0",
                        "[2] auto 60000ms 127.0.0.1 en_US.UTF-8");
    }

    @Test
    void keepsTheTwoStreamsApart() {
        Outcome outcome = shell("1", "echo out; echo err >&2; printf 'no end'");

        assertThat(outcome.out()).isEqualTo("[0] out\n[0] no end\n");
        assertThat(outcome.err()).isEqualTo("[0] err\n");
        assertThat(outcome.code()).isZero();
    }

    @Test
    void passesLongLinesAndForeignBytesOn() {
        Outcome outcome = shell("1", "head -c 40000 /dev/zero | tr '\\0' 'x'; echo; printf 'ä\\377\\n'");

        List<String> lines = outcome.quietOutput().lines().toList();
        assertThat(lines).hasSize(4).allMatch(line -> line.startsWith("[0] "));
        assertThat(lines.subList(0, 3).stream()
                        .mapToInt(line -> line.length() - 4)
                        .sum())
                .isEqualTo(40_000);
        assertThat(lines.getLast()).isEqualTo("[0] ä\ufffd");
    }

    @Test
    void theFirstFailureEndsTheOthersAndIsNamed() {
        Outcome outcome = shell(
                "3",
                "if [ $RANK = 1 ]; then echo step 1; echo 'no such tensor' >&2; exit 3; fi; exec sleep 600",
                "--grace",
                "10ms");

        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.err())
                .startsWith("[1] no such tensor\n")
                .contains("muster: rank 1 failed with exit code 3, so the other ones are stopped; its last lines:\n")
                .contains("\n    step 1\n")
                .contains("\n    no such tensor\n");
    }

    @Test
    void aKilledProcessIsNamedWithItsSignal() {
        Outcome outcome = shell("2", "if [ $RANK = 0 ]; then kill -KILL $$; fi; exec sleep 600", "--grace", "10ms");

        assertThat(outcome.code()).isEqualTo(128 + 9);
        assertThat(outcome.err())
                .isEqualTo("muster: rank 0 was ended by SIGKILL (exit code 137), so the other one is stopped;"
                        + " it wrote nothing\n");
    }

    @Test
    @Timeout(120)
    void whoDoesNotListenToSigtermIsKilledWithAllThatItStarted() throws IOException {
        Outcome outcome = shell(
                "2",
                "if [ $RANK = 0 ]; then while [ ! -s '" + folder + "/pid' ]; do sleep 0.01; done; exit 9; fi;"
                        + " trap '' TERM; sleep 600 & echo $! > '" + folder + "/pid'; while :; do wait; done",
                "--grace",
                "50ms");

        assertThat(outcome.code()).isEqualTo(9);
        long grandchild = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        // It is gone as soon as the system has dealt with the signal; who takes its exit code is not our concern.
        while (isRunning(grandchild)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isRunning(long pid) throws IOException {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            return !stat.substring(stat.lastIndexOf(')')).startsWith(") Z");
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    @Test
    void whoEndsWithinTheGracePeriodIsNotAsked() {
        Outcome outcome = shell(
                "2",
                "if [ $RANK = 0 ]; then exit 4; fi; trap 'echo asked; exit 1' TERM; sleep 0.1; echo saved",
                "--grace",
                "60s");

        assertThat(outcome.code()).isEqualTo(4);
        assertThat(outcome.out()).isEqualTo("[1] saved\n");
    }

    @Test
    void processesMeetInTheStore() {
        Outcome outcome =
                muster.run("mesh", "run", "-n", "2", "--", JAVA, "-cp", CLASS_PATH, MeshMember.class.getName());

        assertThat(outcome.quietOutput().lines().sorted())
                .containsExactly(
                        "[0] met rank 0 of 2 (RANK and WORLD_SIZE of torchrun are set)",
                        "[1] met rank 1 of 2 (RANK and WORLD_SIZE of torchrun are set)");
    }

    @Test
    void survivorsHearInTheStoreWhoIsLost() {
        Outcome outcome = muster.run(
                "mesh",
                "run",
                "-n",
                "2",
                "--grace",
                "60s",
                "--",
                JAVA,
                "-cp",
                CLASS_PATH,
                MeshMember.class.getName(),
                "lose");

        assertThat(outcome.code()).isEqualTo(5);
        assertThat(outcome.out()).contains("[0] heard that rank 1 failed with exit code 5\n");
        assertThat(outcome.err()).startsWith("muster: rank 1 failed with exit code 5");
    }

    /// Eight ranks, of which two are killed; the others notice, go on without them, and get right sums.
    @Test
    @Timeout(600)
    @Needs(Need.SHARED_MEMORY)
    void survivorsGoOnWithoutThoseThatAreKilled() {
        Outcome outcome = survivors("--min-ranks", "6");

        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()
                        .lines()
                        .filter(line -> line.contains("ended as rank"))
                        .sorted())
                .hasSize(6)
                .allMatch(line -> line.endsWith(" of 6"));
        long limit = Waiting.limit(Duration.ofSeconds(2)).toMillis();
        assertThat(outcome.out().lines().filter(line -> line.contains("rebuilt within")))
                .hasSizeGreaterThanOrEqualTo(6)
                .allMatch(line -> Long.parseLong(line.replaceAll(".*within ([0-9]+) ms", "$1")) < limit);
        assertThat(outcome.err()).contains("7 of 8 ranks go on", "6 of 8 ranks go on");
    }

    @Test
    @Timeout(600)
    @Needs(Need.SHARED_MEMORY)
    void tooFewSurvivorsAreStopped() {
        Outcome outcome = survivors("--min-ranks", "7", "--grace", "10ms");

        assertThat(outcome.code()).as(outcome.toString()).isEqualTo(128 + 9);
        assertThat(outcome.err()).contains("7 of 8 ranks go on", "so the other ones are stopped");
    }

    private Outcome survivors(String... options) {
        List<String> words = new ArrayList<>(List.of("mesh", "run", "-n", "8", "--keep-going"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", JAVA, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", CLASS_PATH));
        words.add(MeshSurvivor.class.getName());
        return muster.run(words.toArray(String[]::new));
    }

    @Test
    void ranksAreStartedAgainAfterAFailure() {
        Outcome outcome = shell(
                "2",
                "if [ -e '" + folder + "/second' ]; then echo well; else touch '" + folder + "/second'; exit 3; fi",
                "--grace",
                "10s",
                "--max-restarts",
                "2");

        assertThat(outcome.code()).as(outcome.toString()).isZero();
        assertThat(outcome.out()).contains("[0] well", "[1] well");
        assertThat(outcome.err()).contains("starting all ranks again (1 of 2)").doesNotContain("2 of 2");
    }

    @Test
    void fewestRanksAreForThoseThatGoOn() {
        shell("2", "true", "--min-ranks", "1")
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: --min-ranks does not apply: it is for --keep-going; see 'muster help'");
        shell("2", "true", "--keep-going", "--min-ranks", "3")
                .assertRefused(
                        ExitCode.USAGE, "muster: --min-ranks is an integer from 1 to 2, not '3'; see 'muster help'");
    }

    @Test
    @Timeout(120)
    @Needs(Need.SHARED_MEMORY)
    void aRankThatEndsWhileAGroupOpensLeavesNothingInSharedMemory() {
        Outcome outcome = muster.run(
                "mesh",
                "run",
                "-n",
                "2",
                "--backend",
                "shm",
                "--grace",
                "10ms",
                "--",
                JAVA,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                CLASS_PATH,
                MeshOpener.class.getName());

        assertThat(outcome.code()).as(outcome.toString()).isEqualTo(128 + 9);
        String made = outcome.out()
                .lines()
                .filter(line -> line.startsWith("[0] made "))
                .findFirst()
                .orElseThrow();
        assertThat(Path.of(made.substring("[0] made ".length())))
                .hasParentRaw(Path.of("/dev/shm"))
                .doesNotExist();
    }

    @Test
    void aSignalToTheLauncherReachesEveryProcess() throws Exception {
        String script = "trap 'echo gone > \"" + folder + "/$RANK\"; exit 0' TERM; echo ready;"
                + " while :; do sleep 0.05; done";
        Process launcher = launcher("run", "-n", "2", "--", "sh", "-c", script);
        try (BufferedReader out = launcher.inputReader(StandardCharsets.UTF_8)) {
            assertThat(List.of(out.readLine(), out.readLine())).containsExactlyInAnyOrder("[0] ready", "[1] ready");
            List<ProcessHandle> children = launcher.children().toList();
            launcher.destroy();

            assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(launcher.exitValue()).isEqualTo(128 + 15);
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("0", "1");
            }
            assertThat(children).hasSize(2).noneMatch(ProcessHandle::isAlive);
        } finally {
            launcher.destroyForcibly();
        }
    }

    @Test
    void whenTheReaderGoesAwayEverythingEnds() throws Exception {
        Process launcher = launcher("run", "-n", "2", "--grace", "10ms", "--", "yes");
        try {
            launcher.getInputStream().read();
            launcher.getInputStream().close();

            assertThat(launcher.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(launcher.exitValue()).isEqualTo(ExitCode.READER_GONE);
        } finally {
            launcher.destroyForcibly();
        }
    }

    @Test
    void badRequestsAreOneSentence() {
        refused("mesh", "mesh needs a subcommand: plan, run, bench, rehearse, doctor; see 'muster help mesh'");
        refused("mesh rnu", "mesh has no subcommand 'rnu'; did you mean run?");
        refused("mesh run -- true", "mesh run needs the number of processes: -n N; see 'muster help mesh run'");
        refused(
                "mesh run -n 2 --synthetic h100-sxm:8 -- true",
                "--synthetic does not apply: mesh run starts processes; see 'muster help mesh run'");
        refused(
                "mesh run -n 2 --json -- true",
                "--json does not apply: mesh run passes on what the processes print; see 'muster help mesh run'");
        refused("mesh run -n 0 -- true", "-n is an integer from 1 to 4096, not '0'; see 'muster help mesh run'");
        refused("mesh run -n many -- true", "-n is an integer from 1 to 4096, not 'many'; see 'muster help mesh run'");
        refused(
                "mesh run -n 2",
                "mesh run needs a program to start, such as 'muster mesh run -n 4 -- python train.py';"
                        + " see 'muster help mesh run'");
        refused(
                "mesh run -n 2 --backend local -- true",
                "--backend local is for the threads of one process, so -n is 1 with it; see 'muster help mesh run'");
        refused(
                "mesh run -n 2 --limit soon -- true",
                "--limit is a time from 1ms to 1d, such as 2s or 500ms, not 'soon'; see 'muster help mesh run'");
        Outcome missing = muster.run("mesh", "run", "-n", "2", "--", "/no/such/program");
        assertThat(missing.code()).isEqualTo(ExitCode.NO);
        assertThat(missing.err())
                .startsWith("muster: cannot start '/no/such/program': not found or not executable")
                .doesNotContain(" )")
                .hasLineCount(1);
    }

    private void refused(String line, String sentence) {
        muster.run(List.of(line.split(" "))).assertRefused(ExitCode.USAGE, "muster: " + sentence);
    }

    private Outcome shell(String processes, String script, String... options) {
        List<String> words = new ArrayList<>(List.of("mesh", "run", "-n", processes));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return muster.run(words);
    }

    private static Process launcher(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA, "-cp", CLASS_PATH, "dev.muster.cli.Main", "mesh"));
        command.addAll(List.of(words));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /// A launcher of a cluster in a few lines: it tells each process its place as Slurm does.
    private String pretendedSrun() throws IOException {
        Path srun = folder.resolve("srun");
        Files.writeString(srun, """
                #!/bin/sh
                [ "$1" = -n ] || exit 9
                ranks=$2
                shift 2
                rank=0
                while [ "$rank" -lt "$ranks" ]; do
                    SLURM_PROCID=$rank SLURM_NTASKS=$ranks "$@" || exit
                    rank=$((rank + 1))
                done
                """);
        assertThat(srun.toFile().setExecutable(true)).isTrue();
        return srun.toString();
    }

    @Test
    void anotherLauncherStartsTheRanksAndSpeaksForItself() throws IOException {
        Outcome outcome = muster.run(
                "mesh",
                "run",
                "-n",
                "2",
                "--backend",
                "tcp",
                "--limit",
                "5s",
                "--launcher",
                pretendedSrun(),
                "--",
                "sh",
                "-c",
                "echo $SLURM_PROCID of $SLURM_NTASKS, ${MUSTER_STORE%:*} $MUSTER_BACKEND $MUSTER_LIMIT");

        assertThat(outcome.quietOutput()).isEqualTo("0 of 2, 127.0.0.1 tcp 5000ms\n1 of 2, 127.0.0.1 tcp 5000ms\n");
        assertThat(muster.run("mesh", "run", "-n", "2", "--launcher", pretendedSrun(), "--", "sh", "-c", "exit 7")
                        .code())
                .isEqualTo(7);
    }

    @Test
    void aLauncherGetsAScript() {
        Outcome outcome = muster.run(
                "mesh",
                "run",
                "-n",
                "8",
                "--launcher",
                "srun -p gpu",
                "--limit",
                "10s",
                "--emit",
                "--",
                "java",
                "-cp",
                "my app.jar",
                "Main");

        assertThat(outcome.quietOutput()).isEqualTo("""
                #!/bin/sh
                #SBATCH --job-name=muster
                #SBATCH --ntasks=8
                exec muster mesh run -n 8 --limit 10s --launcher 'srun -p gpu' --address "$SLURMD_NODENAME" \
                -- java -cp 'my app.jar' Main
                """);
    }

    @Test
    void saysWhatALauncherCannotBe() {
        fails(
                "mesh run -n 2 --launcher ssh -- true",
                "--launcher is mpirun or srun, with options of its own, not 'ssh'");
        fails("mesh run -n 2 --emit -- true", "--emit prints a script for a launcher");
        fails("mesh run -n 2 --backend mpi -- true", "MPI ranks are started by MPI's own launcher");
        fails("mesh run -n 2 --backend shn -- true", "--backend of mesh run is one of auto, local, shm,");
        fails(
                "mesh run -n 2 --address no.such.host.invalid -- true",
                "--address: the host 'no.such.host.invalid' is unknown");
    }

    private void fails(String words, String message) {
        Outcome outcome = muster.run(words.split(" "));
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err()).startsWith("muster: " + message);
        assertThat(outcome.code()).isNotZero();
    }

    @Test
    void aBackendOfOthersIsHandedOnToTheProgram() {
        Outcome outcome =
                muster.run("mesh", "run", "-n", "1", "--backend", "pigeons", "--", "sh", "-c", "echo $MUSTER_BACKEND");

        assertThat(outcome.out()).isEqualTo("[0] pigeons\n");
        assertThat(outcome.err())
                .isEqualTo("muster: pigeons is not a built-in backend; the program has to provide it\n");
    }
}
