// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A foreign bundle can do nothing but be read, within limits.
class RecordedHostTest {
    private static final String DESCRIPTION =
            "{\"schema\":1,\"os\":\"linux\",\"arch\":\"amd64\",\"created\":\"2026-01-31T12:00:00Z\"}";

    private static final int SMALL_STACK = 160 << 10;

    @TempDir
    private Path folder;

    @Test
    @Needs(Need.POSIX)
    void aLinkNeverLeadsOutOfABundle() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "secret");
        Path bundle = bundle();
        Files.createSymbolicLink(bundle.resolve("root/absolute"), secret);
        Files.createSymbolicLink(bundle.resolve("root/relative"), Path.of("../../../secret"));

        HostFiles files = RecordedHost.open(bundle).files();

        assertThat(files.read("/absolute", 100)).isEqualTo(new HostAnswer.Missing<>());
        assertThat(files.read("/relative", 100)).isEqualTo(new HostAnswer.Missing<>());
        assertThat(files.read("/../secret", 100)).isEqualTo(new HostAnswer.Missing<>());
    }

    @Test
    void aChainOfMoreThanFortyLinksLeadsNowhere() {
        HostBuilder builder = new HostBuilder().file("/link0", "end");
        for (int i = 1; i <= 41; i++) {
            builder.link("/link" + i, "link" + (i - 1));
        }
        builder.link("/circle", "circle");
        HostFiles files = builder.build().files();

        assertThat(files.read("/link40", 100)).isEqualTo(new HostAnswer.Found<>("end"));
        assertThat(files.read("/link41", 100)).isEqualTo(new HostAnswer.Missing<>());
        assertThat(files.exists("/circle")).isFalse();
    }

    @Test
    void anArchiveOfFoldersNestedDeeperThanAPathMayBeIsRefusedInOneSentence() throws IOException {
        Path bundle = folder.resolve("deep.tar");
        try (TarWriter archive = new TarWriter(Files.newOutputStream(bundle), 0)) {
            archive.addFile("bundle.json", DESCRIPTION.getBytes(StandardCharsets.UTF_8));
            archive.addFile("root" + "/d".repeat(4000) + "/file", new byte[1]);
        }

        assertThatThrownBy(() -> RecordedHost.open(bundle))
                .isInstanceOf(DetectException.class)
                .hasMessageContaining("the path of an entry has more than 4096 characters");
    }

    @Test
    void foldersNestedAsDeepAsAPathMayBeAreReadOnASmallStack() throws InterruptedException {
        String path = "/d".repeat(2000);
        boolean[] found = new boolean[1];
        Thread reader = new Thread(
                null,
                () -> found[0] = new HostBuilder()
                        .file(path + "/file", "text")
                        .build()
                        .files()
                        .exists(path),
                "small-stack",
                SMALL_STACK);

        reader.start();
        reader.join();

        assertThat(found).containsExactly(true);
    }

    @Test
    void nothingIsRunOrLoadedForARecordedHost() throws IOException {
        Path bundle = bundle();
        Path trace = folder.resolve("trace");
        Files.writeString(
                bundle.resolve("commands.json"),
                "[{\"argv\":[\"/bin/sh\",\"-c\",\"echo > " + trace
                        + "\"],\"exit\":0,\"stdout\":\"out\",\"stderr\":\"err\"," + "\"millis\":1}]");
        Files.writeString(bundle.resolve("out"), "recorded");
        Files.writeString(bundle.resolve("err"), "");

        Host host = RecordedHost.open(bundle);

        assertThat(host.commands()).isInstanceOf(RecordedCommands.class);
        assertThat(host.libraries()).isSameAs(HostLibraries.NONE);
        assertThat(trace).doesNotExist();
    }

    @Test
    void aFileOverSixteenMebibytesIsRefusedBeforeItIsRead() throws IOException {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        archive.write(header("root/proc/meminfo", BundleStore.MAX_FILE + 1L));

        assertThatThrownBy(() -> open(archive.toByteArray()))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining("16777216");
    }

    @Test
    void anArchiveOfMoreThanHalfAMillionEntriesIsRefused() throws IOException {
        byte[] header = header("root/a", 0);
        InputStream endless = new InputStream() {
            private long at;

            @Override
            public int read() {
                return header[(int) (at++ % header.length)] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
                int start = (int) (at % header.length);
                int count = Math.min(length, header.length - start);
                System.arraycopy(header, start, bytes, offset, count);
                at += count;
                return count;
            }
        };

        assertThatThrownBy(() -> BundleStore.ArchiveStore.read(endless))
                .hasMessageContaining(Integer.toString(BundleStore.MAX_ENTRIES));
    }

    private Path bundle() throws IOException {
        Path bundle = folder.resolve("bundle");
        Files.createDirectories(bundle.resolve("root"));
        Files.writeString(bundle.resolve("bundle.json"), DESCRIPTION);
        return bundle;
    }

    private void open(byte[] archive) throws IOException {
        RecordedHost.open(Files.write(folder.resolve("bundle.tar"), archive));
    }

    /// A header of a tar archive, as POSIX describes it.
    private static byte[] header(String name, long size) {
        byte[] block = new byte[512];
        put(block, 0, name);
        put(block, 124, String.format("%011o", size));
        put(block, 148, "        ");
        block[156] = '0';
        put(block, 257, "ustar");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        put(block, 148, String.format("%06o", sum) + "\0 ");
        return block;
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }
}
