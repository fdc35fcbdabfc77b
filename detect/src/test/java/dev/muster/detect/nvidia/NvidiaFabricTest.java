// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static dev.muster.detect.nvidia.Smi.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class NvidiaFabricTest {
    private static final NodeId SWITCH = new NodeId("nvswitch");

    @Test
    void eightGpusThatReachEachOtherWithAllTheirLinksHangOnASwitch() throws IOException {
        ProbeReport report = probe(host(8, "")
                .tool("nvidia-smi topo -m", Fixtures.shared("nvidia/topo/a100-x8-nic10.topo-m.txt"))
                .tool("nvidia-smi nvlink -s", links(8, 12, "25 GB/s")));

        assertThat(report.nodes()).containsExactly(new TopologyNode.FabricSwitch(SWITCH, "NVSwitch"));
        assertThat(report.links()).hasSize(8).allSatisfy(link -> {
            assertThat(link.to()).isEqualTo(SWITCH);
            assertThat(link.kind()).isEqualTo(LinkKind.NVLINK);
            assertThat(link.lanes()).isEqualTo(12);
            assertThat(link.bandwidth().find()).contains(new Bandwidth(300));
        });
        assertThat(report.interconnects())
                .extracting(Interconnect::kind)
                .containsOnly(Interconnect.InterconnectKind.NVLINK, Interconnect.InterconnectKind.NVSWITCH)
                .hasSize(9);
        Interconnect fabric = report.interconnects().getLast();
        assertThat(fabric.name()).isEqualTo("NVSwitch (8 GPUs)");
        assertThat(fabric.bandwidth().find()).contains(new Bandwidth(300));
        assertThat(fabric.state().find()).contains("NV12");
        Interconnect first = report.interconnects().getFirst();
        assertThat(first.name()).isEqualTo("cuda:0");
        assertThat(first.state().find()).contains("12 links");
        for (AcceleratorProfile gpu : report.profiles()) {
            assertThat(value(gpu, DeviceFact.FABRIC_LINKS)).contains(12L);
            assertThat(value(gpu, DeviceFact.FABRIC_BANDWIDTH)).contains(new Bandwidth(300));
            assertThat(value(gpu, DeviceFact.NUMA_NODE))
                    .contains(gpu.accelerator().deviceId() < 4 ? 0L : 1L);
        }
    }

    @Test
    void aSwitchIsConcludedWithoutTheRateOfItsLinksToo() throws IOException {
        ProbeReport report =
                probe(host(8, "").tool("nvidia-smi topo -m", Fixtures.shared("nvidia/topo/a100-x8-nic10.topo-m.txt")));

        assertThat(report.nodes()).hasSize(1);
        assertThat(report.links()).hasSize(8).noneMatch(link -> link.bandwidth().isKnown());
        assertThat(report.interconnects())
                .singleElement()
                .satisfies(fabric -> assertThat(fabric.bandwidth().isKnown()).isFalse());
    }

    @Test
    void fourGpusThatDivideTheirLinksAreJoinedDirectly() {
        ProbeReport report = probe(host(4, "")
                .tool("nvidia-smi topo -m", matrix(4, "NV4"))
                .tool("nvidia-smi nvlink -s", links(4, 12, "25 GB/s")));

        assertThat(report.nodes()).isEmpty();
        assertThat(report.links()).hasSize(6).allMatch(link -> link.lanes() == 4);
        assertThat(report.links().getFirst().bandwidth().find()).contains(new Bandwidth(100));
    }

    @Test
    void aBridgeBetweenTwoIsNoSwitch() {
        ProbeReport report = probe(host(2, "")
                .tool("nvidia-smi topo -m", matrix(2, "NV12"))
                .tool("nvidia-smi nvlink -s", links(2, 12, "25 GB/s")));

        assertThat(report.nodes()).isEmpty();
        assertThat(report.links())
                .extracting(Link::from, Link::to)
                .containsExactly(tuple(new NodeId("device:cuda:0"), new NodeId("device:cuda:1")));
    }

    @Test
    void twoGpusOfAFabricThatIsUpHangOnASwitch() {
        ProbeReport report = probe(host(2, "<fabric><state>Completed</state><status>Success</status></fabric>")
                .tool("nvidia-smi topo -m", matrix(2, "NV18"))
                .tool("nvidia-smi nvlink -s", links(2, 18, "26.562 GB/s")));

        assertThat(report.nodes()).hasSize(1);
        assertThat(report.links()).hasSize(2);
        assertThat(report.links().getFirst().bandwidth().find().orElseThrow().gigabytesPerSecond())
                .isBetween(478.1, 478.2);
    }

    @Test
    void linksThatAreDownDoNotCount() {
        ProbeReport report = probe(host(2, "")
                .tool("nvidia-smi topo -m", matrix(2, "SYS"))
                .tool("nvidia-smi nvlink -s", links(2, 4, "<inactive>")));

        assertThat(report.links()).isEmpty();
        assertThat(report.interconnects()).isEmpty();
        assertThat(value(report.profiles().getFirst(), DeviceFact.FABRIC_LINKS)).contains(0L);
        assertThat(report.profiles()
                        .getFirst()
                        .reading(DeviceFact.FABRIC_BANDWIDTH)
                        .isKnown())
                .isFalse();
    }

    @Test
    void aToolWithoutAMatrixIsNoError() {
        ProbeReport report = probe(host(2, "")
                .tool("nvidia-smi topo -m", 255, "ERROR: Option -m is missing its value.\n", "")
                .tool("nvidia-smi nvlink -s", 1, "", "no"));

        assertThat(report.profiles()).hasSize(2);
        assertThat(report.gaps()).isEmpty();
        assertThat(report.links()).isEmpty();
    }

    private static HostSketch host(int gpus, String facts) {
        StringBuilder xml = new StringBuilder("<nvidia_smi_log>");
        for (int i = 0; i < gpus; i++) {
            xml.append("<gpu id=\"00000000:%02X:00.0\">%s</gpu>".formatted(i + 1, facts));
        }
        return new HostSketch().tool("nvidia-smi -q -x", xml + "</nvidia_smi_log>");
    }

    private static String matrix(int gpus, String word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < gpus; i++) {
            text.append("\tGPU").append(i);
        }
        text.append("\tCPU Affinity\n");
        for (int i = 0; i < gpus; i++) {
            text.append("GPU").append(i);
            for (int j = 0; j < gpus; j++) {
                text.append('\t').append(i == j ? " X " : word);
            }
            text.append("\t0-7\n");
        }
        return text.toString();
    }

    private static String links(int gpus, int count, String rate) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < gpus; i++) {
            text.append("GPU ").append(i).append(": A (UUID: GPU-").append(i).append(")\n");
            for (int link = 0; link < count; link++) {
                text.append("\t Link ").append(link).append(": ").append(rate).append('\n');
            }
        }
        return text.toString();
    }

    private static ProbeReport probe(HostSketch host) {
        return new NvidiaProbe().probe(Contexts.of(host));
    }
}
