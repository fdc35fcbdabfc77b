// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.NodeId;
import dev.muster.detect.Contexts;
import dev.muster.detect.DetectBuilder;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvidiaMatrixPlacesTest {
    private static final String QUERY = "nvidia-smi " + String.join(" ", NvidiaSmiQuerySource.QUESTION);
    private static final String MATRIX = """
            \tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tCPU Affinity\tNUMA Affinity
            GPU0\t X \tPIX\tPXB\tNODE\tSYS\t0-7\t0
            GPU1\tPIX\t X \tPXB\tNODE\tSYS\t0-7\t0
            GPU2\tPXB\tPXB\t X \tNODE\tSYS\t0-7\t0
            GPU3\tNODE\tNODE\tNODE\t X \tSYS\t0-7\t0
            GPU4\tSYS\tSYS\tSYS\tSYS\t X \t8-15\t1
            """;
    private static final String BLANKS = """
                    GPU0    GPU1    GPU2    CPU Affinity    NUMA Affinity
            GPU0     X      PHB     NV1     0-7             0
            GPU1    PHB      X      PHB     0-7             0
            GPU2    NV1     PHB      X      0-7             0

            Legend:

              X    = Self
              PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)
            """;

    @Test
    void withoutAMatrixNothingIsSaidOfHowGpusAreJoined() {
        AcceleratorRegistry registry = detect(gpus(8));

        assertThat(word(registry, 0, 7)).isEqualTo("?");
    }

    @Test
    void wordsOfTheMatrixComeOutAsTheyAreWhereTheHostHidesItsBus() {
        AcceleratorRegistry registry = detect(gpus(5).tool("nvidia-smi topo -m", MATRIX));

        assertThat(word(registry, 0, 1)).isEqualTo("PIX");
        assertThat(word(registry, 0, 2)).isEqualTo("PXB");
        assertThat(word(registry, 0, 3)).isEqualTo("NODE");
        assertThat(word(registry, 2, 3)).isEqualTo("NODE");
        assertThat(word(registry, 0, 4)).isEqualTo("SYS");
    }

    @Test
    void blanksBetweenTheCellsAreAsGoodAsTabs() {
        AcceleratorRegistry registry = detect(gpus(3).tool("nvidia-smi topo -m", BLANKS));

        assertThat(word(registry, 0, 1)).isEqualTo("PHB");
        assertThat(word(registry, 1, 2)).isEqualTo("PHB");
        assertThat(word(registry, 0, 2)).isEqualTo("NV1");
        assertThat(registry.profiles().getLast().reading(DeviceFact.NUMA_NODE).find())
                .contains(0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Something else entirely\n", "\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n"})
    void aMatrixThatCannotBeReadIsAGap(String text) {
        ProbeReport report = new NvidiaProbe().probe(Contexts.of(gpus(2).tool("nvidia-smi topo -m", text)));

        assertThat(report.gaps())
                .singleElement()
                .satisfies(gap -> assertThat(((Gap.Unparsable) gap).message())
                        .startsWith("nvidia-smi topo -m: no topology matrix"));
    }

    @Test
    void aSingleGpuHasItsNumaNodeFromTheMatrix() {
        HostSketch host = gpus(1).tool(
                        "nvidia-smi topo -m",
                        "\t\u001b[4mGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m\nGPU0\t X \t0-23\t1\t\tN/A\n");

        assertThat(new NvidiaProbe()
                        .probe(Contexts.of(host))
                        .profiles()
                        .getFirst()
                        .reading(DeviceFact.NUMA_NODE)
                        .find())
                .contains(1L);
    }

    private static HostSketch gpus(int count) {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < count; i++) {
            rows.append(i).append(", 183359, 0, 182633, 10.0, 570.86.10, NVIDIA B200, 30, 140, 0, 3996\n");
        }
        return new HostSketch().tool(QUERY, rows.toString());
    }

    private static AcceleratorRegistry detect(HostSketch host) {
        return DetectBuilder.all().build(host.host(), System.getLogger("test")).detect();
    }

    private static String word(AcceleratorRegistry registry, int one, int other) {
        return registry.topology()
                .relation(new NodeId("device:cuda:" + one), new NodeId("device:cuda:" + other))
                .word();
    }
}
