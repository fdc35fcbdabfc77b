package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.host.FolderOutcome;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.LiveParts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Hosts of which one file is a pipe, garbage, endless, empty, gone, or hangs whoever reads it: the detection ends in
/// time, and where something was lost a gap has the file's name.
@EnabledOnOs(OS.LINUX)
class FileFaultsTest {
    private static final int CASES = 1000;
    private static final long SEED = 20261117;
    private static final Duration SHORT = Duration.ofMillis(200);
    /// No measurement: machines that build are busy.
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    private static final String TOPOLOGY = "/etc/topology.xml";

    private final CountDownLatch testEnds = new CountDownLatch(1);

    @TempDir
    private Path folder;

    private enum Fault {
        PIPE,
        GARBAGE,
        ENDLESS,
        EMPTY,
        GONE,
        HANGS
    }

    @BeforeEach
    void makeFiles() throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("PIPE").toString())
                        .start()
                        .waitFor())
                .isZero();
        byte[] garbage = new byte[3000];
        new Random(SEED).nextBytes(garbage);
        Files.write(folder.resolve("GARBAGE"), garbage);
        Files.createFile(folder.resolve("EMPTY"));
        try (RandomAccessFile endless =
                new RandomAccessFile(folder.resolve("ENDLESS").toFile(), "rw")) {
            endless.setLength(1L << 34);
        }
    }

    @AfterEach
    void releaseThreads() {
        testEnds.countDown();
    }

    @Test
    void whateverBecomesOfOneFileTheDetectionEndsInTimeWithAGap() throws IOException {
        List<Host> hosts = List.of(box(), recorded());
        List<List<String>> read = new ArrayList<>();
        for (Host host : hosts) {
            read.add(filesReadOn(host));
        }
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            int host = random.nextInt(hosts.size());
            String path = read.get(host).get(random.nextInt(read.get(host).size()));
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            String name = "case " + i + ": " + path + " " + fault;

            long began = System.nanoTime();
            AcceleratorRegistry registry = detect(with(hosts.get(host), new Faulty(path, fault)), SHORT);

            assertThat(Duration.ofNanos(System.nanoTime() - began)).as(name).isLessThan(GENEROUS);
            assertThat(registry.profiles()).as(name).anyMatch(FileFaultsTest::isCpu);
            if (fault == Fault.PIPE || fault == Fault.ENDLESS || fault == Fault.HANGS) {
                assertThat(registry.gaps())
                        .as(name)
                        .anyMatch(gap ->
                                gap instanceof Gap.TimedOut || gap.display().contains(path));
            }
        }
    }

    @Test
    void aFileThatHangsIsAGapWithItsNameAndTheRestStands() {
        for (String path : List.of("/proc/meminfo", "/sys/bus/pci/devices/0000:01:00.0/uevent", TOPOLOGY)) {
            AcceleratorRegistry registry = detect(with(box(), new Faulty(path, Fault.HANGS)), Duration.ofSeconds(3));

            assertThat(registry.gaps())
                    .as(path)
                    .anyMatch(gap -> gap instanceof Gap.TimedOut(String file, var _) && file.equals(path));
            assertThat(registry.profiles())
                    .as(path)
                    .anyMatch(FileFaultsTest::isCpu)
                    .anyMatch(device -> device.accelerator().kind() == AcceleratorKind.ROCM_GPU);
            assertThat(Detector.isCutShort(registry)).isTrue();
        }
    }

    @Test
    void aHostOfWhichEveryFileHangsIsAnAnswerOfGaps() {
        HostFiles stuck = new Faulty("", Fault.HANGS).over(box().files());
        long began = System.nanoTime();

        AcceleratorRegistry registry = detect(with(box(), stuck), SHORT);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(GENEROUS);
        assertThat(registry.profiles()).hasSize(1).allMatch(FileFaultsTest::isCpu);
        assertThat(registry.gaps()).isNotEmpty().allMatch(Gap.TimedOut.class::isInstance);
    }

    @Test
    void aPipeAtTheTopologyFileOrOverTheBusIsAGapWithItsName() {
        for (String path : List.of("/proc/cpuinfo", "/sys/bus/pci/devices/0000:01:00.0/uevent", TOPOLOGY)) {
            AcceleratorRegistry registry = detect(with(box(), new Faulty(path, Fault.PIPE)), GENEROUS);

            assertThat(registry.gaps()).contains(new Gap.FileUnreadable(path, "is no regular file"));
        }
    }

    private static boolean isCpu(dev.muster.core.AcceleratorProfile device) {
        return device.accelerator().kind() == AcceleratorKind.CPU;
    }

    private static AcceleratorRegistry detect(Host host, Duration limit) {
        return DetectBuilder.all()
                .within(limit)
                .build(host, System.getLogger("test"))
                .detect();
    }

    private static List<String> filesReadOn(Host host) {
        Set<String> read = new ConcurrentSkipListSet<>();
        detect(with(host, new Noting(read).over(host.files())), GENEROUS);
        return List.copyOf(read);
    }

    private static Host box() {
        String gpu = "/sys/devices/pci0000:00/0000:02:00.0";
        return new HostSketch()
                .variable("NCCL_TOPO_FILE", TOPOLOGY)
                .file(TOPOLOGY, "<system version=\"1\"><cpu numaid=\"0\"></cpu></system>")
                .file("/proc/meminfo", "MemTotal: 1048576 kB\n")
                .file("/proc/cpuinfo", "processor : 0\nmodel name : Some CPU\n")
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .pci("0000:02:00.0", "1002:740F", "38000", "amdgpu")
                .file(gpu + "/mem_info_vram_total", "68719476736\n")
                .file(gpu + "/gpu_busy_percent", "33\n")
                .file(gpu + "/vendor", "0x1002\n")
                .file(gpu + "/device", "0x740f\n")
                .link(gpu + "/driver", "../../../bus/pci/drivers/amdgpu")
                .folder("/sys/bus/pci/drivers/amdgpu")
                .link("/sys/class/drm/card0/device", "../../../devices/pci0000:00/0000:02:00.0")
                .file("/sys/block/sda/queue/rotational", "1\n")
                .host();
    }

    private static Host recorded() throws IOException {
        return new HostSketch()
                .tar(Fixtures.ownTar("nvidia/h200-microvm/sysroot.tar.gz"), "", "")
                .file("/proc/meminfo", "MemTotal: 1048576 kB\n")
                .host();
    }

    private static Host with(Host host, HostFiles files) {
        return new Host(
                host.system(),
                host.architecture(),
                files,
                host.commands(),
                host.libraries(),
                host.variables(),
                host.clock());
    }

    private Host with(Host host, Faulty fault) {
        return with(host, fault.over(host.files()));
    }

    /// The files of another host, of which reading is done in another way.
    private abstract static class Other {
        abstract FileOutcome read(HostFiles files, String path, int maxBytes);

        HostFiles over(HostFiles files) {
            return new HostFiles() {
                @Override
                public FileOutcome read(String path, int maxBytes) {
                    return Other.this.read(files, path, maxBytes);
                }

                @Override
                public FolderOutcome list(String path) {
                    return files.list(path);
                }

                @Override
                public boolean exists(String path) {
                    return files.exists(path);
                }

                @Override
                public Optional<String> findLink(String path) {
                    return files.findLink(path);
                }

                @Override
                public Optional<String> findRealPath(String path) {
                    return files.findRealPath(path);
                }
            };
        }
    }

    private static final class Noting extends Other {
        private final Set<String> read;

        Noting(Set<String> read) {
            this.read = read;
        }

        @Override
        FileOutcome read(HostFiles files, String path, int maxBytes) {
            FileOutcome outcome = files.read(path, maxBytes);
            if (outcome instanceof FileOutcome.Content) {
                read.add(path);
            }
            return outcome;
        }
    }

    /// One file, or every one where the path is empty, has a fault.
    private final class Faulty extends Other {
        private final String path;
        private final Fault fault;

        Faulty(String path, Fault fault) {
            this.path = path;
            this.fault = fault;
        }

        @Override
        FileOutcome read(HostFiles files, String asked, int maxBytes) {
            if (!asked.equals(path) && !path.isEmpty()) {
                return files.read(asked, maxBytes);
            }
            if (fault == Fault.HANGS) {
                hang();
            }
            return LiveParts.files(folder.toFile()).read("/" + fault.name(), maxBytes);
        }

        /// As a driver does: no interruption helps.
        private void hang() {
            boolean interrupted = false;
            while (testEnds.getCount() > 0) {
                try {
                    testEnds.await();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
