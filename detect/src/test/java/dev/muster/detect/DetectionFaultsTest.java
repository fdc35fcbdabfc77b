package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.FileOutcome;
import dev.muster.detect.host.FolderOutcome;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostFiles;
import dev.muster.detect.host.HostLibraries;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.host.LiveParts;
import dev.muster.detect.host.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A machine with an NVIDIA GPU and an AMD one, whose NVIDIA tool misbehaves as a real process: everything else is
/// reported, and the gap has a name.
@EnabledOnOs(OS.LINUX)
class DetectionFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    @Test
    void aToolThatHangsIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("exec sleep 600");

        assertThat(registry.gaps())
                .anyMatch(gap -> gap instanceof Gap.TimedOut(String tool, var _) && tool.equals("nvidia-smi"));
        assertEverythingElse(registry);
        assertNothingIsLeft();
    }

    @Test
    void aToolThatIgnoresItsEndIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("trap '' TERM; while :; do sleep 600; done");

        assertThat(registry.gaps()).anyMatch(Gap.TimedOut.class::isInstance);
        assertEverythingElse(registry);
        assertNothingIsLeft();
    }

    @Test
    void aToolThatFloodsIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("exec cat /dev/zero");

        assertThat(registry.gaps()).isNotEmpty();
        assertEverythingElse(registry);
        assertNothingIsLeft();
    }

    @Test
    void aToolThatCrashesIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("kill -SEGV $$");

        assertThat(registry.gaps()).anyMatch(Gap.ToolFailed.class::isInstance);
        assertEverythingElse(registry);
    }

    @Test
    void aToolThatTalksNonsenseIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("head -c 200000 /dev/urandom");

        assertThat(registry.gaps()).isNotEmpty().hasSizeLessThan(100);
        assertEverythingElse(registry);
    }

    @Test
    void aToolThatOthersCouldHaveChangedIsNotRun() throws IOException {
        Path trace = folder.resolve("trace");
        Path tool = script("echo run > " + trace);
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxrwxrwx"));

        AcceleratorRegistry registry = detector(live()).detect();

        assertThat(trace).doesNotExist();
        assertThat(registry.gaps()).anyMatch(gap -> gap.display().contains("writable by others"));
        assertEverythingElse(registry);
    }

    @Test
    void aFileThatFailsWhileItIsReadIsAGapOfThatFileAlone() {
        HostFiles files = box().files();
        Host host = hostOf(new Failing(files, "/sys/class/drm/card0/device/gpu_busy_percent"), HostCommands.NONE);

        AcceleratorRegistry registry = detector(host).detect();

        assertThat(registry.gaps())
                .contains(new Gap.FileUnreadable("/sys/class/drm/card0/device/gpu_busy_percent", "Input/output error"));
        assertEverythingElse(registry);
    }

    @Test
    void aDeviceThatDisappearsBetweenTwoReadsCostsItsOwnFactsAlone() {
        HostFiles files = box().files();
        Host host = hostOf(new Vanishing(files, "/sys/bus/pci/devices/0000:01:00.0"), HostCommands.NONE);

        AcceleratorRegistry registry = detector(host).detect();

        assertEverythingElse(registry);
    }

    @Test
    void withoutCommandsNothingIsRunWhateverIsInstalled() throws IOException {
        Path trace = folder.resolve("trace");
        script("echo run > " + trace);

        AcceleratorRegistry registry = DetectBuilder.all()
                .withoutCommands()
                .build(hostOf(box().files(), new Forbidden()), System.getLogger("test"))
                .detect();

        assertThat(trace).doesNotExist();
        assertEverythingElse(registry);
    }

    @Test
    void aProbeThatBreaksItsPromiseIsAGapAndTheRestStands() {
        Host host = hostOf(box().files(), new Forbidden());

        AcceleratorRegistry registry = detector(host).detect();

        assertThat(registry.gaps())
                .anyMatch(gap -> gap instanceof Gap.ProbeFailed(String probe, var _) && probe.equals("cuda"));
        assertEverythingElse(registry);
    }

    private static void assertEverythingElse(AcceleratorRegistry registry) {
        assertThat(registry.profiles())
                .extracting(profile -> profile.accelerator().kind())
                .contains(AcceleratorKind.CPU, AcceleratorKind.ROCM_GPU);
    }

    /// Threads of probes that were told to stop end on their own; they get a moment.
    private static void assertNothingIsLeft() {
        for (int i = 0; i < 100 && probeThreads() > 0; i++) {
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(20).toNanos());
        }
        assertThat(probeThreads()).isZero();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    private static long probeThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("muster-"))
                .count();
    }

    private AcceleratorRegistry detect(String body) throws IOException {
        script(body);
        return detector(live()).detect();
    }

    private static Detector detector(Host host) {
        return DetectBuilder.all().within(LIMIT).build(host, System.getLogger("test"));
    }

    private Host live() {
        return hostOf(box().files(), LiveParts.commands(List.of(folder.toString())));
    }

    private static Host box() {
        String gpu = "/sys/devices/pci0000:00/0000:02:00.0";
        return new HostSketch()
                .file("/proc/meminfo", "MemTotal: 1048576 kB\n")
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .pci("0000:02:00.0", "1002:740F", "38000", "amdgpu")
                .file(gpu + "/mem_info_vram_total", "68719476736\n")
                .file(gpu + "/gpu_busy_percent", "33\n")
                .file(gpu + "/vendor", "0x1002\n")
                .file(gpu + "/device", "0x740f\n")
                .link(gpu + "/driver", "../../../bus/pci/drivers/amdgpu")
                .folder("/sys/bus/pci/drivers/amdgpu")
                .link("/sys/class/drm/card0/device", "../../../devices/pci0000:00/0000:02:00.0")
                .host();
    }

    private static Host hostOf(HostFiles files, HostCommands commands) {
        Host box = box();
        return new Host(
                box.system(), box.architecture(), files, commands, HostLibraries.NONE, box.variables(), box.clock());
    }

    private Path script(String body) throws IOException {
        Path file = Files.writeString(folder.resolve("nvidia-smi"), "#!/bin/sh\n" + body + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /// Every tool is there, and running one is a broken promise.
    private static final class Forbidden implements HostCommands {
        @Override
        public Optional<String> findPath(Tool tool) {
            return tool.name().equals("nvidia-smi") ? Optional.of("/usr/bin/nvidia-smi") : Optional.empty();
        }

        @Override
        public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
            if (findPath(tool).isEmpty()) {
                return new CommandOutcome.NotFound();
            }
            throw new IllegalStateException("a process was started: " + tool.name());
        }
    }

    /// One file fails while it is read.
    private record Failing(HostFiles files, String path) implements HostFiles {
        @Override
        public FileOutcome read(String asked, int maxBytes) {
            return asked.equals(path) ? new FileOutcome.Unreadable("Input/output error") : files.read(asked, maxBytes);
        }

        @Override
        public FolderOutcome list(String asked) {
            return files.list(asked);
        }

        @Override
        public boolean exists(String asked) {
            return files.exists(asked);
        }

        @Override
        public Optional<String> findLink(String asked) {
            return files.findLink(asked);
        }

        @Override
        public Optional<String> findRealPath(String asked) {
            return files.findRealPath(asked);
        }
    }

    /// One device can be read once, then it is gone.
    private record Vanishing(HostFiles files, String device, AtomicInteger left) implements HostFiles {
        Vanishing(HostFiles files, String device) {
            this(files, device, new AtomicInteger(1));
        }

        private boolean isGone(String asked) {
            return asked.startsWith(device) && left.getAndDecrement() <= 0;
        }

        @Override
        public FileOutcome read(String asked, int maxBytes) {
            return isGone(asked) ? new FileOutcome.Missing() : files.read(asked, maxBytes);
        }

        @Override
        public FolderOutcome list(String asked) {
            return isGone(asked) ? new FolderOutcome.Missing() : files.list(asked);
        }

        @Override
        public boolean exists(String asked) {
            return !isGone(asked) && files.exists(asked);
        }

        @Override
        public Optional<String> findLink(String asked) {
            return isGone(asked) ? Optional.empty() : files.findLink(asked);
        }

        @Override
        public Optional<String> findRealPath(String asked) {
            return isGone(asked) ? Optional.empty() : files.findRealPath(asked);
        }
    }
}
