package dev.muster.detect.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostSketch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorTest {
    @Test
    void anUnhealthyFabricIsAFailure() {
        Finding finding =
                about("fabric.health", with(DeviceFact.FABRIC_STATE, "completed, unhealthy (route unhealthy)"));

        assertThat(finding.status()).isEqualTo(Status.FAIL);
        assertThat(finding.message()).contains("cuda:0", "route unhealthy");
        assertThat(finding.next()).contains("nvidia-fabricmanager");
    }

    @Test
    void aGpuLeftInMigModeWithoutSlicesIsAWarningAndNotCalledBroken() {
        AcceleratorProfile gpu = with(DeviceFact.PARTITIONING, "MIG").toBuilder()
                .available(false)
                .build();

        Finding finding = about("device.mig.slices", gpu);

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.next()).contains("nvidia-smi mig -cgi", "nvidia-smi -mig 0");
        assertThat(about("device.available", gpu).status()).isEqualTo(Status.PASS);
    }

    @Test
    void heatThatHoldsClocksDownIsAWarningAndThePowerCapIsNone() {
        assertThat(about("device.throttling", with(DeviceFact.THROTTLING, "hw thermal slowdown"))
                        .status())
                .isEqualTo(Status.WARN);
        assertThat(about("device.throttling", with(DeviceFact.THROTTLING, "sw power cap"))
                        .status())
                .isEqualTo(Status.PASS);
    }

    @ParameterizedTest
    @CsvSource({"0.9, WARN", "0.0, PASS"})
    void aBusyDeviceBelowTheSlotsSpeedIsAWarning(double load, Status status) {
        AcceleratorProfile gpu = with(DeviceFact.PCIE_GENERATION, 3L).toBuilder()
                .with(DeviceFact.PCIE_GENERATION_MAX, given(5L))
                .with(DeviceFact.UTILIZATION, given(new Ratio(load)))
                .build();

        assertThat(about("device.pcie.speed", gpu).status()).isEqualTo(status);
    }

    @Test
    void uncorrectedMemoryErrorsAreAWarning() {
        assertThat(about("device.memory.errors", with(DeviceFact.ECC_UNCORRECTED, 5L))
                        .message())
                .contains("5 memory errors");
    }

    @Test
    void libraryAndDriverOfDifferentReleasesAreNotDrained() {
        String words = "Failed to initialize NVML: Driver/library version mismatch";
        HostSketch host = new HostSketch()
                .pci("0000:01:00.0", "10DE:2330", "030200", "nvidia")
                .tool("nvidia-smi *", 18, words, "");
        Host made = host.host();
        AcceleratorRegistry registry =
                DetectBuilder.all().build(made, System.getLogger("test")).detect();

        assertThat(find(made, registry, "nvidia.versions.match").status()).isEqualTo(Status.FAIL);
        assertThat(find(made, registry, "device.health").next())
                .contains("different releases")
                .doesNotContain("drain");
    }

    @Test
    void aCardWithoutDriverIsNotAmongThoseThatCanBeUsed() {
        Host host =
                new HostSketch().pci("0000:17:00.0", "1E36:0001", "120000", "").host();
        AcceleratorRegistry registry =
                DetectBuilder.all().build(host, System.getLogger("test")).detect();

        Finding finding = find(host, registry, "device.available");

        assertThat(finding.status()).isEqualTo(Status.FAIL);
        assertThat(finding.message()).isEqualTo("gcu:0 cannot be used now; no accelerator can");
        assertThat(finding.next()).contains("driver");
    }

    @Test
    void nodesWithoutLibrariesNameTheFlagsOfTheContainer() {
        Host host = new HostSketch()
                .file("/dev/nvidia0", "")
                .file("/dev/nvidiactl", "")
                .host();

        Finding finding = find(host, AcceleratorRegistry.of(List.of()), "nvidia.libraries.present");

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.next()).contains("--gpus all", "--device nvidia.com/gpu=all");
    }

    @Test
    void librariesWithoutNodesNameTheFlagsOfTheContainer() {
        Host host = new HostSketch()
                .file("/.dockerenv", "")
                .tool("nvidia-smi *", "")
                .host();

        Finding finding = find(host, AcceleratorRegistry.of(List.of()), "nvidia.libraries.present");

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.next()).contains("--gpus all", "nvidia.com/gpu=all", "--device /dev/nvidia0");
    }

    @Test
    void wslWithoutItsLibrariesIsAWarning() {
        Host host = new HostSketch().file("/dev/dxg", "").host();

        assertThat(find(host, AcceleratorRegistry.of(List.of()), "wsl.libraries.present")
                        .next())
                .contains("--device /dev/dxg");
    }

    private static <T> AcceleratorProfile with(DeviceFact<T> fact, T value) {
        return AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(fact, given(value))
                .build();
    }

    private static <T> Reading<T> given(T value) {
        return Reading.known(value, Provenance.GIVEN);
    }

    private static Finding about(String id, AcceleratorProfile device) {
        return find(new HostSketch().host(), AcceleratorRegistry.of(List.of(device)), id);
    }

    private static Finding find(Host host, AcceleratorRegistry registry, String id) {
        return Doctor.examine(host, registry).stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
