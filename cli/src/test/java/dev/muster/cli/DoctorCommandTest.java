// SPDX-License-Identifier: Apache-2.0
package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cli.option.ExitCode;
import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.RegistryDocument;
import dev.muster.detect.doctor.Doctor;
import dev.muster.detect.host.CommandLimits;
import dev.muster.detect.host.CommandOutcome;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostAnswer;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.RecordedHost;
import dev.muster.detect.host.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
    private static final String NOTHING = "{\"schema\":1,\"kind\":\"registry\",\"devices\":[]}";

    @TempDir
    Path folder = Path.of("");

    private final MusterRun pipe = MusterRun.inPipe();

    @BeforeEach
    void writeBundle() throws IOException {
        write("bundle.json", "{\"schema\":1,\"os\":\"linux\",\"arch\":\"amd64\",\"created\":\"2026-01-31T12:00:00Z\"}");
        write("root/proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:    8388608 kB\n");
        write("root/proc/cpuinfo", "processor : 0\nmodel name : Some CPU\n");
    }

    @Test
    void aHealthyHostPassesAndItsReportIsWhole() {
        Outcome outcome = pipe.run("doctor", "--host", folder.toString());

        Golden.assertMatches("doctor-cpu-only", outcome.quietOutput());
    }

    @Test
    void idsStayTheSame() {
        assertThat(findings(Map.of()).all())
                .extracting(Finding::id)
                .contains(
                        "host.files.readable",
                        "host.pci.readable",
                        "nvidia.driver.loaded",
                        "nvidia.nvml.loadable",
                        "nvidia.smi.trusted",
                        "amd.driver.loaded",
                        "amd.kfd.readable",
                        "intel.driver.loaded",
                        "container.devices.visible",
                        "memory.cgroup.limit",
                        "tool.rocm-smi.trusted",
                        "detection.complete",
                        "device.health",
                        "device.pcie.width",
                        "fabric.links.up",
                        "storage.raid.healthy");
    }

    @ParameterizedTest
    @CsvSource({
        "10DE, '', nvidia.driver.loaded, FAIL",
        "10DE, nouveau, nvidia.driver.loaded, WARN",
        "10DE, vfio-pci, nvidia.driver.loaded, WARN",
        "10DE, nvidia, nvidia.driver.loaded, PASS",
        "1002, '', amd.driver.loaded, FAIL",
        "1002, amdgpu, amd.driver.loaded, PASS",
        "8086, xe, intel.driver.loaded, PASS",
        "1AF4, virtio-gpu, nvidia.driver.loaded, SKIP"
    })
    void aDeviceWithoutItsDriverIsFound(String vendor, String driver, String id, Status status) throws IOException {
        writePci(vendor, driver);

        Finding finding = findings(Map.of()).get(id);

        assertThat(finding.status()).isEqualTo(status);
        assertThat(finding.next().isEmpty()).isEqualTo(status == Status.PASS || status == Status.SKIP);
    }

    @Test
    void aMissingDriverIsAFailureInTheExitCode() throws IOException {
        writePci("10DE", "");

        Outcome outcome = pipe.run("doctor", "--host", folder.toString());

        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).contains("FAIL  nvidia.driver.loaded: ", "modprobe nvidia", ", 3 failures, ");
    }

    @Test
    void rocmWithoutItsKernelPartIsAWarningInTheExitCode() throws IOException {
        writePci("1002", "amdgpu");

        Outcome outcome = pipe.run("doctor", "--host", folder.toString(), "--json");
        JsonValue document = JsonValue.parse(outcome.out());

        assertThat(outcome.code()).isEqualTo(1);
        assertThat(document.find("status")).contains(new JsonValue.JsonString("warn"));
        assertThat(findings(Map.of()).get("amd.kfd.readable").status()).isEqualTo(Status.WARN);

        write("root/sys/class/kfd/kfd/topology/nodes/0/name", "x\n");
        assertThat(findings(Map.of()).get("amd.kfd.readable").status()).isEqualTo(Status.PASS);
    }

    @Test
    void aContainerWithoutDeviceNodesIsFound() throws IOException {
        writePci("10DE", "nvidia");
        assertThat(findings(Map.of()).get("container.devices.visible").status()).isEqualTo(Status.SKIP);

        Finding finding =
                findings(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")).get("container.devices.visible");
        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.next()).contains("--gpus all");

        write("root/dev/nvidiactl", "");
        assertThat(findings(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"))
                        .get("container.devices.visible")
                        .status())
                .isEqualTo(Status.PASS);
    }

    @ParameterizedTest
    @CsvSource({
        "max, this process may use all of the memory",
        "4294967296, this process may use 4.0 GiB of 16.0 GiB",
        "34359738368, this process may use all of the memory"
    })
    void aLimitOfMemoryIsTold(String limit, String message) throws IOException {
        write("root/sys/fs/cgroup/memory.max", limit + "\n");

        assertThat(pipe.run("doctor", "--host", folder.toString()).out())
                .contains("PASS  memory.cgroup.limit: " + message + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'[2/2] [UU]', 'PASS  storage.raid.healthy: every array has all its drives'",
        "'[2/1] [U_]', 'WARN  storage.raid.healthy: md0 is degraded 1 of 2'"
    })
    void anArrayThatLacksADriveIsAWarning(String drives, String line) throws IOException {
        write("root/proc/mdstat", "md0 : active raid1 sdb[1] sda[0]\n      1048576 blocks " + drives + "\n");

        assertThat(pipe.run("doctor", "--host", folder.toString()).out()).contains(line + "\n");
    }

    @Test
    void aToolThatOthersCouldChangeIsAWarning() {
        Host host = RecordedHost.open(folder);
        Host untrusted = new Host(
                host.system(),
                host.architecture(),
                host.files(),
                new OneTool("nvidia-smi"),
                (names, folders) -> new HostAnswer.Missing<>(),
                host.variables(),
                host.clock());

        Finding finding = new Findings(
                        Doctor.examine(untrusted, RegistryDocument.read(NOTHING.getBytes(StandardCharsets.UTF_8))))
                .get("nvidia.smi.trusted");

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.next()).endsWith("chmod go-w /usr/bin/nvidia-smi");
    }

    @Test
    void filesThatCannotBeReadAreAFailure() throws IOException {
        Files.delete(folder.resolve("root/proc/cpuinfo"));

        assertThat(findings(Map.of()).get("host.files.readable"))
                .isEqualTo(new Finding(
                        "host.files.readable",
                        Status.FAIL,
                        "/proc/cpuinfo does not exist",
                        "mount /proc into the container, or run as a user who may read it"));
    }

    @Test
    void whatDetectionSaysIsExamined() {
        Findings findings = new Findings(Doctor.examine(
                RecordedHost.open(folder),
                RegistryDocument.read(MusterRun.read(Path.of(MusterRun.HGX)).getBytes(StandardCharsets.UTF_8))));

        assertThat(findings.get("device.health").status()).isEqualTo(Status.FAIL);
        assertThat(findings.get("device.health").message()).isEqualTo("cuda:7 is unhealthy: uncorrected memory errors");
        assertThat(findings.get("device.memory.errors").message()).startsWith("cuda:7 has 3 uncorrected memory errors");
        assertThat(findings.get("device.pcie.width").message()).isEqualTo("cuda:6: runs with 8 of 16 PCIe lanes");
        assertThat(findings.get("detection.complete").message()).startsWith("nvidia-smi topo: timed out");
        assertThat(findings.get("detection.consistent").status()).isEqualTo(Status.WARN);
        assertThat(findings.get("device.available").status()).isEqualTo(Status.PASS);
        assertThat(findings.get("fabric.links.up").status()).isEqualTo(Status.PASS);
    }

    @Test
    void aRegistryIsNoHost() {
        pipe.run("doctor", "--registry", MusterRun.HGX)
                .assertRefused(
                        ExitCode.USAGE,
                        "muster: doctor examines a host, not a registry; give --host BUNDLE or neither; "
                                + "see 'muster help'");
    }

    private Findings findings(Map<String, String> variables) {
        Host host = RecordedHost.open(folder);
        Host asked = new Host(
                host.system(),
                host.architecture(),
                host.files(),
                host.commands(),
                host.libraries(),
                variables,
                host.clock());
        return new Findings(Doctor.examine(asked, RegistryDocument.read(NOTHING.getBytes(StandardCharsets.UTF_8))));
    }

    /// The findings of checks, by their ids.
    ///
    /// @param all every finding
    private record Findings(List<Finding> all) {
        Finding get(String id) {
            return all.stream()
                    .filter(finding -> finding.id().equals(id))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private void writePci(String vendor, String driver) throws IOException {
        String line = driver.isEmpty() ? "" : "DRIVER=" + driver + "\n";
        write(
                "root/sys/bus/pci/devices/0000:01:00.0/uevent",
                line + "PCI_CLASS=30200\nPCI_ID=" + vendor + ":2330\nPCI_SLOT_NAME=0000:01:00.0\n");
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(Optional.ofNullable(file.getParent()).orElseThrow());
        Files.writeString(file, text);
    }

    /// A host with one tool that all users can write to.
    private record OneTool(String name) implements HostCommands {
        @Override
        public Optional<String> findPath(Tool tool) {
            return tool.name().equals(name) ? Optional.of("/usr/bin/" + name) : Optional.empty();
        }

        @Override
        public Optional<String> findObjection(Tool tool) {
            return findPath(tool).map(path -> path + " is writable by others than its owner");
        }

        @Override
        public CommandOutcome run(Tool tool, List<String> arguments, CommandLimits limits) {
            throw new AssertionError("a doctor starts nothing");
        }
    }
}
