// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.mesh.MeshRunCommand;
import dev.muster.cli.mesh.RankOptions;
import dev.muster.cli.option.Arguments;
import dev.muster.cli.option.ExitCode;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `muster mesh run --hosts` with a way to "other hosts" that leads back here; scripts/check-hosts has real ones.
@Needs(Need.POSIX)
@Timeout(120)
class MeshRunOnHostsTest {
    private final MusterRun muster = MusterRun.inPipe().withEnvironment("PATH", "/usr/bin:/bin");

    @TempDir
    private Path folder;

    private Path ssh = Path.of("");

    /// Takes what ssh takes, notes it, and runs the command with a shell, as sshd does.
    @BeforeEach
    void makeWay() throws IOException {
        ssh = folder.resolve("way");
        Files.writeString(ssh, """
                #!/bin/sh
                while [ "$1" != -- ]; do shift; done
                shift
                printf '%s\\n' "$*" >>"${0%/*}/commands"
                [ "$1" != gone ] || { echo "ssh: connect to host gone port 22: No route to host" >&2; exit 255; }
                exec sh -c "$2"
                """);
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
    }

    private Outcome run(String hosts, String script, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "mesh", "run", "--hosts", hosts, "--ssh", ssh.toString(), "--address", "127.0.0.1", "--grace", "1s"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return muster.run(words);
    }

    @Test
    void everyRankKnowsItsPlaceOnItsHost() {
        Outcome outcome = run(
                "a:2,user@b,localhost",
                "echo $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE, host $GROUP_RANK, $MASTER_ADDR:$MASTER_PORT");
        assertThat(outcome.quietOutput().lines().sorted())
                .containsExactly(
                        "[0] 0 of 4, 0 of 2, host 0, a:29500",
                        "[1] 1 of 4, 1 of 2, host 0, a:29500",
                        "[2] 2 of 4, 0 of 1, host 1, a:29500",
                        "[3] 3 of 4, 0 of 1, host 2, a:29500");
    }

    @Test
    void theSecretArrivesAndIsInNoCommandLine() throws IOException {
        Outcome outcome = run("a:2", "echo \"$MUSTER_SECRET\"; read -r more || echo nothing more to read");
        List<String> lines = outcome.quietOutput().lines().sorted().toList();
        String secret = lines.stream()
                .filter(line -> !line.contains("nothing"))
                .findFirst()
                .orElseThrow()
                .substring("[0] ".length());
        assertThat(secret).hasSizeGreaterThan(16);
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "[0] " + secret, "[1] " + secret, "[0] nothing more to read", "[1] nothing more to read");
        assertThat(Files.readString(folder.resolve("commands"))).doesNotContain(secret);
    }

    @Test
    void wordsWithBlanksAndQuotesArriveAsTheyAre() {
        Outcome outcome = muster.run(List.of(
                "mesh",
                "run",
                "--hosts",
                "a",
                "--ssh",
                ssh.toString(),
                "--address",
                "127.0.0.1",
                "--",
                "printf",
                "%s|",
                "it's",
                "$HOME",
                "a  b",
                "\"q\"",
                "\\"));
        assertThat(outcome.quietOutput()).isEqualTo("[0] it's|$HOME|a  b|\"q\"|\\|\n");
    }

    @Test
    void aFailureEndsTheOthersThereWithAllThatTheyStarted() throws Exception {
        Outcome outcome = run(
                "a,b",
                "if [ $RANK = 0 ]; then while [ ! -s '" + folder + "/pid' ]; do sleep 0.01; done; exit 7; fi;"
                        + " trap '' TERM; sleep 600 & echo $! > '" + folder + "/pid'; while :; do wait; done");
        assertThat(outcome.code()).isEqualTo(7);
        assertThat(outcome.err()).contains("muster: rank 0 failed with exit code 7, so the other one is stopped");
        long grandchild = Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        while (ProcessHandle.of(grandchild).filter(ProcessHandle::isAlive).isPresent()) {
            Thread.sleep(20);
        }
    }

    /// The second rank stops without a word, as behind a cut link. The grace period is longer than the test may take.
    @Test
    void aSilentRankIsNotWaitedForWhenTheMeshHasFailed() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Outcome outcome = muster.run(List.of(
                "mesh",
                "run",
                "--hosts",
                "a,b",
                "--ssh",
                ssh.toString(),
                "--address",
                "127.0.0.1",
                "--grace",
                "10m",
                "--limit",
                "2s",
                "--",
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StoppedMember.class.getName()));
        assertThat(outcome.code()).isEqualTo(3);
        assertThat(outcome.out()).contains("[0] failed: ");
        assertThat(outcome.err()).contains("muster: rank 0 failed with exit code 3");
    }

    @Test
    void aHostThatCannotBeReachedIsNamedInTheLastLines() {
        Outcome outcome = run("a,gone", "exec sleep 600");
        assertThat(outcome.code()).isEqualTo(255);
        assertThat(outcome.err())
                .contains("muster: rank 1 failed with exit code 255, so the other one is stopped")
                .contains("ssh: connect to host gone port 22: No route to host");
    }

    @Test
    void fewerProcessesThanThereIsRoomForFillTheFirstHosts() {
        assertThat(run("a:2,b:2", "echo $LOCAL_RANK $GROUP_RANK", "-n", "3")
                        .quietOutput()
                        .lines()
                        .sorted())
                .containsExactly("[0] 0 0", "[1] 1 0", "[2] 0 1");
    }

    @Test
    void badRequestsAreOneSentence() {
        refused("mesh run --hosts -oProxyCommand=x -- true", "--hosts is a list such as node1:8,node2:8");
        refused("mesh run --hosts a:0 -- true", "--hosts is a list such as node1:8,node2:8");
        refused("mesh run --hosts a,,b -- true", "--hosts is a list such as node1:8,node2:8");
        refused("mesh run --hosts a:2 -n 3 -- true", "-n is 3, but --hosts has room for 2");
        refused("mesh run -n 2 --ssh ssh -- true", "--ssh requires --hosts");
        refused("mesh run --hosts a --launcher srun -- true", "--hosts and --launcher both start processes");
    }

    @Test
    void hostsHaveRoomFor4096ProcessesAndNoMore() {
        List<String> most = List.of("--hosts", "a:4000,b:96", "--", "true");
        assertThat(RankOptions.hosts(Arguments.parse(new MeshRunCommand().spec(), most)))
                .hasSize(4096)
                .endsWith("b");
        refused("mesh run --hosts a:4000,b:97 -- true", "--hosts is a list such as node1:8,node2:8 of at most 4096");
    }

    private void refused(String line, String sentence) {
        Outcome outcome = muster.run(List.of(line.split(" ")));
        assertThat(outcome.code()).isEqualTo(ExitCode.USAGE);
        assertThat(outcome.err()).startsWith("muster: " + sentence).hasLineCount(1);
    }
}
