// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.testing.Need;
import dev.muster.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCaptureTest {
    private static final Tool SMI = Tool.of("nvidia-smi");
    private static final CommandLimits LIMITS = CommandLimits.of(Duration.ofSeconds(5));
    private static final String UUID = "GPU-4a3e91b2-1111-2222-3333-44445555abcd";

    private final HostSketch sketch = new HostSketch()
            .file("/sys/devices/pci0000:00/0000:01:00.0/vendor", "0x10de\n")
            .file("/sys/devices/pci0000:00/0000:01:00.0/unique_id", "1234567890abcdef\n")
            .link("/sys/bus/pci/devices/0000:01:00.0", "../../../devices/pci0000:00/0000:01:00.0")
            .file("/dev/nvidia0", "")
            .file("/proc/meminfo", "MemTotal: 1 kB\n")
            .file("/proc/4242/comm", "secret-model\n")
            .file("/etc/shadow", "secret")
            .tool("nvidia-smi -L", "GPU 0: NVIDIA H100 (UUID: " + UUID + ")\n")
            .tool("nvidia-smi -q", 9, "", "no driver\n")
            .variable("CUDA_VISIBLE_DEVICES", UUID)
            .variable("AWS_SECRET_ACCESS_KEY", "do not tell");

    /// The queries of a probe.
    private static void ask(Host host) {
        host.files().read("/proc/meminfo", 100);
        host.files().list("/sys/bus/pci/devices");
        host.files().read("/sys/bus/pci/devices/0000:01:00.0/vendor", 100);
        host.files().read("/sys/bus/pci/devices/0000:01:00.0/unique_id", 100);
        host.files().read("/proc/4242/comm", 100);
        host.files().exists("/dev/nvidia0");
        host.commands().run(SMI, List.of("-L"), LIMITS);
        host.commands().run(SMI, List.of("-q"), LIMITS);
    }

    @Test
    void aRecordedHostAnswersAsTheHostDid(@TempDir Path folder) {
        Host replayed = recorded(folder, true);

        HostFiles files = replayed.files();
        assertThat(files.read("/proc/meminfo", 100)).isEqualTo(new HostAnswer.Found<>("MemTotal: 1 kB\n"));
        assertThat(files.list("/sys/bus/pci/devices")).isEqualTo(new HostAnswer.Found<>(List.of("0000:01:00.0")));
        assertThat(files.read("/sys/bus/pci/devices/0000:01:00.0/vendor", 100))
                .isEqualTo(new HostAnswer.Found<>("0x10de\n"));
        assertThat(files.findRealPath("/sys/bus/pci/devices/0000:01:00.0"))
                .contains("/sys/devices/pci0000:00/0000:01:00.0");
        assertThat(files.exists("/dev/nvidia0")).isTrue();
        assertThat(replayed.system()).isEqualTo(OperatingSystem.LINUX);
        assertThat(replayed.clock().instant()).isEqualTo(HostSketch.NOW);
        assertThat(replayed.variables()).containsEntry("CUDA_VISIBLE_DEVICES", UUID);
        CommandOutcome.Completed list =
                (CommandOutcome.Completed) replayed.commands().run(SMI, List.of("-L"), LIMITS);
        assertThat(list.output()).contains(UUID);
        CommandOutcome.Completed query =
                (CommandOutcome.Completed) replayed.commands().run(SMI, List.of("-q"), LIMITS);
        assertThat(query.exitCode()).isEqualTo(9);
        assertThat(query.error()).isEqualTo("no driver\n");
        assertThat(replayed.commands().run(SMI, List.of("topo", "-m"), LIMITS))
                .isEqualTo(new CommandOutcome.NotFound());
    }

    @Test
    void whatNobodyAskedForIsNotRecorded(@TempDir Path folder) {
        Host replayed = recorded(folder, true);

        assertThat(replayed.files().exists("/etc/shadow")).isFalse();
        assertThat(replayed.variables()).doesNotContainKey("AWS_SECRET_ACCESS_KEY");
    }

    @Test
    void identifiersAreMaskedButStayTheSameEverywhere(@TempDir Path folder) {
        Host replayed = recorded(folder, false);

        String variable = replayed.variables().get("CUDA_VISIBLE_DEVICES");
        assertThat(variable).hasSameSizeAs(UUID).startsWith("GPU-").isNotEqualTo(UUID);
        CommandOutcome.Completed list =
                (CommandOutcome.Completed) replayed.commands().run(SMI, List.of("-L"), LIMITS);
        assertThat(list.output()).contains(String.valueOf(variable)).doesNotContain(UUID);
        assertThat(replayed.files().read("/sys/bus/pci/devices/0000:01:00.0/unique_id", 100))
                .isNotEqualTo(new HostAnswer.Found<>("1234567890abcdef\n"));
    }

    @Test
    void namesOfProgramsAreMasked(@TempDir Path folder) {
        assertThat(recorded(folder, false).files().findText("/proc/4242/comm", 100))
                .hasValueSatisfying(
                        name -> assertThat(name).hasSameSizeAs("secret-model\n").doesNotContain("secret"));
    }

    @Test
    @Needs(Need.POSIX)
    void theBundleBelongsToItsOwnerAndReplacesAnOlderOneWhole(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("host.tar.gz"), "an older file");

        HostCapture.write(sketch.host(), HostCaptureTest::ask, file, false);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
        assertThat(RecordedHost.open(file)).isNotNull();
    }

    @Test
    void aFolderThatIsNotThereIsOneSentence(@TempDir Path folder) {
        assertThatThrownBy(() -> HostCapture.write(
                        sketch.host(), HostCaptureTest::ask, folder.resolve("no/such/host.tar.gz"), false))
                .isInstanceOf(BundleException.class)
                .hasMessageContaining("cannot write the bundle");
    }

    private Host recorded(Path folder, boolean keepIds) {
        Path file = folder.resolve("host.tar.gz");
        HostCapture.write(sketch.host(), HostCaptureTest::ask, file, keepIds);
        return RecordedHost.open(file);
    }
}
