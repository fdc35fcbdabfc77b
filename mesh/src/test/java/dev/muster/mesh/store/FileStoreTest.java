// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh.store;

import static dev.muster.mesh.store.StoreConformanceTest.assertFault;
import static dev.muster.mesh.store.StoreConformanceTest.bytes;
import static dev.muster.mesh.store.StoreKind.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.muster.mesh.ChildJvm;
import dev.muster.mesh.store.StoreException.StoreError;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store in files, with real processes that are killed in the middle.
@Needs(Need.POSIX)
class FileStoreTest {
    @TempDir
    private Path parent;

    private Path folder = Path.of("");

    @BeforeEach
    void choose() throws IOException {
        folder = parent.toRealPath().resolve("store");
    }

    @Test
    void processesCountTogether() {
        try (ChildJvm one = ChildJvm.start(StoreMember.class, "file", folder.toString(), "add", "300");
                ChildJvm two = ChildJvm.start(StoreMember.class, "file", folder.toString(), "add", "300");
                Store store = FileLog.openStore(folder)) {
            for (int i = 0; i < 100; i++) {
                store.add("count", 1);
            }
            for (ChildJvm child : List.of(one, two)) {
                assertThat(child.line()).isEqualTo("open");
                assertThat(child.line()).startsWith("last ");
                assertThat(child.line()).isEqualTo("closed");
            }
            assertThat(store.add("count", 0)).isEqualTo(700);
        }
    }

    @Test
    void oneProcessWaitsForAnother() {
        try (ChildJvm child = ChildJvm.start(StoreMember.class, "file", folder.toString(), "await", "word");
                Store store = FileLog.openStore(folder)) {
            assertThat(child.line()).isEqualTo("open");
            assertThat(child.line()).isEqualTo("waiting");
            store.set("word", bytes("hello"));
            assertThat(child.line()).isEqualTo("got hello");
            assertThat(child.exit()).as(child.line()).isZero();
        }
    }

    @RepeatedTest(3)
    void aKilledWriterHarmsNobody() {
        try (Store store = FileLog.openStore(folder)) {
            store.set("before", bytes("here"));
            try (ChildJvm child = ChildJvm.start(StoreMember.class, "file", folder.toString(), "write-for-ever")) {
                assertThat(child.line()).isEqualTo("open");
                assertThat(child.line()).isEqualTo("writing");
                child.signal("KILL");
                assertThat(child.exit()).isEqualTo(128 + 9);
            }
            long written = Long.parseLong(StoreConformanceTest.text(store.await("written", LONG)));
            assertThat(written).isGreaterThanOrEqualTo(10);
            store.set("after", bytes("too"));
            assertThat(store.find("before")).hasValue(bytes("here"));
            try (ChildJvm late = ChildJvm.start(StoreMember.class, "file", folder.toString(), "await", "after")) {
                assertThat(late.line()).isEqualTo("open");
                assertThat(late.line()).isEqualTo("waiting");
                assertThat(late.line()).isEqualTo("got too");
            }
        }
    }

    @Test
    void aStoppedProcessWithTheLockIsNotWaitedForForEver() {
        try (Store store = FileLog.openStore(folder, Duration.ofMillis(100));
                ChildJvm child = ChildJvm.start(StoreMember.class, "file", folder.toString(), "hold-lock")) {
            store.set("key", bytes("value"));
            assertThat(child.line()).isEqualTo("open");
            assertThat(child.line()).isEqualTo("locked");
            child.signal("STOP");

            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.set("key", bytes("other")))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(StoreError.LIMIT_EXCEEDED))
                    .withMessageContaining("another process holds the lock")
                    .withMessageContaining(folder.toString());
            assertThat(store.find("key")).as("reading needs no lock").hasValue(bytes("value"));
            child.signal("KILL");
            child.exit();
            store.set("key", bytes("free again"));
        }
    }

    /// Every way in which the last record can be cut or spoiled leaves the ones before it.
    @RepeatedTest(20)
    void halfARecordAtTheEndIsPassedOver(RepetitionInfo repetition) throws IOException {
        long seed = 100L + repetition.getCurrentRepetition();
        System.out.println("FileStoreTest seed " + seed);
        Random random = new Random(seed);
        try (Store store = FileLog.openStore(folder)) {
            store.set("whole", bytes("record"));
        }
        Path log = folder.resolve("log-1");
        long whole = Files.size(log);
        try (Store store = FileLog.openStore(folder)) {
            store.set("last", new byte[random.nextInt(500)]);
        }
        long end = Files.size(log);
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            if (random.nextBoolean()) {
                file.setLength(whole + random.nextLong(end - whole));
            } else {
                file.seek(whole + 8 + random.nextLong(end - whole - 8));
                int old = file.read();
                file.seek(file.getFilePointer() - 1);
                file.write(old ^ (1 << random.nextInt(8)));
            }
        }
        try (Store store = FileLog.openStore(folder)) {
            assertThat(store.keys("")).containsExactly("whole");
            store.set("new", bytes("value"));
        }
        try (Store store = FileLog.openStore(folder)) {
            assertThat(store.keys("")).containsExactly("new", "whole");
            assertThat(store.find("whole")).hasValue(bytes("record"));
        }
    }

    @Test
    void aLogThatIsMostlyPastIsWrittenAnew() throws IOException {
        byte[] value = new byte[StoreLimits.MAX_VALUE_BYTES];
        try (Store store = FileLog.openStore(folder);
                ChildJvm child = ChildJvm.start(StoreMember.class, "file", folder.toString(), "await", "at-last")) {
            assertThat(child.line()).isEqualTo("open");
            assertThat(child.line()).isEqualTo("waiting");
            store.set("keep", bytes("me"));
            store.set("go", bytes("away"));
            store.delete("go");
            for (int i = 0; i < 40; i++) {
                store.set("large", value);
            }
            store.delete("large");
            store.set("at-last", bytes("done"));
            assertThat(child.line()).isEqualTo("got done");
            assertThat(child.line()).isEqualTo("closed");
        }
        try (Store store = FileLog.openStore(folder);
                Stream<Path> files = Files.list(folder)) {
            assertThat(store.keys("")).containsExactly("at-last", "keep");
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("log-")))
                    .hasSize(1)
                    .allSatisfy(name ->
                            assertThat(Files.size(folder.resolve(name))).isLessThan(10L * StoreLimits.MAX_VALUE_BYTES));
        }
    }

    @Test
    void aFolderThatGoesAwayIsALoss() throws IOException {
        try (Store store = FileLog.openStore(folder)) {
            store.set("key", bytes("value"));
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
            assertFault(StoreError.LOST, () -> store.await("other", LONG));
            try (Store next = FileLog.openStore(folder)) {
                assertThat(next.keys("")).as("a new store of the same name").isEmpty();
            }
        }
    }

    @Test
    void whatIsNoStoreIsRefused() throws IOException {
        assertFault(
                StoreError.FILE_FAILED,
                () -> FileLog.openStore(folder.resolve("no").resolve("parent")));
        Files.createDirectory(folder);
        Files.writeString(folder.resolve("log-1"), "something else entirely", StandardOpenOption.CREATE);
        assertFault(StoreError.FILE_FAILED, () -> FileLog.openStore(folder));
    }

    @Test
    void theFolderBelongsToItsUserAlone() throws IOException {
        try (Store _ = FileLog.openStore(folder)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    @Needs(Need.LINUX)
    void nothingIsLeftOpen() throws IOException {
        FileLog.openStore(folder).close();
        Resources before = Resources.now(parent.toRealPath());
        for (int i = 0; i < 50; i++) {
            List<Store> stores = new ArrayList<>();
            for (int n = 0; n < 3; n++) {
                Store store = FileLog.openStore(folder);
                store.watch("", (_, _) -> {});
                stores.add(store);
            }
            stores.getFirst().set("round", bytes(Integer.toString(i)));
            stores.forEach(Store::close);
        }
        before.assertSameNow(parent.toRealPath());
    }

    @Test
    void aFolderThatOthersMayWriteToIsRefused() throws IOException {
        Path shared = Files.createDirectory(parent.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> FileLog.openStore(shared))
                .withMessageContaining("others may write to");
    }
}
