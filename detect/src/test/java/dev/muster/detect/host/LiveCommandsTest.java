// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Gap;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Real programs that misbehave in all the ways that tools of vendors do.
@Needs(Need.LINUX)
class LiveCommandsTest {
    private static final Tool TOOL = Tool.of("muster-test-tool");
    private static final Duration SHORT = Duration.ofMillis(300);
    /// Generous: the machine may be busy. What is measured is that it ends at all, and without its family.
    private static final Duration LONG = Duration.ofSeconds(20);

    private Path folder;
    private LiveCommands commands;

    @BeforeEach
    void prepare(@TempDir Path temporary) throws IOException {
        folder = Files.createDirectory(temporary.resolve("bin"));
        commands = new LiveCommands(List.of(folder.toString()));
    }

    @Test
    void takesOutputErrorAndExitCode() throws IOException {
        script("echo out; echo err >&2; exit 3");

        CommandOutcome.Completed done = completed(LONG);

        assertThat(done.exitCode()).isEqualTo(3);
        assertThat(done.output()).isEqualTo("out\n");
        assertThat(done.error()).isEqualTo("err\n");
        assertThat(done.truncated()).isFalse();
        assertThat(done.findGap("x")).get().extracting(Gap::display).isEqualTo("x: exited with code 3 — err");
    }

    @Test
    void handsOverArgumentsAsTheyAreWithoutAShell() throws IOException {
        script("for a in \"$@\"; do echo \"[$a]\"; done");

        CommandOutcome outcome = commands.run(TOOL, List.of("a b", "$(id)", "; rm -rf x", "*"), CommandLimits.of(LONG));

        assertThat(((CommandOutcome.Completed) outcome).output()).isEqualTo("[a b]\n[$(id)]\n[; rm -rf x]\n[*]\n");
    }

    @Test
    void givesACleanEnvironmentNoInputAndTheRootFolder() throws IOException {
        script(
                "env | grep -v '^_=' | grep -v '^PWD=' | grep -v '^SHLVL=' | grep -v '^MUSTER_TOOL=' | sort; pwd; cat; echo end");

        assertThat(completed(LONG).output())
                .isEqualTo("LC_ALL=C\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n/\nend\n");
    }

    @Test
    void aToolThatPrints200KilobytesQuicklyIsReadWhole() throws IOException {
        script("head -c 200000 /dev/zero | tr '\\0' 'x'; head -c 200000 /dev/zero | tr '\\0' 'y' >&2");

        CommandOutcome.Completed done = completed(LONG);

        assertThat(done.output()).hasSize(200_000);
        assertThat(done.error()).hasSize(200_000);
    }

    @Test
    void aToolThatFloodsAGigabyteIsReadToItsEndAndKeptInPart() throws IOException {
        script("head -c 1000000000 /dev/zero; echo end >&2");

        CommandOutcome.Completed done = (CommandOutcome.Completed)
                commands.run(TOOL, List.of(), new CommandLimits(Duration.ofSeconds(60), 1 << 20));

        assertThat(done.output()).hasSize(1 << 20);
        assertThat(done.truncated()).isTrue();
        assertThat(done.error()).isEqualTo("end\n");
        assertThat(done.findGap("x")).isPresent();
    }

    @Test
    void aToolThatHangsIsEndedAtItsLimit() throws IOException {
        script("exec sleep 600");

        assertThat(commands.run(TOOL, List.of(), CommandLimits.of(SHORT))).isEqualTo(new CommandOutcome.Expired(SHORT));
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void aToolThatIgnoresTheRequestToEndIsEndedWithItsChildren() throws IOException {
        Path pids = folder.resolve("pids");
        script("trap '' TERM; sleep 600 & echo $! > " + pids + "; echo $$ >> " + pids
                + "; while :; do sleep 600; done");

        assertThat(commands.run(TOOL, List.of(), CommandLimits.of(Duration.ofSeconds(2))))
                .isInstanceOf(CommandOutcome.Expired.class);
        assertThat(Files.readAllLines(pids))
                .hasSize(2)
                .allSatisfy(pid -> assertThat(isAlive(Long.parseLong(pid))).isFalse());
    }

    @Test
    void aToolWhoseChildKeepsThePipeOpenDoesNotHoldUpTheAnswer() throws IOException {
        Path pids = folder.resolve("pids");
        script("echo answer; sleep 600 & echo $! > " + pids);

        CommandOutcome.Completed done = completed(LONG);

        assertThat(done.output()).isEqualTo("answer\n");
        long child = Long.parseLong(Files.readString(pids).strip());
        ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void aToolThatCrashesIsReportedAsEndedByASignal() throws IOException {
        script("kill -SEGV $$");

        assertThat(completed(LONG).findGap("x"))
                .get()
                .extracting(Gap::display)
                .isEqualTo("x: exited with signal — (no output)");
    }

    @Test
    void whatAToolLeavesBehindIsEnded() throws IOException {
        Path pids = folder.resolve("pids");
        script("setsid sleep 600 >/dev/null 2>&1 & echo $! > " + pids + "; sleep 0.2; echo answer");

        assertThat(completed(LONG).output()).isEqualTo("answer\n");

        long left = Long.parseLong(Files.readString(pids).strip());
        for (int i = 0; i < 100 && isRunning(left); i++) {
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(20).toNanos());
        }
        assertThat(isRunning(left)).isFalse();
    }

    /// One that ended may stay in the list until its new parent looks.
    private static boolean isRunning(long pid) throws IOException {
        Path status = Path.of("/proc/" + pid + "/status");
        return Files.exists(status) && !Files.readString(status).contains("State:\tZ");
    }

    @Test
    void aToolThatWouldRunAsAnotherUserIsNotRunAndTheGapSaysSo() throws IOException {
        Path script = script("echo run");
        Files.setAttribute(script, "unix:mode", 0_4755);

        CommandOutcome outcome = commands.run(TOOL, List.of(), CommandLimits.of(LONG));

        assertThat(outcome).isInstanceOf(CommandOutcome.NotRun.class);
        assertThat(outcome.findGap("x").orElseThrow().display())
                .startsWith("x: not run — ")
                .contains("setuid");
    }

    @Test
    @Needs(Need.ROOT)
    void aToolOfAnOrdinaryUserIsNotRunByRoot() throws IOException {
        Path trace = folder.resolve("trace");
        Path script = script("echo run > " + trace);
        Files.setAttribute(script, "unix:uid", 1000);

        CommandOutcome outcome = commands.run(TOOL, List.of(), CommandLimits.of(LONG));

        assertThat(outcome.findGap("x").orElseThrow().display()).contains("belongs to another user");
        assertThat(trace).doesNotExist();
    }

    /// The rule, said once more in another way: whoever is not root or the caller must have had no way to change it.
    @Test
    @Needs(Need.ROOT)
    void aToolIsTrustedByItsOwnersAndModesAlone() throws IOException {
        long seed = Long.getLong("fault.seed", 20_261_119L);
        System.out.println("owners and modes of tools, -Dfault.seed=" + seed);
        Random random = new Random(seed);
        Path script = script("echo run");
        for (int i = 0; i < 500; i++) {
            int owner = random.nextInt(3) * 1000;
            int folderOwner = random.nextInt(4) == 0 ? 1000 : 0;
            int mode = 0_500 | (random.nextBoolean() ? 0_055 : random.nextInt(0_100));
            int special = random.nextInt(4) == 0 ? random.nextInt(8) << 9 : 0;
            int folderMode = 0_700 | random.nextInt(0_100);
            Files.setAttribute(script, "unix:uid", owner);
            Files.setAttribute(script, "unix:mode", mode | special);
            Files.setAttribute(folder, "unix:uid", folderOwner);
            Files.setAttribute(folder, "unix:mode", folderMode);

            boolean isTrusted = TrustedFile.findObjection(script).isEmpty();

            boolean ownersAreFine = owner == 0 && folderOwner == 0;
            boolean modesAreFine = (mode & 0_022) == 0 && (special & 0_6000) == 0 && (folderMode & 0_002) == 0;
            assertThat(isTrusted)
                    .as("case %d of seed %d: %d:%o in %d:%o", i, seed, owner, mode | special, folderOwner, folderMode)
                    .isEqualTo(ownersAreFine && modesAreFine);
        }
        Files.setAttribute(folder, "unix:mode", 0_700);
    }

    @Test
    void aToolThatIsNotThereIsNotFound() {
        assertThat(commands.findPath(TOOL)).isEmpty();
        assertThat(commands.run(TOOL, List.of(), CommandLimits.of(LONG))).isEqualTo(new CommandOutcome.NotFound());
    }

    @Test
    void aToolThatOthersMayWriteToIsNotRun() throws IOException {
        Path script = script("echo run > " + folder.resolve("trace"));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxrwxrwx"));

        CommandOutcome outcome = commands.run(TOOL, List.of(), CommandLimits.of(LONG));

        assertThat(outcome).isInstanceOf(CommandOutcome.NotRun.class);
        assertThat(outcome.findGap("x"))
                .get()
                .extracting(Gap::display)
                .asString()
                .contains("writable by others");
        assertThat(folder.resolve("trace")).doesNotExist();
    }

    @Test
    void aToolInAFolderThatEverybodyMayWriteToIsNotRun() throws IOException {
        script("echo run");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(commands.run(TOOL, List.of(), CommandLimits.of(LONG))).isInstanceOf(CommandOutcome.NotRun.class);
    }

    @Test
    void aFileThatIsNoProgramIsAFailureAndNoException() throws IOException {
        Path file = folder.resolve(TOOL.name());
        Files.write(file, new byte[] {0x7f, 'E', 'L', 'F', 0, 0, 0, 0});
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThat(commands.run(TOOL, List.of(), CommandLimits.of(LONG)))
                .isInstanceOfAny(CommandOutcome.Failed.class, CommandOutcome.Completed.class)
                .satisfies(outcome -> assertThat(outcome.isSuccess()).isFalse());
    }

    @Test
    void leavesNoThreadBehind() throws IOException {
        script("exec sleep 600");
        long before = namedThreads();

        commands.run(TOOL, List.of(), CommandLimits.of(SHORT));

        assertThat(namedThreads()).isEqualTo(before);
    }

    private static long namedThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("muster"))
                .count();
    }

    /// A process that has ended but was not collected yet counts as ended.
    private static boolean isAlive(long pid) {
        for (int i = 0; i < 100; i++) {
            Path stat = Path.of("/proc/" + pid + "/stat");
            try {
                if (!Files.exists(stat) || Files.readString(stat).contains(") Z ")) {
                    return false;
                }
            } catch (IOException _) {
                return false;
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
        return true;
    }

    private CommandOutcome.Completed completed(Duration limit) {
        CommandOutcome outcome = commands.run(TOOL, List.of(), CommandLimits.of(limit));
        assertThat(outcome).isInstanceOf(CommandOutcome.Completed.class);
        return (CommandOutcome.Completed) outcome;
    }

    private Path script(String body) throws IOException {
        Path file = folder.resolve(TOOL.name());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
