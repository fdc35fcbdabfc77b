// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import static dev.muster.detect.amd.AmdHosts.fact;
import static dev.muster.detect.amd.AmdHosts.only;
import static dev.muster.detect.amd.AmdHosts.probe;
import static dev.muster.detect.amd.AmdHosts.wholes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.LinkKind;
import dev.muster.core.PciAddress;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Hertz;
import dev.muster.detect.Contexts;
import dev.muster.detect.Fixtures;
import dev.muster.detect.host.HostSketch;
import dev.muster.detect.probe.ProbeReport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RocmTopologyTest {
    private static final String TOPOLOGY = "/sys/class/kfd/kfd/topology";

    @Test
    void pitfall14_partitionsOfOnePackageAreGroupedByUniqueId() throws IOException {
        ProbeReport report = probe(cpx());

        List<AcceleratorProfile> packages = wholes(report);
        assertThat(packages).hasSize(8);
        assertThat(report.profiles()).hasSize(8 + 63);
        assertThat(packages).allSatisfy(gpu -> {
            assertThat(fact(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("gfx942");
            assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:74a1");
            assertThat(fact(gpu, DeviceFact.FABRIC_DOMAIN)).contains("15188982192727901047");
            assertThat(fact(gpu, DeviceFact.PARTITIONING)).contains("CPX");
            assertThat(gpu.deviceName().find()).contains("AMD Instinct MI300X");
            assertThat(gpu.memory().isKnown()).isFalse();
            assertThat(gpu.reading(DeviceFact.COMPUTE_UNITS).isKnown()).isFalse();
        });
        assertThat(fact(packages.getFirst(), DeviceFact.PCI_ADDRESS)).contains(new PciAddress(0, 5, 0, 0));
        assertThat(fact(packages.getFirst(), DeviceFact.UUID))
                .contains("GPU-" + Long.toHexString(Long.parseUnsignedLong("16404946649897475633")));
        List<AcceleratorProfile> last = report.profiles().stream()
                .filter(profile -> profile.partition()
                        .filter(partition -> partition.parent().text().equals("rocm:7"))
                        .isPresent())
                .toList();
        assertThat(last).hasSize(7);
        assertThat(last.getLast().id().text()).isEqualTo("rocm:7/renderD190");
        assertThat(last.getLast().partition().orElseThrow().shape()).isEqualTo("CPX");
        assertThat(fact(last.getLast(), DeviceFact.COMPUTE_UNITS)).contains(38L);
    }

    @Test
    void joinsThePackagesOfAHive() throws IOException {
        ProbeReport report = probe(cpx());

        assertThat(report.links()).hasSize(8 * 7 / 2).allSatisfy(link -> {
            assertThat(link.kind()).isEqualTo(LinkKind.XGMI);
            assertThat(link.bandwidth().isKnown()).isFalse();
        });
        assertThat(wholes(report))
                .allSatisfy(
                        gpu -> assertThat(fact(gpu, DeviceFact.FABRIC_LINKS)).contains(7L));
        assertThat(report.interconnects()).singleElement().satisfies(hive -> {
            assertThat(hive.name()).isEqualTo("XGMI hive 15188982192727901047 (8 GPUs)");
            assertThat(hive.state().find()).contains("8 GPUs");
            // The driver tells no rate here: the data sheet's, one way.
            assertThat(hive.bandwidth().find()).contains(new Bandwidth(448));
        });
    }

    @Test
    void readsNodesAndLinksOfTheRecording() throws IOException {
        KfdTopology topology = KfdTopology.read(Contexts.of(cpx()));

        assertThat(topology.gpus()).hasSize(63).allSatisfy(node -> {
            assertThat(node.find("num_xcc")).contains(1L);
            assertThat(node.find("simd_count")).contains(152L);
            assertThat(node.findHive().map(Long::toUnsignedString)).contains("15188982192727901047");
        });
        assertThat(topology.gpus().getFirst().find("drm_render_minor")).contains(128L);
        List<KfdLink> links = topology.links(topology.gpus().getFirst());
        assertThat(links).hasSize(63);
        assertThat(links).filteredOn(link -> link.type() != KfdLink.XGMI).containsExactly(new KfdLink(2, 0, 64_000));
        assertThat(links)
                .filteredOn(link -> link.type() == KfdLink.XGMI && link.maxBandwidth() == 819_200)
                .hasSize(7);
        assertThat(links).filteredOn(link -> link.type() == KfdLink.XGMI).hasSize(62);
    }

    @Test
    void countsTheProcessorsOfTheRecordingAsNoGpus() throws IOException {
        HostSketch host = cpx();

        for (int node = 0; node < 2; node++) {
            String text = new KfdText(host).read(TOPOLOGY + "/nodes/" + node + "/properties");
            assertThat(KfdNode.parse(node, text).find("cpu_cores_count")).contains(96L);
            assertThat(KfdNode.parse(node, text).isAmdGpu()).isFalse();
        }
    }

    @Test
    void fillsRatesOfLinksFromTheTool() throws IOException {
        HostSketch host = cpx();
        host.tool("amd-smi xgmi", Fixtures.shared("amd/amd-smi/x8.xgmi.txt").replace("0000:0c:00.0", "0000:05:00.0"));

        ProbeReport report = probe(host);

        assertThat(report.links())
                .filteredOn(link -> link.from().text().equals("device:rocm:0"))
                .hasSize(7)
                .allSatisfy(link -> assertThat(link.bandwidth().find()).contains(new Bandwidth(64)));
        assertThat(fact(wholes(report).getFirst(), DeviceFact.FABRIC_BANDWIDTH)).contains(new Bandwidth(448));
    }

    @Test
    void readsVega10OfAnOldKernel() throws IOException {
        HostSketch host = new HostSketch()
                .tar(Fixtures.sharedTar("amd/kfd/vega10-2gpu-nodes.tar.gz"), "topology-parsing/topology", TOPOLOGY);

        ProbeReport report = probe(host);

        assertThat(report.profiles()).hasSize(2).allSatisfy(gpu -> {
            assertThat(fact(gpu, DeviceFact.PCI_ID)).contains("1002:6860");
            assertThat(gpu.memory().find()).contains(Bytes.of(17_163_091_968L));
            assertThat(gpu.reading(DeviceFact.COMPUTE_CAPABILITY).isKnown()).isFalse();
            assertThat(gpu.reading(DeviceFact.PCI_ADDRESS).isKnown()).isFalse();
            assertThat(fact(gpu, DeviceFact.COMPUTE_UNITS)).contains(64L);
            assertThat(fact(gpu, DeviceFact.MEMORY_CLOCK_MAX)).contains(Hertz.ofMegahertz(945));
            assertThat(gpu.memoryBandwidth().find().orElseThrow().gigabytesPerSecond())
                    .isBetween(483.0, 484.0);
        });
        assertThat(report.links()).isEmpty();
        assertThat(report.interconnects()).isEmpty();
    }

    @Test
    void pitfall14_nodesWithoutUniqueIdAreNotGrouped() {
        HostSketch host = new HostSketch();
        AmdHosts.node(host, 1, 0x300, "0", "0");
        AmdHosts.node(host, 2, 0x301, "0", "0");

        assertThat(probe(host).profiles())
                .hasSize(2)
                .allSatisfy(gpu -> assertThat(gpu.partition()).isEmpty());
    }

    @Test
    void pitfall15_theTwoDiesOfAPackageAreTwoDevices() {
        HostSketch host = new HostSketch();
        AmdHosts.node(host, 1, 0xc100, "77", "9");
        AmdHosts.node(host, 2, 0xc600, "77", "9");
        AmdHosts.link(host, 1, 2, 11, 200_000);
        AmdHosts.link(host, 2, 1, 11, 200_000);
        AmdHosts.link(host, 1, 0, 2, 64_000);

        ProbeReport report = probe(host);

        assertThat(report.profiles()).extracting(gpu -> gpu.id().text()).containsExactly("rocm:0", "rocm:1");
        assertThat(report.profiles().getFirst().deviceName().find()).contains("AMD Instinct MI250X");
        assertThat(report.links())
                .singleElement()
                .satisfies(link -> assertThat(link.bandwidth().find()).contains(new Bandwidth(200)));
        assertThat(report.interconnects()).singleElement().satisfies(hive -> {
            assertThat(hive.name()).isEqualTo("XGMI hive 9 (2 GPUs)");
            assertThat(hive.bandwidth().find()).contains(new Bandwidth(200));
        });
    }

    @Test
    void pitfall16_theTargetIsComputedAndNeverTheNameFile() {
        assertThat(target("90402")).isEqualTo("gfx942");
        assertThat(target("90010")).isEqualTo("gfx90a");
        assertThat(target("110003")).isEqualTo("gfx1103");
        assertThat(target("90500")).isEqualTo("gfx950");
        HostSketch host =
                AmdHosts.node(new HostSketch(), 1, 0x300, "7", "0").file(TOPOLOGY + "/nodes/1/name", "ip discovery\n");
        assertThat(only(probe(host)).deviceName().find()).contains("AMD Instinct MI250X");
    }

    private static String target(String version) {
        return KfdNode.parse(1, "gfx_target_version " + version + "\n")
                .findTarget()
                .orElseThrow();
    }

    @Test
    void joinsCardAndNodeOfOneGpu() {
        HostSketch host = AmdHosts.node(new HostSketch(), 1, 0x300, "7", "0");
        AmdHosts.card(host, 3, "0000:03:00.0", "1002:7408").file("/sys/class/drm/card3/device/unique_id", "7\n");

        ProbeReport report = probe(host);

        AcceleratorProfile gpu = only(report);
        assertThat(gpu.memory().find()).contains(Bytes.of(68_702_699_520L));
        assertThat(fact(gpu, DeviceFact.COMPUTE_CAPABILITY)).contains("gfx90a");
        assertThat(fact(gpu, DeviceFact.COMPUTE_UNITS)).contains(104L);
        assertThat(fact(gpu, DeviceFact.UUID)).contains("GPU-0000000000000007");
        assertThat(report.gaps()).isEmpty();
    }

    @Test
    void claimsNoGpuOfAnotherVendor() {
        HostSketch host = new HostSketch()
                .file(TOPOLOGY + "/nodes/1/properties", "simd_count 240\nvendor_id 7572\ndevice_id 21752\n");

        assertThat(probe(host).profiles()).isEmpty();
    }

    @Test
    void passesOverWhatIsNoProperty() {
        KfdNode node = KfdNode.parse(1, "simd_count\nvendor_id x\n\0\0\nunique_id 18446744073709551616\n a b c");

        assertThat(node.properties()).isEmpty();
        assertThat(KfdLink.parse("type 11\nnode_from 2\nnode_to 99999999\n")).isEmpty();
    }

    private static HostSketch cpx() throws IOException {
        return new HostSketch()
                .tar(Fixtures.sharedTar("amd/kfd/mi300x-cpx.tar.gz"), "topo-mi300-cpx/topology", TOPOLOGY);
    }

    private record KfdText(HostSketch host) {
        String read(String path) {
            return host.host().files().read(path, 1 << 16)
                            instanceof dev.muster.detect.host.HostAnswer.Found(String text)
                    ? text
                    : "";
        }
    }

    @ParameterizedTest
    @CsvSource({"110001, 1250, 256, 640", "90402, 1300, 8192, 5324.8", "90010, 1600, 4096, 1638.4"})
    void aGpuThatNoTableKnowsHasTheBandwidthOfItsClockAndWidth(
            int target, int megahertz, int bits, double gigabytesPerSecond) {
        String node = "/sys/class/kfd/kfd/topology/nodes/1";
        HostSketch host = AmdHosts.card(new HostSketch(), 0, "0000:03:00.0", "1002:7FFE")
                .pci("0000:03:00.0", "1002:7FFE", "30000", "amdgpu")
                .file(
                        node + "/properties",
                        "cpu_cores_count 0\nsimd_count 120\nsimd_per_cu 2\ngfx_target_version " + target
                                + "\nvendor_id 4098\ndevice_id 32766\ndomain 0\nlocation_id 768\n")
                .file(
                        node + "/mem_banks/0/properties",
                        "heap_type 1\nsize_in_bytes 17163091968\nflags 0\nwidth " + bits + "\nmem_clk_max " + megahertz
                                + "\n");

        assertThat(AmdHosts.only(AmdHosts.probe(host)).memoryBandwidth().find())
                .contains(new Bandwidth(gigabytesPerSecond));
    }
}
