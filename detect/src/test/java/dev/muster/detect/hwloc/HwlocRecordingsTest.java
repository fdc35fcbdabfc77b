// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.StorageDevice;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Files of real machines.
class HwlocRecordingsTest {
    private static AcceleratorRegistry read(String name) throws IOException, HwlocFormatException {
        String text = Fixtures.shared("topology/hwloc-xml/" + name);
        return HwlocDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static AcceleratorProfile cpu(AcceleratorRegistry registry) {
        return registry.profiles().getFirst();
    }

    private static List<AcceleratorProfile> gpus(AcceleratorRegistry registry) {
        return registry.profiles().subList(1, registry.profiles().size());
    }

    private static List<String> ids(String backend, int count) {
        return LongStream.range(0, count)
                .mapToObj(number -> backend + ":" + number)
                .toList();
    }

    private static <T> List<T> known(List<AcceleratorProfile> devices, DeviceFact<T> fact) {
        return devices.stream()
                .map(device -> device.reading(fact).find().orElseThrow())
                .toList();
    }

    private static long numaNodes(AcceleratorRegistry registry) {
        return registry.topology().nodes().stream()
                .filter(TopologyNode.NumaNode.class::isInstance)
                .count();
    }

    private static Set<String> words(TopologyGraph graph, List<AcceleratorProfile> gpus) {
        return gpus.stream()
                .flatMap(one -> gpus.stream()
                        .filter(other -> !one.equals(other))
                        .map(other -> graph.relation(
                                        TopologyNode.DeviceNode.idOf(one.id()),
                                        TopologyNode.DeviceNode.idOf(other.id()))
                                .word()))
                .collect(Collectors.toSet());
    }

    @Test
    void dgx2HasSixteenGpusBehindSwitches() throws IOException, HwlocFormatException {
        AcceleratorRegistry registry = read("nvidiaDGX2.xml");
        List<AcceleratorProfile> gpus = gpus(registry);

        assertThat(gpus).extracting(gpu -> gpu.id().text()).containsExactlyElementsOf(ids("cuda", 16));
        assertThat(known(gpus, DeviceFact.DEVICE_NAME)).containsOnly("Tesla V100-SXM3-32GB-H");
        assertThat(known(gpus, DeviceFact.UUID))
                .doesNotHaveDuplicates()
                .contains("GPU-d3977428-7a30-086b-2e20-5c1eeed647c6");
        assertThat(known(gpus, DeviceFact.PCI_ID)).containsOnly("10de:1db8");
        assertThat(known(gpus.subList(0, 8), DeviceFact.NUMA_NODE)).containsOnly(0L);
        assertThat(known(gpus.subList(8, 16), DeviceFact.NUMA_NODE)).containsOnly(1L);
        assertThat(gpus).noneMatch(gpu -> gpu.memory().isKnown());
        assertThat(numaNodes(registry)).isEqualTo(2);
        assertThat(cpu(registry).deviceName().find()).hasValue("Intel(R) Xeon(R) Platinum 8174 CPU @ 3.10GHz");
        assertThat(cpu(registry).memory().find()).hasValue(Bytes.of(810_234_351_616L + 811_737_923_584L));
        List<Link> nvlinks = registry.topology().links().stream()
                .filter(link -> link.kind() == LinkKind.NVLINK)
                .toList();
        assertThat(nvlinks)
                .hasSize(16)
                .allMatch(link -> link.lanes() == 6)
                .allMatch(link -> link.bandwidth().find().orElseThrow().equals(new Bandwidth(150)));
        assertThat(words(registry.topology(), gpus)).containsExactly("NV6");
        assertThat(registry.topology().domains()).hasSize(1);
    }

    @Test
    void tiogaHasEightDiesInTheOrderOfTheBus() throws IOException, HwlocFormatException {
        AcceleratorRegistry registry = read("hpe-tioga-mi250x.xml");
        List<AcceleratorProfile> gpus = gpus(registry);

        assertThat(gpus).extracting(gpu -> gpu.id().text()).containsExactlyElementsOf(ids("rocm", 8));
        assertThat(known(gpus, DeviceFact.PCI_ADDRESS))
                .extracting(Object::toString)
                .containsExactly(
                        "0000:c1:00.0",
                        "0000:c6:00.0",
                        "0000:c9:00.0",
                        "0000:ce:00.0",
                        "0000:d1:00.0",
                        "0000:d6:00.0",
                        "0000:d9:00.0",
                        "0000:de:00.0");
        // In the order of the NUMA nodes, the dies are 4, 5, 2, 3, 6, 7, 0, 1.
        assertThat(known(gpus, DeviceFact.NUMA_NODE)).containsExactly(3L, 3L, 1L, 1L, 0L, 0L, 2L, 2L);
        assertThat(known(gpus, DeviceFact.PCI_ID)).containsOnly("1002:7408");
        assertThat(known(gpus, DeviceFact.DEVICE_NAME)).containsOnly("AMD INSTINCT MI200 (MCM) OAM LC MBA HPE C2");
        assertThat(known(gpus, DeviceFact.MEMORY)).containsOnly(Bytes.ofKib(67_092_480));
        assertThat(known(gpus, DeviceFact.FABRIC_DOMAIN)).containsOnly(Long.toUnsignedString(0xdc4193b3799d5078L));
        assertThat(gpus.getFirst().reading(DeviceFact.UUID).find()).hasValue("GPU-4a7c19da329a2b8c");
        assertThat(numaNodes(registry)).isEqualTo(4);
        assertThat(cpu(registry).deviceName().find()).hasValue("AMD EPYC 7A53 64-Core Processor");
        assertThat(cpu(registry).reading(DeviceFact.COMPUTE_UNITS).find()).hasValue(64L);
        assertThat(cpu(registry).reading(DeviceFact.THREADS).find()).hasValue(128L);
        assertThat(cpu(registry).reading(DeviceFact.SOCKETS).find()).hasValue(1L);
        assertThat(registry.topology().links().stream().filter(link -> link.kind() == LinkKind.XGMI))
                .hasSize(28)
                .allMatch(link -> link.bandwidth().find().orElseThrow().equals(new Bandwidth(100)));
        assertThat(registry.topology().nodes().stream()
                        .filter(TopologyNode.Nic.class::isInstance)
                        .map(node -> node.id().text()))
                .containsExactlyInAnyOrder("nic:hsi0", "nic:hsi1", "nic:hsi2", "nic:hsi3", "nic:ens2");
        assertThat(registry.systemIo().storage())
                .extracting(StorageDevice::name)
                .containsExactlyInAnyOrder("sda", "sdb");
    }

    @Test
    void g4dnHasEightGpusNotTwentyFour() throws IOException, HwlocFormatException {
        AcceleratorRegistry registry = read("aws-g4dn-metal.xml");
        List<AcceleratorProfile> gpus = gpus(registry);

        assertThat(gpus).extracting(gpu -> gpu.id().text()).containsExactlyElementsOf(ids("cuda", 8));
        assertThat(known(gpus, DeviceFact.DEVICE_NAME)).containsOnly("Tesla T4");
        assertThat(known(gpus, DeviceFact.MEMORY)).containsOnly(Bytes.ofKib(15_472_384));
        assertThat(known(gpus, DeviceFact.COMPUTE_UNITS)).containsOnly(40L);
        assertThat(known(gpus, DeviceFact.UUID)).doesNotHaveDuplicates();
        assertThat(known(gpus, DeviceFact.NUMA_NODE)).containsExactly(0L, 0L, 0L, 0L, 1L, 1L, 1L, 1L);
        assertThat(words(registry.topology(), gpus)).containsExactlyInAnyOrder("PHB", "NODE", "SYS");
        assertThat(cpu(registry).reading(DeviceFact.SOCKETS).find()).hasValue(2L);
        assertThat(cpu(registry).reading(DeviceFact.COMPUTE_UNITS).find()).hasValue(48L);
        assertThat(cpu(registry).reading(DeviceFact.THREADS).find()).hasValue(96L);
        assertThat(registry.systemIo().storage())
                .hasSize(3)
                .allMatch(drive -> drive.kind() == StorageDevice.StorageKind.NVME
                        && drive.size().isKnown());
        assertThat(registry.systemIo().interconnects())
                .singleElement()
                .satisfies(port -> assertThat(port.name()).isEqualTo("rdmap197s0"));
        assertThat(registry.gaps()).isEmpty();
    }

    @Test
    void gb10HasTwentyCoresAndNoPciDevices() throws IOException, HwlocFormatException {
        AcceleratorRegistry registry = read("nvidia-dgx-gb10.xml");

        assertThat(gpus(registry)).isEmpty();
        assertThat(cpu(registry).reading(DeviceFact.SOCKETS).find()).hasValue(1L);
        assertThat(cpu(registry).reading(DeviceFact.COMPUTE_UNITS).find()).hasValue(20L);
        assertThat(cpu(registry).memory().find()).hasValue(Bytes.ofKib(125_508_468));
        assertThat(cpu(registry).deviceName().isKnown()).isFalse();
        assertThat(numaNodes(registry)).isEqualTo(1);
        assertThat(registry.gaps())
                .singleElement()
                .satisfies(gap -> assertThat(gap.display()).contains("lists no PCI devices"));
    }
}
