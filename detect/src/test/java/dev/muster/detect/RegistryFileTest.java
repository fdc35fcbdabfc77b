// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.host.FakeFiles;
import dev.muster.detect.host.Host;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The processor's name shows that a registry came from the file: the file has the old one.
@Needs(Need.POSIX)
class RegistryFileTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final Instant WRITTEN = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant LATER = WRITTEN.plusSeconds(60);
    private static final int OTHER_USER = 65534;

    private final AtomicLong nanoTime = new AtomicLong();

    @TempDir
    Path parent;

    private Path folder;
    private Path file;

    @BeforeEach
    void remember() throws IOException {
        folder = parent.resolve("cache/muster");
        file = folder.resolve("registry.json");
        RegistryHolder cache = cache("old", WRITTEN);
        cache.invalidate();
        cache.get();
        stamp(WRITTEN);
    }

    @Test
    void anotherProcessReadsWhatOneWrote() throws IOException {
        RegistryHolder cache = cache("new", LATER);

        AcceleratorRegistry registry = cache.get();

        assertThat(nameIn(registry)).isEqualTo("old");
        assertThat(cache.age()).contains(Duration.ofSeconds(60));
        assertThat(registry.observedAt())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance().method()).isEqualTo(Provenance.Method.DOCUMENT));
        assertThat(RegistryDocument.read(Files.readAllBytes(file)).profiles()).isEqualTo(registry.profiles());
    }

    @Test
    void whatIsWrittenIsTheUsersAlone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.toList())
                    .hasSize(2)
                    .allSatisfy(path -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                            .isEqualTo("rw-------"));
        }
    }

    @Test
    void aFileReadNearItsEndLivesNoLongerForIt() {
        RegistryHolder cache = cache("new", WRITTEN.plus(TTL).minusSeconds(1));
        cache.get();
        assertThat(cache.isFresh()).isTrue();

        nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(cache.isFresh()).isFalse();
    }

    @Test
    void ignoresWhatIsTooOldByItsOwnWordOrByTheFilesTime() throws IOException {
        assertThat(nameAt(WRITTEN.plus(TTL))).isEqualTo("new");

        remember();
        stamp(WRITTEN.minus(TTL));
        assertThat(nameAt(LATER)).isEqualTo("new");

        remember();
        stamp(WRITTEN.plus(TTL));
        assertThat(nameAt(WRITTEN.plus(TTL))).isEqualTo("new");
    }

    @Test
    void ignoresWhatComesFromTheFuture() throws IOException {
        stamp(LATER.plusSeconds(1));
        assertThat(nameAt(LATER)).isEqualTo("new");

        remember();
        stamp(WRITTEN.minusSeconds(9));
        assertThat(nameAt(WRITTEN.minusSeconds(5))).isEqualTo("new");
    }

    @Test
    void ignoresAndReplacesWhatCannotBeParsed() throws IOException {
        for (String junk : List.of("", "{", "[]", "{\"schema\": 99}", "{\"profiles\": []}")) {
            Files.writeString(file, junk);
            stamp(WRITTEN);

            assertThat(nameAt(LATER)).isEqualTo("new");
            assertThat(Files.readString(file)).contains("new");
        }
    }

    @Test
    void ignoresWhatIsTooLarge() throws IOException {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(RegistryDocument.MAX_BYTES + 1L);
        }
        stamp(WRITTEN);

        assertThat(nameAt(LATER)).isEqualTo("new");
    }

    @Test
    void ignoresALinkAndReplacesItInsteadOfWritingThroughIt() throws IOException {
        Path target = parent.resolve("target.json");
        Files.move(file, target);
        String before = Files.readString(target);
        Files.createSymbolicLink(file, target);

        assertThat(nameAt(LATER)).isEqualTo("new");

        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(target).hasContent(before);
    }

    @Test
    void ignoresAFolderThatIsALink() throws IOException {
        Path real = parent.resolve("real");
        Files.move(folder, real);
        Files.createSymbolicLink(folder, real);
        String before = Files.readString(real.resolve("registry.json"));

        assertThat(nameAt(LATER)).isEqualTo("new");

        assertThat(real.resolve("registry.json")).hasContent(before);
    }

    @Test
    void ignoresWhatOthersMayWrite() throws IOException {
        for (String mode : List.of("rw--w----", "rw-----w-")) {
            remember();
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertThat(nameAt(LATER)).isEqualTo("new");
        }
        remember();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        assertThat(nameAt(LATER)).isEqualTo("new");
        assertThat(Files.readString(file)).contains("old");
    }

    @Test
    @Needs(Need.ROOT)
    void ignoresWhatBelongsToAnotherUser() throws IOException {
        Files.setAttribute(file, "unix:uid", OTHER_USER);

        assertThat(nameAt(LATER)).isEqualTo("new");
    }

    @Test
    void ignoresWhatWasAskedDifferentlyOrOnAnotherHost() throws IOException {
        Host host = host("new", LATER, "boot-1");
        Detector narrow = DetectBuilder.all().without(Backend.CUDA).build(host, System.getLogger("test"));
        assertThat(nameIn(RegistryHolder.of(narrow, TTL, folder).get())).isEqualTo("new");

        remember();
        Detector elsewhere = DetectBuilder.all().build(host("new", LATER, "boot-2"), System.getLogger("test"));
        assertThat(nameIn(RegistryHolder.of(elsewhere, TTL, folder).get())).isEqualTo("new");
    }

    @Test
    void forgetsTheFileToo() {
        RegistryHolder cache = cache("new", LATER);
        cache.get();

        cache.invalidate();

        assertThat(file).doesNotExist();
        assertThat(cache.age()).isEmpty();
        assertThat(nameIn(cache.get())).isEqualTo("new");
    }

    @Test
    void neitherReadsNorWritesWithoutATimeToLive() throws IOException {
        String before = Files.readString(file);
        Detector detector = DetectBuilder.all().build(host("new", LATER, "boot-1"), System.getLogger("test"));

        assertThat(nameIn(RegistryHolder.of(detector, Duration.ZERO, folder).get()))
                .isEqualTo("new");
        assertThat(file).hasContent(before);
    }

    @Test
    void detectsWhereNothingCanBeWritten() throws IOException {
        Path blocked = Files.createFile(parent.resolve("file")).resolve("muster");
        Detector detector = DetectBuilder.all().build(host("new", LATER, "boot-1"), System.getLogger("test"));

        assertThat(nameIn(RegistryHolder.of(detector, TTL, blocked).get())).isEqualTo("new");
    }

    @Test
    void writersThatMeetLeaveOneWholeFileAndNoDrafts() throws IOException, InterruptedException {
        Crowd.of(16, () -> cache("new", WRITTEN.plus(TTL)).get());

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("registry.json", "registry.origin");
        }
        assertThat(nameIn(RegistryDocument.read(Files.readAllBytes(file)))).isEqualTo("new");
    }

    private void stamp(Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    private String nameAt(Instant now) {
        return nameIn(cache("new", now).get());
    }

    private static String nameIn(AcceleratorRegistry registry) {
        return registry.find(new DeviceId("cpu:0"))
                .orElseThrow()
                .deviceName()
                .find()
                .orElseThrow();
    }

    private RegistryHolder cache(String name, Instant now) {
        Detector detector = DetectBuilder.all().build(host(name, now, "boot-1"), System.getLogger("test"));
        return new RegistryHolder(detector, detector::detect, TTL, folder, detector.maxWait(), nanoTime::get);
    }

    private static Host host(String name, Instant now, String boot) {
        return Contexts.host(
                FakeFiles.of(Map.of(
                        "/proc/meminfo", "MemTotal: 1048576 kB\n",
                        "/proc/cpuinfo", "processor : 0\nmodel name : " + name + "\n",
                        "/proc/sys/kernel/random/boot_id", boot + "\n")),
                Clock.fixed(now, ZoneOffset.UTC));
    }
}
