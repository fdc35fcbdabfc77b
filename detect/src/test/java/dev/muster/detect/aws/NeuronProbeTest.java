// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.aws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.LinkKind;
import dev.muster.core.NeuronChip;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeuronProbeTest {
    private static final String PRODUCT = "/sys/devices/virtual/dmi/id/product_name";
    private static final String ONE = """
            [{"neuron_device": 0, "bdf": "00:1e.0", "connected_to": null, "nc_count": 2,
              "numa_node": "0", "memory_size": 34359738368}]""";

    @ParameterizedTest
    @CsvSource({
        "7064, INFERENTIA",
        "7164, TRAINIUM",
        "7264, INFERENTIA2",
        "7364, TRAINIUM2",
        "7564, TRAINIUM3",
        "7565, TRAINIUM3"
    })
    void aChipIsKnownByItsPciId(String device, NeuronChip chip) {
        assertThat(NeuronChips.find(Integer.parseInt(device, 16))).contains(chip);
    }

    @Test
    void joinsSixteenDevicesToATorus() throws IOException {
        ProbeReport report = probe(new HostSketch()
                .tool("neuron-ls --json-output", 1, "unknown flag", "")
                .tool("neuron-ls --output-format json", 1, "unknown flag", "")
                .tool("neuron-ls", Fixtures.shared("neuron/trn2-16dev.neuron-ls.txt")));

        assertThat(report.profiles()).hasSize(16);
        assertThat(report.gaps()).isEmpty();
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.accelerator()).isEqualTo(new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM2, 4));
        assertThat(first.memory().find()).contains(Bytes.ofGib(96));
        assertThat(first.reading(DeviceFact.NUMA_NODE).find()).contains(1L);
        assertThat(first.reading(DeviceFact.PARTITIONING).find()).contains("logical-neuroncore-config 2");
        assertThat(first.reading(DeviceFact.FABRIC_LINKS).find()).contains(4L);
        // Four neighbours each, every link told by both ends.
        assertThat(report.links()).hasSize(32).allMatch(link -> link.kind() == LinkKind.NEURON_LINK);
    }

    @Test
    void namesTheFirstGenerationByItsTable() throws IOException {
        ProbeReport report = probe(new HostSketch()
                .tool("neuron-ls --json-output", 1, "", "")
                .tool("neuron-ls --output-format json", 1, "", "")
                .tool("neuron-ls", Fixtures.shared("neuron/inf1-1dev.neuron-ls.txt")));

        assertThat(report.profiles().getFirst().accelerator())
                .isEqualTo(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA, 4));
    }

    @Test
    void namesTheChipByTheMachineAndCompletesTheToolByTheBus() {
        ProbeReport report = probe(new HostSketch()
                .tool("neuron-ls --json-output", ONE)
                .file("/dev/neuron0", "")
                .file("/sys/module/neuron/version", "2.26.5.0\n")
                .file("/sys/devices/virtual/neuron_device/neuron0/info/serial_number", "12ab\n")
                .file(PRODUCT, "trn1.2xlarge\n")
                .pci("0000:00:1e.0", "1D0F:7164", "088000", "neuron"));

        AcceleratorProfile device = report.profiles().getFirst();
        assertThat(report.profiles()).hasSize(1);
        assertThat(device.accelerator()).isEqualTo(new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM, 2));
        assertThat(device.reading(DeviceFact.PCI_ID).find()).contains("1d0f:7164");
        assertThat(device.reading(DeviceFact.KERNEL_DRIVER).find()).contains("neuron");
        assertThat(device.reading(DeviceFact.DRIVER_VERSION).find()).contains("2.26.5.0");
        assertThat(device.reading(DeviceFact.UUID).find()).contains("12ab");
        assertThat(device.memory().find()).contains(Bytes.ofGib(32));
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void d34_aDeviceThatTheToolCannotDescribeIsStillThere() {
        ProbeReport report = probe(new HostSketch()
                .tool("neuron-ls --json-output", "oops")
                .file("/dev/neuron0", "")
                .file(PRODUCT, "trn1.2xlarge\n"));

        AcceleratorProfile device = report.profiles().getFirst();
        assertThat(device.accelerator()).isEqualTo(new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM, 2));
        assertThat(device.memory().find()).contains(Bytes.ofGib(32));
        assertThat(report.gaps())
                .containsExactly(new Gap.Unparsable("aws-neuron", "neuron-ls JSON output could not be parsed"));
    }

    @Test
    void d34_inferentia2IsNotTakenForItsPredecessor() {
        ProbeReport report = probe(new HostSketch().file("/dev/neuron0", "").file(PRODUCT, "inf2.xlarge\n"));

        AcceleratorProfile device = report.profiles().getFirst();
        assertThat(device.accelerator()).isEqualTo(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA2, 2));
        assertThat(device.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("Neuron Inferentia2");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void keepsTheMemoryOfAnUnknownChipUnknown() {
        ProbeReport report = probe(new HostSketch().file("/dev/neuron0", ""));

        assertThat(report.profiles().getFirst().memory().isKnown()).isFalse();
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.COMPUTE_UNITS)
                        .isKnown())
                .isFalse();
        assertThat(report.gaps()).hasSize(1);
    }

    @Test
    void readsTheDriversFolderWithoutTheTool() {
        String driver = "/sys/devices/virtual/neuron_device/neuron";
        ProbeReport report = probe(new HostSketch()
                .file(driver + "0/core_count", "8\n")
                .file(driver + "0/connected_devices", "1\n")
                .file(driver + "0/info/architecture/device_name", "Trainium2\n")
                .file(driver + "1/core_count", "8\n")
                .file(driver + "1/connected_devices", "0\n"));

        assertThat(report.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(
                        new AcceleratorType.Neuron(0, NeuronChip.TRAINIUM2, 8),
                        new AcceleratorType.Neuron(1, NeuronChip.TRAINIUM2, 8));
        assertThat(report.links()).hasSize(1);
    }

    @Test
    void aDeviceWithoutDriverIsThereButCannotBeUsed() {
        HostSketch host = new HostSketch().pci("0000:00:1e.0", "1D0F:7264", "088000", "");
        ProbeReport report = probe(host);

        assertThat(new NeuronProbe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles().getFirst().available()).isFalse();
        assertThat(report.profiles().getFirst().accelerator())
                .isEqualTo(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA2, 2));
    }

    @Test
    void takesNoOtherDeviceOfAmazonsForOne() {
        HostSketch host = new HostSketch().pci("0000:00:05.0", "1D0F:EC20", "020000", "ena");

        assertThat(new NeuronProbe().hasSigns(Contexts.of(host))).isFalse();
    }

    @Test
    void reportsADeviceThatTheToolDoesNotListAsAConflict() {
        ProbeReport report = probe(new HostSketch()
                .tool("neuron-ls --json-output", "[]")
                .file("/dev/neuron0", "")
                .file(PRODUCT, "inf2.xlarge\n"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Conflict.class);
    }

    @Test
    void asksAToolThatHangsOnlyOnce() {
        ProbeReport report = probe(new HostSketch()
                .tool("neuron-ls *", 0, "", "", Duration.ofMinutes(1))
                .file("/dev/neuron0", "")
                .file(PRODUCT, "trn1.2xlarge\n"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Timeout.class);
    }

    private static ProbeReport probe(HostSketch host) {
        return new NeuronProbe().probe(Contexts.of(host));
    }
}
