// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.LiveParts;
import dev.muster.detect.host.Tool;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A machine with an NVIDIA GPU and an AMD one, whose NVIDIA tool misbehaves as a real process: everything else is
/// reported, and the gap has a name.
@Needs(Need.LINUX)
class DetectionFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    @Test
    void aToolThatHangsIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("exec sleep 600");

        assertThat(registry.gaps())
                .anyMatch(gap -> gap instanceof Gap.Timeout(String tool, var _) && tool.equals("nvidia-smi"));
        assertEverythingElse(registry);
        assertNothingIsLeft();
    }

    @Test
    void aToolThatIgnoresItsEndIsAGapAndTheRestStands() throws IOException {
        AcceleratorRegistry registry = detect("trap '' TERM; while :; do sleep 600; done");

        assertThat(registry.gaps()).anyMatch(Gap.Timeout.class::isInstance);
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
        Host host = OtherFiles.box(new Failing("/sys/class/drm/card0/device/gpu_busy_percent"), HostCommands.NONE);

        AcceleratorRegistry registry = detector(host).detect();

        assertThat(registry.gaps())
                .contains(new Gap.FileUnreadable("/sys/class/drm/card0/device/gpu_busy_percent", "Input/output error"));
        assertEverythingElse(registry);
    }

    @Test
    void aDeviceThatDisappearsBetweenTwoReadsCostsItsOwnFactsAlone() {
        Host host = OtherFiles.box(new Vanishing("/sys/bus/pci/devices/0000:01:00.0"), HostCommands.NONE);

        AcceleratorRegistry registry = detector(host).detect();

        assertEverythingElse(registry);
    }

    @Test
    void withoutCommandsNothingIsRunWhateverIsInstalled() throws IOException {
        Path trace = folder.resolve("trace");
        script("echo run > " + trace);

        AcceleratorRegistry registry = DetectBuilder.all()
                .withoutCommands()
                .build(OtherFiles.box(OtherFiles.box().files(), new Forbidden()), System.getLogger("test"))
                .detect();

        assertThat(trace).doesNotExist();
        assertEverythingElse(registry);
    }

    @Test
    void aProbeThatBreaksItsPromiseIsAGapAndTheRestStands() {
        Host host = OtherFiles.box(OtherFiles.box().files(), new Forbidden());

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
        return OtherFiles.box(OtherFiles.box().files(), LiveParts.commands(List.of(folder.toString())));
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
    private static final class Failing extends OtherFiles {
        private final String path;

        Failing(String path) {
            super(box().files());
            this.path = path;
        }

        @Override
        public HostAnswer<String> read(String asked, int maxBytes) {
            return asked.equals(path) ? new HostAnswer.Unreadable<>("Input/output error") : super.read(asked, maxBytes);
        }
    }

    /// One device can be read once, then it is gone.
    private static final class Vanishing extends OtherFiles {
        private final String device;
        private final AtomicInteger left = new AtomicInteger(1);

        Vanishing(String device) {
            super(box().files());
            this.device = device;
        }

        private boolean isGone(String asked) {
            return asked.startsWith(device) && left.getAndDecrement() <= 0;
        }

        @Override
        public HostAnswer<String> read(String asked, int maxBytes) {
            return isGone(asked) ? new HostAnswer.Missing<>() : super.read(asked, maxBytes);
        }

        @Override
        public HostAnswer<List<String>> list(String asked) {
            return isGone(asked) ? new HostAnswer.Missing<>() : super.list(asked);
        }

        @Override
        public boolean exists(String asked) {
            return !isGone(asked) && super.exists(asked);
        }

        @Override
        public Optional<String> findLink(String asked) {
            return isGone(asked) ? Optional.empty() : super.findLink(asked);
        }

        @Override
        public Optional<String> findRealPath(String asked) {
            return isGone(asked) ? Optional.empty() : super.findRealPath(asked);
        }
    }
}
