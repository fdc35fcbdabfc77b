// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.qualcomm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import org.junit.jupiter.api.Test;

class QualcommProbeTest {
    private static final String TWO = """
            QID 0
                Status:Ready
                PCI Address:0000:03:00.0
                FW Version:1.20.2
                Dram Total:33488896 KB
                Dram Free:33470464 KB
                Nsp Total:16
            QID 1
                Status:Error
                PCI Address:0000:04:00.0
                Dram Total:unknown
            """;

    @Test
    void d37_theDriversFolderIsADeviceOfUnknownMemory() {
        HostSketch host = new HostSketch().folder("/sys/class/qaic");
        ProbeReport report = probe(host);

        assertThat(new QualcommProbe().hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().memory().isKnown()).isFalse();
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.COMPUTE_CAPABILITY)
                        .find())
                .contains("AI 100");
    }

    @Test
    void everyFunctionIsADevice() {
        ProbeReport report = probe(cards().tool("qaic-util -q", TWO));

        assertThat(report.profiles()).hasSize(2);
        AcceleratorProfile first = report.profiles().getFirst();
        assertThat(first.memory().find()).contains(Bytes.ofKib(33488896));
        assertThat(first.memoryFree().find()).contains(Bytes.ofKib(33470464));
        assertThat(first.reading(DeviceFact.HEALTH).find()).contains("ok");
        assertThat(first.reading(DeviceFact.FIRMWARE_VERSION).find()).contains("1.20.2");
        assertThat(first.reading(DeviceFact.COMPUTE_UNITS).find()).contains(16L);
        assertThat(first.reading(DeviceFact.KERNEL_DRIVER).find()).contains("qaic");
        AcceleratorProfile second = report.profiles().get(1);
        assertThat(second.available()).isFalse();
        assertThat(second.memory().isKnown()).isFalse();
    }

    @Test
    void saysThatTheToolMakesNoSense() {
        ProbeReport report = probe(cards().tool("qaic-util -q", "must be root"));

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.gaps()).singleElement().isInstanceOf(Gap.Unparsable.class);
    }

    @Test
    void countsNodesWhereTheBusIsHidden() {
        HostSketch host = new HostSketch().file("/dev/qaic_aic100_0", "").file("/dev/qaic_aic100_1", "");

        assertThat(probe(host).profiles()).hasSize(2);
    }

    @Test
    void takesNoModemForOne() {
        HostSketch host = new HostSketch().pci("0000:01:00.0", "17CB:1103", "028000", "ath11k_pci");

        assertThat(new QualcommProbe().hasSigns(Contexts.of(host))).isFalse();
    }

    @Test
    void takesNothingFromOtherTexts() {
        Provenance tool = Provenance.of("x", Provenance.Method.COMMAND, Provenance.Confidence.MEASURED);

        assertThat(QaicUtilParser.parse("QID x\nStatus:\n:\nQID", tool)).isEmpty();
    }

    private static HostSketch cards() {
        return new HostSketch()
                .pci("0000:03:00.0", "17CB:A100", "120000", "qaic")
                .pci("0000:04:00.0", "17CB:A100", "ff0000", "qaic");
    }

    private static ProbeReport probe(HostSketch host) {
        return new QualcommProbe().probe(Contexts.of(host));
    }
}
