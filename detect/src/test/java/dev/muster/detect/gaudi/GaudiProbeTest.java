// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.gaudi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Hertz;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GaudiProbeTest {
    private static final String QUERY = "hl-smi -Q " + String.join(",", HlSmiParserTest.FIELDS) + " -f csv";
    private static final String REFERENCE_QUERY =
            "hl-smi --query-aip=index,name,memory.total,memory.free --format=csv,noheader,nounits";

    @Test
    void readsTheRecordedQuery() throws IOException {
        HostSketch host = new HostSketch().tool(QUERY, Fixtures.shared("gaudi/hl-325l-x2.query.csv"));

        ProbeReport report = probe(host);

        assertThat(report.gaps()).isEmpty();
        assertThat(report.profiles())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(
                        new AcceleratorType.Gaudi(0, GaudiGeneration.GAUDI3),
                        new AcceleratorType.Gaudi(1, GaudiGeneration.GAUDI3));
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.memory().find()).contains(Bytes.ofMib(131_072));
        assertThat(first.reading(DeviceFact.MEMORY_USED).find()).contains(Bytes.ofMib(672));
        assertThat(first.memoryFree().find()).contains(Bytes.ofMib(130_400));
        assertThat(first.reading(DeviceFact.DRIVER_VERSION).find()).contains("1.22.1-97ec1a4");
        assertThat(first.reading(DeviceFact.POWER).find()).contains(new Watts(226));
        assertThat(first.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(850));
        assertThat(first.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(36));
        assertThat(first.reading(DeviceFact.UTILIZATION).find()).contains(new Ratio(0));
        AcceleratorProfile second = report.profiles().getLast();
        assertThat(second.reading(DeviceFact.POWER).find()).contains(new Watts(230));
        assertThat(second.reading(DeviceFact.TEMPERATURE).find()).contains(new Celsius(39));
        assertThat(second.reading(DeviceFact.UUID).find()).contains("01P4-HL3090A0-18-U4V298-03-04-04");
    }

    @Test
    void readsTheRecordedTableWhereTheQueryIsRefused() throws IOException {
        HostSketch host = new HostSketch()
                .tool("hl-smi", Fixtures.shared("gaudi/gaudi2-x8.hl-smi.txt"))
                .tool("hl-smi *", 1, "", "unknown option\n");

        ProbeReport report = probe(host);

        assertThat(report.gaps()).isEmpty();
        assertThat(report.profiles()).hasSize(8).allSatisfy(gpu -> {
            assertThat(gpu.memory().find()).contains(Bytes.ofMib(98_304));
            assertThat(((AcceleratorType.Gaudi) gpu.accelerator()).generation()).isEqualTo(GaudiGeneration.GAUDI2);
        });
        assertThat(report.profiles().get(5).reading(DeviceFact.MEMORY_USED).find())
                .contains(Bytes.ofMib(26_835));
        assertThat(report.profiles().get(1).reading(DeviceFact.PCI_ADDRESS).find())
                .isEqualTo(PciAddress.find("0000:08:00.0"));
    }

    @Test
    void pitfall21_devicesOfTheBusGetTheToolsNumbers() throws IOException {
        HostSketch host = onBus(new HostSketch())
                .tool(QUERY, """
                        0, U0, HL-325L, 1.22.1-97ec1a4, 131072 MiB, 672 MiB, 130400 MiB, 226 W, 850 W, 36 C, 0 %
                        1, U1, HL-325L, 1.22.1-97ec1a4, 131072 MiB, 672 MiB, 130400 MiB, 230 W, 850 W, 39 C, 0 %
                        """)
                .tool("hl-smi", Fixtures.own("gaudi/hl-smi/hl-325l-x2__1.22__synthetic.txt"));

        ProbeReport report = probe(host);

        assertThat(report.gaps()).isEmpty();
        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.accelerator().deviceId()).isZero();
        assertThat(first.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0000:4d:00.0"));
        assertThat(first.reading(DeviceFact.UUID).find()).contains("U0");
        assertThat(first.reading(DeviceFact.KERNEL_DRIVER).find()).contains("habanalabs");
        assertThat(first.reading(DeviceFact.PCI_ID).find()).contains("1da3:1060");
    }

    @Test
    void asksAsOthersDoWhereNothingElseAnswers() {
        HostSketch host = new HostSketch()
                .tool(REFERENCE_QUERY, "0, HL-225, 98304, 97536\n")
                .tool("hl-smi *", 3, "", "");

        ProbeReport report = probe(host);

        assertThat(report.gaps()).isEmpty();
        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().memory().find()).contains(Bytes.ofGib(96));
        assertThat(report.profiles().getFirst().memoryFree().find()).contains(Bytes.ofMib(97_536));
    }

    @Test
    void findsDevicesOnTheBusWithoutTheTool() {
        ProbeReport report = probe(onBus(new HostSketch())
                .link("/sys/class/accel/accel0/device", "../../../devices/pci0000:30/0000:33:00.0")
                .file("/sys/devices/pci0000:30/0000:33:00.0/status", "operational\n")
                .file("/sys/devices/pci0000:30/0000:33:00.0/driver_ver", "1.22.1-97ec1a4\n")
                .file("/sys/devices/pci0000:30/0000:33:00.0/clk_max_freq_mhz", "1600\n")
                .file("/sys/devices/pci0000:30/0000:33:00.0/max_power", "850000\n"));

        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.accelerator()).isEqualTo(new AcceleratorType.Gaudi(0, GaudiGeneration.GAUDI3));
        assertThat(first.memory().isKnown()).isFalse();
        assertThat(first.reading(DeviceFact.HEALTH).find()).contains("ok");
        assertThat(first.reading(DeviceFact.CLOCK_MAX).find()).contains(Hertz.ofMegahertz(1600));
        assertThat(first.reading(DeviceFact.POWER_LIMIT).find()).contains(new Watts(850));
        assertThat(first.available()).isTrue();
    }

    @Test
    void aDeviceInResetCannotBeUsed() {
        ProbeReport report = probe(new HostSketch()
                .pci("0000:33:00.0", "1DA3:1020", "120000", "habanalabs")
                .file("/sys/class/habanalabs/hl0/pci_addr", "0000:33:00.0\n")
                .file("/sys/class/habanalabs/hl0/status", "In reset\n"));

        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().available()).isFalse();
        assertThat(report.profiles().getFirst().reading(DeviceFact.HEALTH).find())
                .contains("in reset");
    }

    @Test
    void aProductThatIsNotKnownIsAGapAndNoGeneration() {
        ProbeReport report = probe(new HostSketch().tool(REFERENCE_QUERY, "0, HL-990, 98304, 97536\n"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps())
                .isEqualTo(List.of(
                        new Gap.Unparsable("gaudi", "hl-smi calls device 0 'HL-990', which is not a known product")));
    }

    @Test
    void aToolThatFailsIsOneGap() {
        ProbeReport report = probe(new HostSketch().tool("hl-smi *", 1, "", "no device\n"));

        assertThat(report.profiles()).isEmpty();
        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.ToolFailed);
    }

    @Test
    void aToolThatHangsIsAskedOnce() {
        ProbeReport report = probe(onBus(new HostSketch()).tool("hl-smi *", 0, "", "", Duration.ofMinutes(1)));

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.gaps()).hasSize(1).allMatch(gap -> gap instanceof Gap.Timeout);
    }

    @Test
    void goyaIsNoGaudi() {
        HostSketch host = new HostSketch().pci("0000:33:00.0", "1DA3:0001", "120000", "habanalabs");

        assertThat(probe(host).profiles()).isEmpty();
        assertThat(new GaudiProbe().hasSigns(Contexts.of(new HostSketch()))).isFalse();
    }

    private static HostSketch onBus(HostSketch host) {
        return host.pci("0000:33:00.0", "1DA3:1060", "120000", "habanalabs")
                .pci("0000:4d:00.0", "1DA3:1060", "120000", "habanalabs");
    }

    private static ProbeReport probe(HostSketch host) {
        return new GaudiProbe().probe(Contexts.of(host));
    }
}
