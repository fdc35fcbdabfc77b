// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.FakeFiles;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.LiveParts;
import dev.muster.detect.probe.ProbeReport;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuProbeTest {
    private static final Instant NOW = Instant.parse("2026-11-15T08:30:00.123Z");
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-15T08:30:00.123456789Z"), ZoneOffset.UTC);

    @Test
    void learnsEverythingWithWhereItCameFrom() throws IOException {
        AcceleratorProfile cpu = onlyDevice(probe(FakeFiles.of(Map.of(
                "/proc/meminfo", Fixtures.own("linux/meminfo/two-tib-host__synthetic.txt"),
                "/proc/cpuinfo", Fixtures.own("linux/cpuinfo/x86-2socket-hyperthreading__synthetic.txt")))));

        Provenance meminfo = file("/proc/meminfo");
        Provenance cpuinfo = file("/proc/cpuinfo");
        assertThat(cpu.memory()).isEqualTo(Reading.known(Bytes.ofKib(2_113_407_800L), meminfo));
        assertThat(cpu.memoryFree()).isEqualTo(Reading.known(Bytes.ofKib(2_000_000_000L), meminfo));
        assertThat(cpu.deviceName()).isEqualTo(Reading.known("Intel(R) Xeon(R) Gold 5122 CPU @ 3.60GHz", cpuinfo));
        assertThat(cpu.reading(DeviceFact.COMPUTE_UNITS)).isEqualTo(Reading.known(8L, cpuinfo));
        assertThat(cpu.reading(DeviceFact.THREADS)).isEqualTo(Reading.known(16L, cpuinfo));
        assertThat(cpu.reading(DeviceFact.SOCKETS)).isEqualTo(Reading.known(2L, cpuinfo));
        assertThat(cpu.reading(DeviceFact.LAST_CACHE).isKnown()).isFalse();
        assertThat(cpu.reading(DeviceFact.CLOCK_MAX).isKnown()).isFalse();
    }

    @Test
    void leavesNoGapWhereEverythingIsKnown() {
        ProbeReport report = probe(FakeFiles.of(Map.of(
                "/proc/meminfo", "MemTotal: 1 kB\nMemAvailable: 1 kB\n",
                "/proc/cpuinfo", "processor : 0\nmodel name : X\n")));

        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void findsAProcessorEvenWhereNoFileIsThere() {
        AcceleratorProfile cpu = onlyDevice(probe(FakeFiles.of(Map.of())));

        assertThat(cpu.accelerator()).isEqualTo(AcceleratorType.cpu());
        assertThat(cpu.available()).isTrue();
        assertThat(cpu.memory())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "/proc/meminfo does not exist"));
        assertThat(cpu.memoryFree())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "/proc/meminfo does not exist"));
        assertThat(cpu.deviceName())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "/proc/cpuinfo does not exist"));
        assertThat(cpu.reading(DeviceFact.COMPUTE_UNITS))
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "/proc/cpuinfo does not exist"));
    }

    @Test
    void saysWhyNothingIsKnownAndListsEachFileOnceAsAGap() {
        ProbeReport report = probe(new FakeFiles(Map.of(
                "/proc/meminfo", new HostAnswer.Unreadable<>("Input/output error"),
                "/proc/cpuinfo", new HostAnswer.Unreadable<>("No such device"))));

        AcceleratorProfile cpu = onlyDevice(report);
        assertThat(cpu.memory())
                .isEqualTo(Reading.unknown(UnknownReason.UNREADABLE, "/proc/meminfo: Input/output error"));
        assertThat(cpu.deviceName())
                .isEqualTo(Reading.unknown(UnknownReason.UNREADABLE, "/proc/cpuinfo: No such device"));
        assertThat(report.gaps())
                .isEqualTo(List.of(
                        new Gap.FileUnreadable("/proc/meminfo", "Input/output error"),
                        new Gap.FileUnreadable("/proc/cpuinfo", "No such device")));
    }

    @Test
    @Needs({Need.POSIX, Need.ORDINARY_USER})
    void aFileThatMayNotBeReadIsAQuestionOfPermission(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("proc"));
        Path file = Files.writeString(root.resolve("proc/meminfo"), "MemTotal: 1 kB\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

        ProbeReport report = probe(LiveParts.files(root.toFile()));

        assertThat(onlyDevice(report).memory())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_PERMITTED, "/proc/meminfo: permission denied"));
        assertThat(report.gaps()).isEqualTo(List.of(new Gap.FileUnreadable("/proc/meminfo", "permission denied")));
    }

    @Test
    void aFileThatIsTooLargeIsUnreadableAndNotAQuestionOfPermission(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("proc"));
        Files.writeString(root.resolve("proc/meminfo"), "MemTotal: 1 kB\n".repeat(10_000));

        ProbeReport report = probe(LiveParts.files(root.toFile()));

        assertThat(onlyDevice(report).memory())
                .isEqualTo(Reading.unknown(UnknownReason.UNREADABLE, "/proc/meminfo: more than 65536 bytes"));
        assertThat(report.gaps()).isEqualTo(List.of(new Gap.FileUnreadable("/proc/meminfo", "more than 65536 bytes")));
    }

    @Test
    void whatAFileDoesNotSayStaysUnknown() {
        AcceleratorProfile cpu = onlyDevice(probe(FakeFiles.of(Map.of("/proc/meminfo", "junk", "/proc/cpuinfo", ""))));

        assertThat(cpu.memory())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "/proc/meminfo does not report it"));
        assertThat(cpu.deviceName())
                .isEqualTo(Reading.unknown(UnknownReason.NOT_SUPPORTED, "/proc/cpuinfo does not report it"));
    }

    private static ProbeReport probe(HostFiles files) {
        return new CpuProbe().probe(Contexts.of(files, CLOCK));
    }

    private static AcceleratorProfile onlyDevice(ProbeReport report) {
        assertThat(report.profiles()).hasSize(1);
        return report.profiles().getFirst();
    }

    private static Provenance file(String path) {
        return Provenance.of(path, Provenance.Method.FILE, Provenance.Confidence.MEASURED)
                .withObservedAt(NOW);
    }
}
