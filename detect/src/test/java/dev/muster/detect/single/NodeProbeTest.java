package dev.muster.detect.single;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.DeviceFact;
import dev.muster.detect.Contexts;
import dev.muster.detect.ProbeReport;
import dev.muster.detect.host.HostSketch;
import org.junit.jupiter.api.Test;

class NodeProbeTest {
    @Test
    void d37_findsMediaTeksUnitWithoutInventingMemory() {
        HostSketch host = new HostSketch().folder("/sys/class/misc/mtk_apu");
        ProbeReport report = NodeProbe.mediaTek().probe(Contexts.of(host));

        assertThat(NodeProbe.mediaTek().hasSigns(Contexts.of(host))).isTrue();
        assertThat(report.profiles()).hasSize(1);
        assertThat(report.profiles().getFirst().accelerator().kind()).isEqualTo(AcceleratorKind.MEDIATEK_APU);
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.COMPUTE_CAPABILITY)
                        .find())
                .contains("MDLA");
        assertThat(report.profiles().getFirst().memory().isKnown()).isFalse();
    }

    @Test
    void findsSamsungsUnitOnce() {
        HostSketch host = new HostSketch().file("/dev/samsung_npu0", "").file("/dev/samsung_npu1", "");

        assertThat(NodeProbe.samsung().probe(Contexts.of(host)).profiles()).hasSize(1);
    }

    @Test
    void everyNodeOfGroqsIsACard() {
        HostSketch host = new HostSketch().file("/dev/groqA0", "").file("/dev/groqA1", "");

        assertThat(NodeProbe.groq().probe(Contexts.of(host)).profiles()).hasSize(2);
        assertThat(NodeProbe.groq()
                        .probe(Contexts.of(new HostSketch().file("/dev/groq", "")))
                        .profiles())
                .hasSize(1);
    }

    @Test
    void findsGroqsCardsOnTheBus() {
        HostSketch host = new HostSketch().file("/dev/groqA0", "").pci("0000:21:00.0", "1DE0:0001", "120000", "groq");

        assertThat(NodeProbe.groq()
                        .probe(Contexts.of(host))
                        .profiles()
                        .getFirst()
                        .reading(DeviceFact.PCI_ID)
                        .find())
                .contains("1de0:0001");
    }

    @Test
    void findsNothingOnAnEmptyHost() {
        assertThat(NodeProbe.groq().hasSigns(Contexts.of(new HostSketch()))).isFalse();
        assertThat(NodeProbe.samsung().hasSigns(Contexts.of(new HostSketch()))).isFalse();
        assertThat(NodeProbe.mediaTek().hasSigns(Contexts.of(new HostSketch()))).isFalse();
    }
}
