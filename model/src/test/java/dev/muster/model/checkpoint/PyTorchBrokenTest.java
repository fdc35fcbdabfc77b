// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.checkpoint.CheckpointException.Code;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PyTorchBrokenTest {
    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = folder.resolve("model.pt");
    }

    private CheckpointException refusal(byte[] archive, CheckpointReader.Limits limits) throws IOException {
        Files.write(path, archive);
        return catchThrowableOfType(
                CheckpointException.class, () -> PyTorchReader.read(path, Scan.start(limits, null)));
    }

    private void refused(Code code, String part, byte[] archive) throws IOException {
        CheckpointException refusal = refusal(archive, CheckpointReader.Limits.DEFAULT);
        assertThat(refusal).hasMessageContaining(part);
        assertThat(refusal.code()).isEqualTo(code);
    }

    private static ZipToc archive() {
        return new ZipToc().member("m/data.pkl", 50).member("m/data/0", 10);
    }

    @Test
    void anArchiveCutAnywhereIsRefused() throws IOException {
        for (byte[] whole : new byte[][] {archive().toBytes(), archive().toWideBytes()}) {
            for (int length = 0; length < whole.length; length++) {
                CheckpointException refusal = refusal(Arrays.copyOf(whole, length), CheckpointReader.Limits.DEFAULT);
                assertThat(refusal).as("cut at %d", length).isNotNull();
                assertThat(refusal.code()).isEqualTo(length < 4 ? Code.UNKNOWN_FORMAT : Code.TRUNCATED);
            }
        }
    }

    @Test
    void anArchiveWithOneOtherByteNeverEndsInAnotherException() throws IOException {
        byte[] whole = archive().wideMember("m/data/1", 3).toWideBytes();
        BitFlips.assertReadOrRefused(whole, path, PyTorchReader::read);
    }

    @Test
    void picklesAreRefusedWithAWayOut() throws IOException {
        byte[] legacy = {(byte) 0x80, 2, (byte) 0x8a, 10, 0x6c, (byte) 0xfc, (byte) 0x9c, 0x46, (byte) 0xf9, 0x20};
        refused(Code.REFUSED, "convert it to safetensors", legacy);
        refused(Code.REFUSED, "runs code", new byte[] {(byte) 0x80, 4});
    }

    @Test
    void otherFilesAreNotOfPyTorch() throws IOException {
        refused(Code.UNKNOWN_FORMAT, "not a PyTorch archive", new byte[0]);
        refused(Code.UNKNOWN_FORMAT, "not a PyTorch archive", "GGUF".getBytes(StandardCharsets.UTF_8));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(out, new Manifest())) {
            jar.putNextEntry(new JarEntry("org/example/data.pkl"));
            jar.closeEntry();
        }
        refused(Code.UNKNOWN_FORMAT, "not of PyTorch: it has no data.pkl", out.toByteArray());
    }

    @Test
    void aBareStartOfAnArchiveIsCutOff() throws IOException {
        refused(Code.TRUNCATED, "cut off", new byte[] {'P', 'K', 3, 4});
        byte[] long0 = new byte[200_000];
        System.arraycopy(new byte[] {'P', 'K', 3, 4}, 0, long0, 0, 4);
        refused(Code.TRUNCATED, "cut off", long0);
    }

    @Test
    void bytesBehindTheEndAreRefused() throws IOException {
        byte[] whole = archive().toBytes();
        refused(Code.TRUNCATED, "no table of contents at its end", Arrays.copyOf(whole, whole.length + 1));
    }

    @Test
    void countsThatLieAreRefused() throws IOException {
        ZipToc longNames = lying(1, 0, 0).member("m/" + "x".repeat(100), 1);
        refused(Code.MALFORMED, "fewer members", longNames.toBytes());
        refused(Code.MALFORMED, "cannot have 3 members", lying(1, 0, 0).toBytes());
        refused(Code.MALFORMED, "more members", lying(-1, 0, 0).toBytes());
        refused(Code.MALFORMED, "cannot have 3002 members", lying(3000, 0, 0).toBytes());
        refused(Code.MALFORMED, "contradict", lying(1, 0, 0).toWideBytes());
        refused(Code.TOO_LARGE, "more than 100000 members", wide(1L << 40, 0, 0));
        refused(Code.TOO_LARGE, "more than 100000 members", wide(Long.MIN_VALUE, 0, 0));
    }

    @Test
    void tablesOutsideTheFileAreRefused() throws IOException {
        refused(Code.MISPLACED, "which the file has not", lying(0, 1, 0).toBytes());
        refused(Code.MISPLACED, "which the file has not", lying(0, 0, 1).toBytes());
        refused(Code.MISPLACED, "which the file has not", lying(0, 0, 1 << 30).toBytes());
        refused(Code.MISPLACED, "which the file has not", lying(0, 0, 1L << 62).toWideBytes());
        refused(
                Code.MISPLACED,
                "which the file has not",
                lying(0, 0, Long.MIN_VALUE).toWideBytes());
        refused(Code.MALFORMED, "fewer members", lying(0, 0, -1).toBytes());
        refused(Code.MALFORMED, "past the table of contents", lying(0, -1, 0).toBytes());
        refused(Code.MALFORMED, "contradict", lying(0, 1, 0).toWideBytes());
    }

    private static ZipToc lying(long entries, long size, long offset) {
        ZipToc toc = archive();
        toc.entriesOffBy = entries;
        toc.sizeOffBy = size;
        toc.offsetOffBy = offset;
        return toc;
    }

    /// Returns a large archive whose small end leaves the count to the large one.
    private static byte[] wide(long entries, long size, long offset) {
        byte[] bytes = lying(entries, size, offset).toWideBytes();
        Arrays.fill(bytes, bytes.length - 14, bytes.length - 10, (byte) 0xFF);
        return bytes;
    }

    @Test
    void theLargeEndHasToBeThere() throws IOException {
        byte[] bytes = archive().toWideBytes();
        int locator = bytes.length - 22 - 20;
        byte[] far = bytes.clone();
        far[locator + 15] = 0x7F;
        refused(Code.MISPLACED, "end lies at", far);
        byte[] negative = bytes.clone();
        negative[locator + 15] = (byte) 0x80;
        refused(Code.MISPLACED, "end lies at", negative);
        byte[] other = bytes.clone();
        other[locator + 8]--;
        refused(Code.MALFORMED, "not where it should be", other);
    }

    @Test
    void severalDisksAreRefused() throws IOException {
        ZipToc toc = archive();
        toc.disk = 1;
        refused(Code.REFUSED, "several disks", toc.toBytes());
        refused(Code.REFUSED, "several disks", toc.toWideBytes());
        refused(
                Code.REFUSED,
                "several disks",
                archive().entry("m/data/1", 0, 0, 1, 1, 0, new byte[0], 1).toBytes());
    }

    @Test
    void membersOutsideTheFileAreRefused() throws IOException {
        refused(
                Code.MISPLACED,
                "past the archive",
                archive().entry("m/data/1", 0, 0, 1000, 1000, 0).toBytes());
        refused(
                Code.MISPLACED,
                "past the archive",
                archive().entry("m/data/1", 0, 0, 1, 1, 1000).toBytes());
        refused(
                Code.MISPLACED,
                "past the archive",
                archive().entry("m/x", 0, 8, 0xFFFF_FFFEL, 1, 0).toBytes());
        byte[] huge = new byte[28];
        Arrays.fill(huge, (byte) 0xFF);
        System.arraycopy(new byte[] {1, 0, 24, 0}, 0, huge, 0, 4);
        refused(
                Code.MISPLACED,
                "18446744073709551615 bytes",
                archive().entry("m/data/1", 0, 0, -1, -1, -1, huge, 0).toBytes());
    }

    @Test
    void membersOverEachOtherAreRefused() throws IOException {
        refused(
                Code.MISPLACED,
                "over each other",
                archive().entry("m/data/1", 0, 0, 10, 10, 0).toBytes());
    }

    @Test
    void largeMembersSaySo() throws IOException {
        refused(
                Code.MALFORMED,
                "size or place is missing",
                archive().entry("m/x", 0, 0, -1, 1, 0).toBytes());
        for (byte[] extra : new byte[][] {{1, 0, 24, 0}, {1, 0, 0, 0}, {1, 0}, {2, 0, 1, 0, 0}}) {
            refused(
                    Code.MALFORMED,
                    "size or place is missing",
                    archive().entry("m/x", 0, 0, -1, 1, 0, extra, 0).toBytes());
        }
    }

    @Test
    void membersWithOneNameAreRefused() throws IOException {
        refused(
                Code.DUPLICATE,
                "'m/data/0' occurs twice",
                archive().member("m/data/0", 3).toBytes());
    }

    @Test
    void packedStoragesAreRefused() throws IOException {
        refused(Code.MALFORMED, "compressed or encrypted", archive(0, 8, 4, 4).toBytes());
        refused(Code.MALFORMED, "compressed or encrypted", archive(1, 0, 4, 4).toBytes());
        refused(
                Code.MALFORMED,
                "compressed or encrypted",
                archive(0, 0, 4, 1 << 30).toBytes());
    }

    private static ZipToc archive(int flags, int method, long packed, long size) {
        return new ZipToc().member("m/data.pkl", 50).gap(100).entry("m/data/0", flags, method, packed, size, 90);
    }

    @Test
    void limitsAreKept() throws IOException {
        CheckpointReader.Limits few = new CheckpointReader.Limits(1000, 10, 1, 10, Duration.ofSeconds(30));
        assertThat(refusal(archive().toBytes(), few)).hasMessageContaining("more than 1 members");
        CheckpointReader.Limits small = new CheckpointReader.Limits(100, 10, 10, 10, Duration.ofSeconds(30));
        CheckpointException refusal = refusal(archive().toBytes(), small);
        assertThat(refusal).hasMessageContaining("more than 100 bytes");
        assertThat(refusal.code()).isEqualTo(Code.TOO_LARGE);
    }

    @Test
    void aMissingFileIsMissing() {
        CheckpointException refusal = catchThrowableOfType(
                CheckpointException.class,
                () -> PyTorchReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, null)));
        assertThat(refusal.code()).isEqualTo(Code.MISSING);
    }
}
