// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.Gap;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.normalise.NumaNode;
import dev.muster.detect.text.CpuSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumaProbeTest {
    private final List<Gap> gaps = new ArrayList<>();

    private List<NumaNode> probe(HostSketch host) {
        return new NumaProbe().probe(Contexts.of(host), gaps::add);
    }

    private static HostSketch hwloc(String archive, String root) throws IOException {
        return new HostSketch().tar(Fixtures.sharedTar("topology/hwloc-sysfs/" + archive), root, "");
    }

    private static HostSketch node(HostSketch host, int number, String cpus, long kib) {
        String folder = "/sys/devices/system/node/node" + number;
        return host.file(folder + "/cpulist", cpus + "\n")
                .file(folder + "/meminfo", "\nNode " + number + " MemTotal:   " + kib + " kB\n");
    }

    private static CpuSet cpus(String list) {
        return CpuSet.parseList(list).orElseThrow();
    }

    @Test
    void readsTwoNodes() throws IOException {
        List<NumaNode> nodes = probe(hwloc("32em64t-2n8c-dax-nvme-mic-dimms.tar.bz2", "32em64t-2n8c+1mic"));

        assertThat(nodes).extracting(NumaNode::number).containsExactly(0L, 1L);
        assertThat(nodes).extracting(NumaNode::cpus).containsExactly(cpus("0-7"), cpus("8-15"));
        assertThat(nodes.getFirst().memory().find()).contains(Bytes.ofKib(16_747_124));
        assertThat(gaps).isEmpty();
    }

    @Test
    void readsFourNodesOfInterleavedProcessorsFromMasks() throws IOException {
        List<NumaNode> nodes = probe(hwloc("40intel64-2g2n4c-pcilocality.tar.bz2", "40intel64-2g2n4c+pci"));

        assertThat(nodes).hasSize(4);
        assertThat(nodes.getFirst().cpus()).isEqualTo(cpus("0,4,8,12,16,20,24,28,32,36"));
        assertThat(nodes.getLast().cpus().findFirst()).hasValue(3);
    }

    @Test
    void readsFourNodesBehindMemorySideCaches() throws IOException {
        List<NumaNode> nodes = probe(hwloc("memorysidecaches.tar.bz2", "memorysidecaches"));

        assertThat(nodes).hasSize(4).allMatch(node -> node.cpus().count() == 20);
        assertThat(nodes.getFirst().memory().find()).contains(Bytes.ofKib(388_492_316));
    }

    @Test
    void readsTheOneNodeOfADgxSpark() throws IOException {
        List<NumaNode> nodes = probe(hwloc("nvidia-dgx-gb10.tar.bz2", "nvidia-dgx-gb10"));

        assertThat(nodes).hasSize(1);
        assertThat(nodes.getFirst().memory().find()).contains(Bytes.ofKib(125_508_468));
        assertThat(nodes.getFirst().cpus()).isEqualTo(cpus("0-19"));
    }

    @Test
    void pitfall27_nodesNeedNotStartAtZero() throws IOException {
        List<NumaNode> nodes =
                probe(new HostSketch().tar(Fixtures.sharedTar("environment/procfs-host.tar.gz"), "", ""));

        assertThat(nodes).extracting(NumaNode::number).containsExactly(1L, 2L);
        assertThat(nodes)
                .allMatch(node -> !node.memory().isKnown() && node.cpus().isEmpty());
    }

    @Test
    void pitfall27_memoryOfGpusIsANodeWithoutProcessorsAndNumbersAreSparse() {
        HostSketch host = new HostSketch();
        node(host, 0, "0-63", 268_435_456);
        node(host, 8, "64-127", 268_435_456);
        node(host, 250, "", 16_515_072);
        node(host, 255, "", 16_515_072);

        List<NumaNode> nodes = probe(host);

        assertThat(nodes).extracting(NumaNode::number).containsExactly(0L, 8L, 250L, 255L);
        assertThat(nodes.get(2).cpus().isEmpty()).isTrue();
        assertThat(nodes.get(2).memory().find()).contains(Bytes.ofKib(16_515_072));
    }

    @Test
    void aHostWithoutNodesHasNone() {
        assertThat(probe(new HostSketch().folder("/sys/devices/system/node/power")))
                .isEmpty();
        assertThat(probe(new HostSketch())).isEmpty();
    }
}
