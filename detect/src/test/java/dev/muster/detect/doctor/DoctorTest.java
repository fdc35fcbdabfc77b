// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Finding;
import dev.muster.core.Finding.Status;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Ratio;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.HangingFiles;
import dev.muster.detect.OtherFiles;
import dev.muster.detect.host.Host;
import dev.muster.detect.host.HostBuilder;
import dev.muster.detect.host.HostCommands;
import dev.muster.detect.host.HostSketch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorTest {
    @Test
    void aFileThatHangsIsOneFindingWithItsNameAndTheOtherChecksGoOn() {
        CountDownLatch testEnds = new CountDownLatch(1);
        Host box = OtherFiles.box(
                new HangingFiles(OtherFiles.box().files(), "/proc/cpuinfo"::equals, testEnds), HostCommands.NONE);

        List<Finding> findings = Doctor.examine(box, AcceleratorRegistry.of(List.of()), Duration.ofSeconds(3));
        testEnds.countDown();

        assertThat(findings)
                .filteredOn(finding -> finding.message().contains("/proc/cpuinfo"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.id()).isEqualTo("host.files.in-time");
                    assertThat(finding.status()).isEqualTo(Status.WARN);
                    assertThat(finding.message()).startsWith("/proc/cpuinfo did not answer within 600 ms");
                    assertThat(finding.next()).contains("give detection more time");
                });
        assertThat(findings).noneMatch(finding -> finding.message().contains("no time was left"));
    }

    @Test
    void aFileThatDetectionGaveUpIsNotTouchedAgain() {
        CountDownLatch testEnds = new CountDownLatch(1);
        HangingFiles files = new HangingFiles(
                OtherFiles.box().files(),
                path -> {
                    assertThat(path).isNotEqualTo("/proc/meminfo");
                    return false;
                },
                testEnds);
        AcceleratorRegistry registry = DetectBuilder.all()
                .build(
                        OtherFiles.box(
                                new HangingFiles(OtherFiles.box().files(), "/proc/meminfo"::equals, testEnds),
                                HostCommands.NONE),
                        System.getLogger("test"))
                .detect();
        testEnds.countDown();

        List<Finding> findings = Doctor.examine(OtherFiles.box(files, HostCommands.NONE), registry);

        assertThat(findings)
                .filteredOn(finding -> finding.message().contains("/proc/meminfo"))
                .extracting(Finding::id)
                .containsExactly("host.files.in-time");
    }

    @ParameterizedTest
    @CsvSource({
        "the driver does not answer: Insufficient Permissions, run as a user who may open the device",
        "the driver does not answer: Unknown Error, restart it",
        "the driver does not answer: nvidia-smi did not answer in time, hung driver",
    })
    void noDeviceIsDrainedForPermissionsUnknownErrorsAndTimeOuts(String health, String advice) {
        assertThat(about("device.health", with(DeviceFact.HEALTH, health)).next())
                .contains(advice)
                .doesNotContain("drain");
    }

    @Test
    void nouveauIsKeptFromLoadingBeforeNvidiasDriverIsLoaded() {
        Host host = new HostBuilder()
                .file("/sys/bus/pci/devices/0000:17:00.0/uevent", "DRIVER=nouveau\nPCI_CLASS=30200\nPCI_ID=10DE:2330\n")
                .build();

        assertThat(Doctor.examine(
                        host,
                        DetectBuilder.none()
                                .build(host, System.getLogger("test"))
                                .detect()))
                .filteredOn(finding -> finding.id().equals("nvidia.driver.loaded"))
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.next()).contains("blacklist nouveau").doesNotContain("modprobe nvidia"));
    }

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
                .contains("5 uncorrected memory errors");
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
        assertThat(finding.message()).isEqualTo("gcu:0 cannot be used: no driver is bound; no accelerator can");
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

    @Test
    void anXidInTheKernelsLogNamesTheGpuTheErrorAndWhatToDo() {
        Host host = nvidia("/dev/kmsg", """
                6,1,100,-;usb 1-1: new device
                4,2,200,-;NVRM: Xid (PCI:0000:01:00): 79, pid=1234, GPU has fallen off the bus.
                4,3,300,-;NVRM: Xid (PCI:0000:02:00): 31, pid=99, name=python, Ch 00000008
                4,4,400,-;NVRM: Xid (PCI:0000:02:00): 31, pid=99, name=python, Ch 00000009
                """);
        AcceleratorProfile gpu =
                with(DeviceFact.PCI_ADDRESS, PciAddress.find("0000:01:00.0").orElseThrow());

        Finding finding = find(host, AcceleratorRegistry.of(List.of(gpu)), "nvidia.log.xid");

        assertThat(finding.status()).isEqualTo(Status.WARN);
        assertThat(finding.message())
                .isEqualTo("cuda:0 (0000:01:00): Xid 79, the GPU has fallen off the bus;"
                        + " 0000:02:00: Xid 31, 2 times, a program's kernel failed (/dev/kmsg)");
        assertThat(finding.next()).contains("reboot", "compute-sanitizer");
    }

    @ParameterizedTest
    @CsvSource({
        "'kernel: [ 1.0] NVRM: Xid (PCI:3b:00): 48, DBE', 0000:3b:00, 48",
        "'NVRM: Xid (PCI:0001:3b:00.0): 154, GPU recovery action', 0001:3b:00, 154"
    })
    void oldAndNewFormsOfAnXidAreRead(String line, String place, int number) {
        assertThat(XidMessage.parse(line)).containsExactly(new XidMessage(place, number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NVRM: Xid (PCI:", "NVRM: Xid (PCI:0000:3b:00): x", "NVRM: Xid (PCI:zz): 79, a"})
    void whatIsNoXidCountsForNothing(String line) {
        assertThat(XidMessage.parse(line)).isEmpty();
        assertThat(find(nvidia("/var/log/kern.log", line + "\n"), AcceleratorRegistry.of(List.of()), "nvidia.log.xid"))
                .returns(Status.PASS, Finding::status)
                .returns("no Xid message in /var/log/kern.log", Finding::message);
    }

    @Test
    void aLogThatCannotBeReadIsNoFault() {
        Host host = new HostSketch()
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .host();

        assertThat(find(host, AcceleratorRegistry.of(List.of()), "nvidia.log.xid")
                        .status())
                .isEqualTo(Status.SKIP);
    }

    @ParameterizedTest
    @CsvSource({
        "'0,0,0,0,0,0,1,1', 2, 2, WARN", // six and two
        "'0,0,0,0,1,1,1,1', 2, 2, PASS",
        "'0,0,1', 2, 2, PASS", // as even as three can be
        "'0,0', 2, 2, WARN", // all on one node of two sockets
        "'0,0', 4, 1, PASS", // one socket that the firmware cut in four
        "'1,1,3,3,5,5,7,7', 8, 2, PASS", // nodes without a device are not a fault
        "'0', 2, 2, SKIP",
        "'0,0', 1, 1, SKIP",
        "'-1,-1', 2, 2, SKIP"
    })
    void devicesThatCrowdOnOneNumaNodeAreAWarning(String places, int nodes, long sockets, Status status) {
        List<AcceleratorProfile> devices = new ArrayList<>();
        devices.add(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CPU, 0))
                .with(DeviceFact.SOCKETS, given(sockets))
                .build());
        for (String place : places.split(",")) {
            AcceleratorProfile.ProfileBuilder gpu =
                    AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, devices.size() - 1));
            long node = Long.parseLong(place);
            devices.add(
                    node < 0
                            ? gpu.build()
                            : gpu.with(DeviceFact.NUMA_NODE, given(node)).build());
        }
        List<TopologyNode> numa = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            numa.add(new TopologyNode.NumaNode(new NodeId("numa:" + i), i, given(Bytes.ofGib(64))));
        }
        AcceleratorRegistry plain = AcceleratorRegistry.of(devices);
        AcceleratorRegistry registry = new AcceleratorRegistry(
                plain.referenceSchema(),
                plain.profiles(),
                plain.gaps(),
                plain.systemIo(),
                TopologyGraph.of(numa, List.of()),
                plain.observedAt());

        Finding finding = find(new HostSketch().host(), registry, "device.numa.balance");

        assertThat(finding.status()).as(finding.message()).isEqualTo(status);
        if (status == Status.WARN) {
            assertThat(finding.message()).contains("on NUMA node 0");
            assertThat(finding.next()).contains("numactl", "--cpu-bind");
        }
    }

    private static Host nvidia(String log, String text) {
        return new HostSketch()
                .pci("0000:01:00.0", "10DE:2330", "30200", "nvidia")
                .file(log, text)
                .host();
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
