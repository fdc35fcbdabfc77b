// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.google;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Interconnect;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TpuProbeTest {
    @ParameterizedTest
    @CsvSource({
        "v5e, 4, V5E, 819.2",
        "v5litepod-8, 8, V5E, 1638.4",
        "v5p, 4, V5P, 1638.4",
        "v6e, 4, V6E, 1792",
        "v4, 8, V4, 1536",
    })
    void believesTheDriverAboutGenerationAndChips(String words, long chips, TpuVersion version, double rate) {
        ProbeReport report = probe(accel(new HostSketch(), 0, words, Long.toString(chips)));

        AcceleratorProfile tpu = report.profiles().getFirst();
        assertThat(tpu.accelerator()).isEqualTo(new AcceleratorType.Tpu(0, chips, version));
        assertThat(tpu.memory().find()).contains(version.memoryPerChip().saturatingTimes(chips));
        assertThat(tpu.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("TPU " + version.display());
        Interconnect fabric = report.interconnects().getFirst();
        assertThat(fabric.name()).isEqualTo("ICI (" + chips + " chips)");
        assertThat(fabric.bandwidth().find()).contains(new Bandwidth(rate));
        assertThat(fabric.state().find()).contains(chips + " chips, " + words);
    }

    @Test
    void saysThatMemoryIsFromTheDataSheet() {
        AcceleratorProfile tpu =
                probe(accel(new HostSketch(), 0, "v4", "1")).profiles().getFirst();

        assertThat(tpu.memory())
                .isInstanceOfSatisfying(
                        Reading.Known.class,
                        known -> assertThat(known.provenance().method()).isEqualTo(Provenance.Method.CATALOGUE));
    }

    @Test
    void oneChipHasNoFabric() {
        assertThat(probe(accel(new HostSketch(), 0, "v4", "1")).interconnects()).isEmpty();
    }

    @Test
    void addsUpTheChipsOfSeveralDevices() {
        ProbeReport report = probe(accel(accel(new HostSketch(), 0, "v4", "4"), 1, "v4", "4"));

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.interconnects().getFirst().state().find()).contains("8 chips, v4");
    }

    @Test
    void aV7ChipWithTwoFunctionsIsOneDevice() {
        HostSketch host = new HostSketch();
        for (String address : List.of("0000:00:04.0", "0000:00:04.1", "0000:00:05.0", "0000:00:05.1")) {
            host.pci(address, "1AE0:0076", "088000", "");
        }

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.interconnects().getFirst().state().find()).contains("2 chips, " + TpuVersion.V7.display());
    }

    @Test
    void countsOneChipWhereTheDriverGivesNoCount() {
        ProbeReport report = probe(accel(new HostSketch(), 3, "v5p", "many"));

        assertThat(report.profiles().getFirst().accelerator()).isEqualTo(new AcceleratorType.Tpu(3, 1, TpuVersion.V5P));
    }

    @Test
    void keepsTheMemoryOfAbsurdCountsAtTheMaximum() {
        AcceleratorProfile tpu = probe(accel(new HostSketch(), 0, "v5p", "4294967295"))
                .profiles()
                .getFirst();

        assertThat(tpu.memory().find()).contains(Bytes.ofGib(95).saturatingTimes(4294967295L));
    }

    @Test
    void d33_otherDevicesOfTheAccelClassAreNoTpus() {
        HostSketch npu = new HostSketch()
                .file("/dev/accel0", "")
                .file("/dev/accel/accel0", "")
                .link("/sys/class/accel/accel0/device/driver", "../../../bus/pci/drivers/intel_vpu")
                .pci("0000:00:0b.0", "8086:7D1D", "120000", "intel_vpu");

        assertThat(new TpuProbe().hasSigns(Contexts.of(npu))).isFalse();
        assertThat(probe(npu)).isEqualTo(ProbeReport.EMPTY);
    }

    @Test
    void reportsAGenerationItDoesNotKnowAsAGap() {
        ProbeReport report = probe(accel(new HostSketch(), 0, "v99z", "4"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Unparsable.class);
    }

    @ParameterizedTest
    @CsvSource({"005E, V4", "0062, V5P", "0063, V5E", "006F, V6E", "0076, V7"})
    void findsChipsOnTheBus(String id, TpuVersion version) {
        HostSketch host = new HostSketch()
                .pci("0000:00:04.0", "1AE0:" + id, "120000", "vfio-pci")
                .pci("0000:00:05.0", "1AE0:" + id, "120000", "vfio-pci")
                .file("/sys/bus/pci/devices/0000:00:05.0/numa_node", "1\n");

        ProbeReport report = probe(host);

        assertThat(new TpuProbe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(new AcceleratorType.Tpu(0, 1, version), new AcceleratorType.Tpu(1, 1, version));
        AcceleratorProfile second = report.profiles().get(1);
        assertThat(second.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:00:05.0"));
        assertThat(second.reading(DeviceFact.KERNEL_DRIVER).find()).contains("vfio-pci");
        assertThat(second.reading(DeviceFact.NUMA_NODE).find()).contains(1L);
    }

    @Test
    void tellsV2FromV3ByTheSubsystem() {
        HostSketch host = new HostSketch()
                .pci("0000:00:04.0", "1AE0:0027", "120000", "")
                .file("/sys/bus/pci/devices/0000:00:04.0/subsystem_device", "0x004e\n")
                .pci("0000:00:05.0", "1AE0:0027", "120000", "")
                .file("/sys/bus/pci/devices/0000:00:05.0/subsystem_device", "0x004f\n")
                .pci("0000:00:06.0", "1AE0:0027", "120000", "");

        ProbeReport report = probe(host);

        assertThat(report.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(
                        new AcceleratorType.Tpu(0, 1, TpuVersion.V2), new AcceleratorType.Tpu(1, 1, TpuVersion.V3));
        assertThat(report.gaps()).hasSize(1);
    }

    @Test
    void takesNoNetworkCardOfGooglesForATpu() {
        HostSketch host = new HostSketch().pci("0000:00:04.0", "1AE0:0042", "020000", "gve");

        assertThat(new TpuProbe().hasSigns(Contexts.of(host))).isFalse();
    }

    @Test
    void believesTheVariablesWhereNodesShowThatThereAreChips() {
        HostSketch variables = new HostSketch()
                .variable("TPU_ACCELERATOR_TYPE", "v5litepod-4")
                .variable("TPU_CHIPS_PER_HOST_BOUNDS", "2,2,1");

        assertThat(probe(variables).profiles()).isEmpty();
        for (int i = 0; i < 5; i++) {
            variables.file("/dev/vfio/" + i, "");
        }
        variables.file("/dev/vfio/vfio", "");

        assertThat(probe(variables).profiles())
                .hasSize(4)
                .allMatch(tpu ->
                        tpu.accelerator() instanceof AcceleratorType.Tpu type && type.version() == TpuVersion.V5E);
    }

    @Test
    void prefersTheMemoryThatTheToolTells() throws IOException {
        HostSketch host = new HostSketch().tool("tpu-info", Fixtures.shared("tpu/v6e-4chip.tpu-info.txt"));
        for (int i = 0; i < 4; i++) {
            host.pci("0000:00:0" + (4 + i) + ".0", "1AE0:006F", "120000", "vfio-pci");
        }

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(4);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.memory().find()).contains(Bytes.parse("31.25GiB"));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.parse("18.45GiB"));
        assertThat(first.memoryFree().find()).isPresent();
        assertThat(first.reading(DeviceFact.RUNTIME_VERSION).find()).contains("0.0.19.dev20250721+nightly");
        assertThat(report.interconnects().getFirst().bandwidth().find()).contains(new Bandwidth(4 * 448.0));
    }

    @Test
    void findsChipsByTheToolAlone() {
        ProbeReport report = probe(new HostSketch().tool("tpu-info", """
                | Chip        | Type       | Devices | PID  |
                |-------------|------------|---------|------|
                | /dev/vfio/0 | TPU7x chip | 2       | None |
                """));

        assertThat(report.profiles().getFirst().accelerator()).isEqualTo(new AcceleratorType.Tpu(0, 1, TpuVersion.V7));
        assertThat(report.profiles().getFirst().memory().find()).contains(Bytes.ofGib(192));
    }

    @Test
    void saysThatTheToolHangs() {
        HostSketch host = accel(new HostSketch(), 0, "v4", "4").tool("tpu-info", 0, "", "", Duration.ofMinutes(1));

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Timeout.class);
    }

    @Test
    void saysThatToolAndFilesDisagree() {
        HostSketch host = accel(new HostSketch(), 0, "v4", "4").tool("tpu-info", """
                | Chip        | Type        | Devices | PID  |
                | /dev/accel0 | TPU v4 chip | 1       | None |
                """);

        assertThat(probe(host).gaps()).singleElement().isInstanceOf(Gap.Conflict.class);
    }

    private static HostSketch accel(HostSketch host, int number, String version, String chips) {
        String folder = "/sys/class/accel/accel" + number + "/device/";
        return host.file("/dev/accel" + number, "")
                .file(folder + "tpu_version", version + "\n")
                .file(folder + "chip_count", chips + "\n");
    }

    private static ProbeReport probe(HostSketch host) {
        return new TpuProbe().probe(Contexts.of(host));
    }
}
