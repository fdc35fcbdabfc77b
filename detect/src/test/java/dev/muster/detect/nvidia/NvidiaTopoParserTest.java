// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.detect.Fixtures;
import dev.muster.detect.nvidia.NvidiaTopology.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NvidiaTopoParserTest {
    @Test
    void pitfall08_escapesAndEmptyCellsAreNoContent() throws Exception {
        NvidiaTopology topology = NvidiaTopoParser.parse(Fixtures.own("nvidia/h200-microvm/nvidia-smi-topo.txt"));

        assertThat(topology.rows()).containsExactly(new NvidiaTopology.Row("GPU0", Map.of("GPU0", Path.of("X")), "0"));
    }

    @Test
    void readsEightGpusAndTenCards() throws Exception {
        NvidiaTopology topology = NvidiaTopoParser.parse(Fixtures.shared("nvidia/topo/a100-x8-nic10.topo-m.txt"));

        assertThat(topology.rows()).hasSize(18);
        for (int i = 0; i < 8; i++) {
            NvidiaTopology.Row row = topology.find("GPU" + i).orElseThrow();
            assertThat(row.numa()).isEqualTo(i < 4 ? "0" : "1");
            for (int j = 0; j < 8; j++) {
                assertThat(topology.lanes(i, j)).isEqualTo(i == j ? 0 : 12);
            }
        }
        assertThat(topology.find("NIC3").orElseThrow().numa()).isEmpty();
        assertThat(topology.find("NIC9").orElseThrow().paths()).containsEntry("NIC9", Path.of("X"));
    }

    @Test
    void knowsWhichCardsAreNearWhichGpus() throws Exception {
        NvidiaTopology topology = NvidiaTopoParser.parse(Fixtures.shared("nvidia/topo/a100-x8-nic10.topo-m.txt"));

        Map<Integer, Set<String>> near = Map.of(
                0, Set.of("NIC2", "NIC3"),
                2, Set.of("NIC0", "NIC1"),
                4, Set.of("NIC8", "NIC9"),
                6, Set.of("NIC4", "NIC5"));
        for (int gpu = 0; gpu < 8; gpu++) {
            Map<String, Path> paths = topology.find("GPU" + gpu).orElseThrow().paths();
            for (int nic = 0; nic < 10; nic++) {
                boolean close = near.getOrDefault(gpu - gpu % 2, Set.of()).contains("NIC" + nic);
                assertThat(paths).containsEntry("NIC" + nic, Path.of(close ? "PXB" : "SYS"));
            }
        }
    }

    @Test
    void pitfall08_anotherMatrixOfTheSameToolIsNotMistakenForIt() throws Exception {
        String recorded = Fixtures.shared("nvidia/topo/pcie-x8.topo-p2p-p.txt");

        assertThatThrownBy(() -> NvidiaTopoParser.parse(recorded))
                .isInstanceOf(NvidiaFormatException.class)
                .hasMessageStartingWith("no topology matrix");
        assertThatThrownBy(() -> NvidiaTopoParser.parse("\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n"))
                .isInstanceOf(NvidiaFormatException.class)
                .hasMessage("no topology matrix: 'OK' is not a kind of link");
    }

    @Test
    void pitfall08_oldMatricesNameCardsAndHaveOnlyProcessors() throws Exception {
        NvidiaTopology topology = NvidiaTopoParser.parse("""
                \tGPU0\tGPU1\tmlx5_0\tCPU Affinity
                GPU0\t X \tSOC\tPHB\t0-11,24-35
                GPU1\tSOC\t X \tSOC\t12-23,36-47
                mlx5_0\tPHB\tSOC\t X \t
                """);

        assertThat(topology.rows()).hasSize(3);
        assertThat(topology.find("GPU1").orElseThrow())
                .isEqualTo(new NvidiaTopology.Row(
                        "GPU1", Map.of("GPU0", Path.of("SOC"), "GPU1", Path.of("X"), "mlx5_0", Path.of("SOC")), ""));
        assertThat(topology.lanes(0, 1)).isZero();
    }

    @Test
    void pitfall08_middleAgedMatricesHaveNumaNodes() throws Exception {
        NvidiaTopology topology = NvidiaTopoParser.parse("""
                \tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity
                GPU0\t X \tNV4\t0-7\t0-1
                GPU1\tNV4\t X \t8-15\tN/A
                """);

        assertThat(topology.lanes(0, 1)).isEqualTo(4);
        assertThat(topology.find("GPU0").orElseThrow().numa()).isEqualTo("0-1");
        assertThat(topology.find("GPU1").orElseThrow().numa()).isEmpty();
    }

    @Test
    void pitfall08_emptyCellsOnWindowsAndNodesOfTheGpusOwn() throws Exception {
        String header = "\t\u001b[4mGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m\n";

        assertThat(NvidiaTopoParser.parse(header + "GPU0\t X \t\t\t\tN/A\n").rows())
                .containsExactly(new NvidiaTopology.Row("GPU0", Map.of("GPU0", Path.of("X")), ""));
        assertThat(NvidiaTopoParser.parse(header + "GPU0\t X \t0-71\t0\t\t4-11\n")
                        .rows())
                .containsExactly(new NvidiaTopology.Row("GPU0", Map.of("GPU0", Path.of("X")), "0"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ERROR: Option -m is missing its value. Please run 'nvidia-smi -h' for help.",
                "\tGPU0\n",
                "\tGPU0\tGPU1\nGPU0\tX\n",
                "\u001b[",
                "\tGPU0\nGPU0\t\n"
            })
    void whatIsNoMatrixIsRefused(String text) {
        assertThatThrownBy(() -> NvidiaTopoParser.parse(text)).isInstanceOf(NvidiaFormatException.class);
    }
}
