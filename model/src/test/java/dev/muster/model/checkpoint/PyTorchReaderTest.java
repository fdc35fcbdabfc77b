// SPDX-License-Identifier: Apache-2.0
package dev.muster.model.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.model.ModelArchitecture;
import dev.muster.model.ModelFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PyTorchReaderTest {
    @TempDir
    private Path folder;

    private Checkpoint read(byte[] archive) throws IOException {
        Path path = Files.write(folder.resolve("model.pt"), archive);
        return PyTorchReader.read(path, Scan.start(CheckpointReader.Limits.DEFAULT, null));
    }

    private void holds(long bytes, byte[] archive) throws IOException {
        assertThat(read(archive).weightBytes().find()).contains(Bytes.of(bytes));
    }

    private static ZipToc archive(String root) {
        return new ZipToc().member(root + "data.pkl", 50).member(root + "byteorder", 6);
    }

    @Test
    void sumsTheStorages() throws IOException {
        Checkpoint read = read(archive("model/")
                .member("model/data/0", 100)
                .member("model/data/1", 28)
                .member("model/version", 2)
                .member("model/.data/serialization_id", 40)
                .toBytes());
        assertThat(read.format().find()).contains(ModelFormat.PYTORCH);
        assertThat(read.weightBytes().find()).contains(Bytes.of(128));
        assertThat(read.files()).extracting(Checkpoint.File::name).containsExactly("model.pt");
        assertThat(read.types()).isEmpty();
        assertThat(read.name().isKnown()).isFalse();
        assertThat(read.formatVersion().isKnown()).isFalse();
        assertThat(read.architecture()).isSameAs(ModelArchitecture.UNKNOWN);
    }

    @Test
    void saysWhyTheParametersAreUnknown() throws IOException {
        Checkpoint read = read(archive("model/").toBytes());
        for (Reading<Long> reading : List.of(read.parameters(), read.tensors())) {
            assertThat(reading).isInstanceOfSatisfying(Reading.Unknown.class, unknown -> {
                assertThat(unknown.reason()).isEqualTo(UnknownReason.NOT_STATED);
                assertThat(unknown.detail()).contains("pickle").contains("not run");
            });
        }
    }

    @Test
    void theFolderCanHaveAnyNameOrNone() throws IOException {
        holds(3, archive("größe 7b/").member("größe 7b/data/0", 3).toBytes());
        holds(3, archive("").member("data/0", 3).toBytes());
        holds(3, archive("../").member("../data/0", 3).toBytes());
        holds(
                3,
                new ZipToc()
                        .member("a/data/0", 3)
                        .member("a/data.pkl", 1)
                        .member("b/data/0", 9)
                        .toBytes());
    }

    @Test
    void constantsOfTorchScriptCount() throws IOException {
        holds(
                11,
                archive("m/")
                        .member("m/code/__torch__.py", 100)
                        .member("m/constants.pkl", 100)
                        .member("m/constants/0", 4)
                        .member("m/data/0", 7)
                        .toBytes());
    }

    @Test
    void onlyMembersOfTheFolderOfStoragesCount() throws IOException {
        holds(
                0,
                archive("m/")
                        .member("m/data/", 0)
                        .member("m/data/x/0", 4)
                        .member("data/0", 4)
                        .member("n/data/0", 4)
                        .member("m/extra/data/0", 4)
                        .toBytes());
    }

    @Test
    void readsArchivesThatJavaWrote() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setComment("made for a test");
            zip.putNextEntry(new ZipEntry("archive/data.pkl"));
            zip.write("no pickle".getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
            store(zip, "archive/data/0", new byte[1000]);
            store(zip, "archive/data/1", new byte[24]);
        }
        holds(1024, out.toByteArray());
    }

    private static void store(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        entry.setCrc(checksum.getValue());
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }

    @Test
    void readsLargeArchives() throws IOException {
        holds(
                12,
                archive("m/")
                        .wideMember("m/data/0", 5)
                        .wideMember("m/data/1", 7)
                        .toWideBytes());
        holds(
                12,
                archive("m/")
                        .wideMember("m/data/0", 5)
                        .wideMember("m/data/1", 7)
                        .toBytes());
        holds(5, archive("m/").member("m/data/0", 5).toWideBytes());
    }

    @Test
    void readsArchivesWithMoreMembersThanSmallOnesCanHave() throws IOException {
        ZipToc many = archive("m/");
        for (int at = 0; at < 70_000; at++) {
            many.member("m/data/" + at, 2);
        }
        holds(140_000, many.toWideBytes());
    }

    @Test
    void findsTheEndBeforeTheLongestComment() throws IOException {
        ZipToc commented = archive("m/").member("m/data/0", 5);
        commented.comment = "x".repeat(0xFFFF);
        holds(5, commented.toBytes());
    }

    @Test
    void readsBackWhatWasWritten() throws IOException {
        long seed = System.nanoTime();
        System.out.println("PyTorchReaderTest.readsBackWhatWasWritten seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            ZipToc toc = archive("m/");
            long sum = 0;
            for (int at = random.nextInt(20); at > 0; at--) {
                int bytes = random.nextInt(1000);
                boolean storage = random.nextBoolean();
                String name = (storage ? "m/data/" : "m/code/") + at;
                if (random.nextBoolean()) {
                    toc.member(name, bytes);
                } else {
                    toc.wideMember(name, bytes);
                }
                sum += storage ? bytes : 0;
            }
            toc.comment = "c".repeat(random.nextInt(100));
            byte[] archive = random.nextBoolean() ? toc.toBytes() : toc.toWideBytes();
            assertThat(read(archive).weightBytes().find()).as("seed %d", seed).contains(Bytes.of(sum));
        }
    }

    @Test
    void recognisesArchivesAndPickles() {
        assertThat(PyTorchReader.recognises(archive("m/").toBytes())).isTrue();
        assertThat(PyTorchReader.recognises(new byte[] {'P', 'K', 3})).isFalse();
        assertThat(PyTorchReader.recognises(new byte[] {'P', 'K', 5, 6})).isFalse();
        for (int protocol = 0; protocol < 8; protocol++) {
            assertThat(PyTorchReader.isPickle(new byte[] {(byte) 0x80, (byte) protocol}))
                    .isEqualTo(protocol >= 2 && protocol <= 5);
        }
        assertThat(PyTorchReader.isPickle(new byte[] {(byte) 0x80})).isFalse();
        assertThat(PyTorchReader.isPickle(new byte[] {})).isFalse();
    }
}
