// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.Gap;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.LiveParts;
import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Hosts of which a file is a pipe, or blocks its reader: the detection ends in time, and a gap has the file's
/// name. `CommandFaultsTest` draws files and faults, for the whole program.
@Needs(Need.LINUX)
class FileFaultsTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    /// No measurement: machines that build are busy.
    private static final Duration GENEROUS = Duration.ofSeconds(10);

    private final CountDownLatch testEnds = new CountDownLatch(1);

    @TempDir
    private Path folder;

    @AfterEach
    void releaseThreads() {
        testEnds.countDown();
    }

    @Test
    void aFileThatHangsIsAGapWithItsNameAndTheRestStands() {
        for (String path : List.of("/proc/meminfo", "/sys/bus/pci/devices/0000:01:00.0/uevent", OtherFiles.TOPOLOGY)) {
            AcceleratorRegistry registry =
                    detect(new HangingFiles(OtherFiles.box().files(), path::equals, testEnds), Duration.ofSeconds(3));

            assertThat(registry.gaps())
                    .as(path)
                    .anyMatch(gap -> gap instanceof Gap.Timeout(String file, var _) && file.equals(path));
            assertThat(registry.profiles())
                    .as(path)
                    .anyMatch(FileFaultsTest::isCpu)
                    .anyMatch(device -> device.accelerator().kind() == AcceleratorKind.ROCM_GPU);
            assertThat(Detector.isCutShort(registry)).isTrue();
        }
    }

    @Test
    void aHostOfWhichEveryFileHangsIsAnAnswerOfGaps() {
        long began = System.nanoTime();

        AcceleratorRegistry registry = detect(new HangingFiles(OtherFiles.box().files(), _ -> true, testEnds), SHORT);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(GENEROUS);
        assertThat(registry.profiles()).hasSize(1).allMatch(FileFaultsTest::isCpu);
        assertThat(registry.gaps()).isNotEmpty().allMatch(Gap.Timeout.class::isInstance);
    }

    @Test
    void aPipeAtTheTopologyFileOrOverTheBusIsAGapWithItsName() throws IOException, InterruptedException {
        String pipe = folder.resolve("pipe").toString();
        assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();
        for (String path : List.of("/proc/cpuinfo", "/sys/bus/pci/devices/0000:01:00.0/uevent", OtherFiles.TOPOLOGY)) {
            AcceleratorRegistry registry = detect(new Piped(path), GENEROUS);

            assertThat(registry.gaps()).contains(new Gap.FileUnreadable(path, "is not a regular file"));
        }
    }

    private static boolean isCpu(AcceleratorProfile device) {
        return device.accelerator().kind() == AcceleratorKind.CPU;
    }

    private static AcceleratorRegistry detect(OtherFiles files, Duration limit) {
        return DetectBuilder.all()
                .within(limit)
                .build(OtherFiles.box(files, HostCommands.NONE), System.getLogger("test"))
                .detect();
    }

    /// One file is a pipe.
    private final class Piped extends OtherFiles {
        private final String path;

        Piped(String path) {
            super(box().files());
            this.path = path;
        }

        @Override
        public HostAnswer<String> read(String asked, int maxBytes) {
            return asked.equals(path)
                    ? LiveParts.files(folder.toFile()).read("/pipe", maxBytes)
                    : super.read(asked, maxBytes);
        }
    }
}
