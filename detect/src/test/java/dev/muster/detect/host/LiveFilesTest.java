// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Needs(Need.POSIX)
class LiveFilesTest {
    private static final int LIMIT = 16;

    @Test
    void readsAFile(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("proc"));
        Files.writeString(root.resolve("proc/meminfo"), "MemTotal: 1 kB\n");

        assertThat(new LiveFiles().read(root + "/proc/meminfo", LIMIT))
                .isEqualTo(new HostAnswer.Found<>("MemTotal: 1 kB\n"));
    }

    @Test
    void readsAnEmptyFileAsEmpty(@TempDir Path root) throws IOException {
        Files.createFile(root.resolve("empty"));

        assertThat(new LiveFiles().read(root + "/empty", LIMIT)).isEqualTo(new HostAnswer.Found<>(""));
    }

    @Test
    void saysThatAFileIsMissing(@TempDir Path root) {
        assertThat(new LiveFiles().read(root + "/proc/meminfo", LIMIT)).isEqualTo(new HostAnswer.Missing<>());
    }

    @Test
    void saysThatAFileIsMissingWhereItsFolderIsAFile(@TempDir Path root) throws IOException {
        Files.createFile(root.resolve("proc"));

        assertThat(new LiveFiles().read(root + "/proc/meminfo", LIMIT)).isEqualTo(new HostAnswer.Missing<>());
    }

    @Test
    void saysThatALinkToNowhereIsMissing(@TempDir Path root) throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("nowhere"));

        assertThat(new LiveFiles().read(root + "/link", LIMIT)).isEqualTo(new HostAnswer.Missing<>());
    }

    @Test
    void readsAFileThatIsExactlyAsLargeAsAllowed(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("full"), "x".repeat(LIMIT));

        assertThat(new LiveFiles().read(root + "/full", LIMIT)).isEqualTo(new HostAnswer.Found<>("x".repeat(LIMIT)));
    }

    @Test
    void refusesAFileThatIsOneByteTooLarge(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("over"), "x".repeat(LIMIT + 1));

        assertThat(new LiveFiles().read(root + "/over", LIMIT))
                .isEqualTo(new HostAnswer.Unreadable<>("more than 16 bytes"));
    }

    @Test
    void replacesBytesThatAreNotUtf8(@TempDir Path root) throws IOException {
        Files.write(root.resolve("binary"), new byte[] {'a', (byte) 0xff, 'b'});

        assertThat(new LiveFiles().read(root + "/binary", LIMIT)).isEqualTo(new HostAnswer.Found<>("a\ufffdb"));
    }

    @Test
    void aPipeIsNotOpened(@TempDir Path root) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", root + "/pipe").start().waitFor())
                .isZero();

        assertThat(new LiveFiles().read(root + "/pipe", LIMIT))
                .isEqualTo(new HostAnswer.Unreadable<>("is not a regular file"));
        assertThat(new RecordedFiles(new RecordedTree.InFolder(root)).read("/pipe", LIMIT))
                .isEqualTo(new HostAnswer.Unreadable<>("is not a regular file"));
    }

    @Test
    void aFolderIsUnreadableAndNotAQuestionOfPermission(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("proc/meminfo"));

        HostAnswer<String> outcome = new LiveFiles().read(root + "/proc/meminfo", LIMIT);

        assertThat(outcome).isInstanceOf(HostAnswer.Unreadable.class);
        assertThat(outcome.toString()).doesNotContain("permission").contains("folder");
    }

    @Test
    @Needs(Need.ORDINARY_USER)
    void aFileWithoutPermissionIsUnreadableForThatReason(@TempDir Path root) throws IOException {
        Path file = Files.writeString(root.resolve("secret"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

        HostAnswer<String> outcome = new LiveFiles().read(root + "/secret", LIMIT);

        assertThat(outcome).isNotInstanceOfAny(HostAnswer.Found.class, HostAnswer.Missing.class);
        assertThat(outcome.toString()).containsIgnoringCase("permi");
    }

    @Test
    void followsALink(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("target"), "x");
        Files.createSymbolicLink(root.resolve("link"), Path.of("target"));

        assertThat(new LiveFiles().read(root + "/link", LIMIT)).isEqualTo(new HostAnswer.Found<>("x"));
    }

    @Test
    @Needs(Need.LINUX)
    void readsAKernelFileThatClaimsToBeEmpty() throws IOException {
        assertThat(Files.size(Path.of("/proc/meminfo"))).isZero();

        assertThat(new LiveFiles().read("/proc/meminfo", 64 << 10))
                .isInstanceOfSatisfying(
                        HostAnswer.Found.class,
                        content -> assertThat(String.valueOf(content.content())).contains("MemTotal:"));
    }

    @Test
    @Needs(Need.LINUX)
    void refusesAKernelFileThatTurnsOutTooLarge() {
        assertThat(new LiveFiles().read("/proc/meminfo", LIMIT))
                .isEqualTo(new HostAnswer.Unreadable<>("more than 16 bytes"));
    }

    @Test
    @Needs(Need.LINUX)
    void aReadThatFailsInTheKernelIsUnreadable() {
        // Address 0 of a process is never mapped: the file opens and the read fails with EIO.
        assertThat(new LiveFiles().read("/proc/self/mem", LIMIT))
                .isEqualTo(new HostAnswer.Unreadable<>("Input/output error"));
    }

    /// To open it the usual way would wait for the next message for ever.
    @Test
    @Needs(Need.LINUX)
    void theKernelsLogIsReadToItsEndOrRefused() {
        HostAnswer<String> outcome = new LiveFiles().read(KernelLog.PATH, 64 << 20);

        assertThat(outcome)
                .isInstanceOfAny(HostAnswer.Found.class, HostAnswer.NotPermitted.class, HostAnswer.Missing.class);
    }
}
