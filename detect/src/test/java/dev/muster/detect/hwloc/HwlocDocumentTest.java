// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.hwloc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.DeviceId;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.StorageDevice;
import dev.muster.core.TopologyNode;
import dev.muster.core.json.RegistryDocument;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.Fixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HwlocDocumentTest {
    private static final String FIXTURE = "hwloc/lstopo/mixed-accelerators__2.9__synthetic.xml";

    private AcceleratorRegistry registry = AcceleratorRegistry.of(List.of());

    private static AcceleratorRegistry read(String text) throws HwlocFormatException {
        return HwlocDocument.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void readTheFixture() throws IOException, HwlocFormatException {
        registry = read(Fixtures.own(FIXTURE));
    }

    private AcceleratorProfile device(String id) {
        return registry.find(new DeviceId(id)).orElseThrow();
    }

    private <T> void assertKnown(String device, DeviceFact<T> fact, T value) {
        assertThat(device(device).reading(fact)).isEqualTo(Reading.known(value, HwlocFacts.SOURCE));
    }

    private <T> void assertUnknown(String device, DeviceFact<T> fact, String why) {
        assertThat(device(device).reading(fact))
                .isInstanceOfSatisfying(
                        Reading.Unknown.class,
                        unknown -> assertThat(unknown.detail()).contains(why));
    }

    private String word(String one, String other) {
        return registry.topology().relation(new NodeId(one), new NodeId(other)).word();
    }

    @Test
    void factsAreRememberedNotObserved() {
        assertThat(HwlocFacts.SOURCE.source()).isEqualTo("hwloc");
        assertThat(HwlocFacts.SOURCE.method()).isEqualTo(Provenance.Method.DOCUMENT);
        assertThat(registry.observedAt().isKnown()).isFalse();
        for (AcceleratorProfile profile : registry.profiles()) {
            for (DeviceFact<?> fact : DeviceFact.all()) {
                if (profile.reading(fact) instanceof Reading.Known<?> known) {
                    assertThat(known.provenance()).isEqualTo(HwlocFacts.SOURCE);
                }
            }
        }
    }

    @Test
    void oneDeviceIsOneProfileHoweverManyLibrariesSeeIt() {
        assertThat(registry.profiles())
                .extracting(profile -> profile.id().text())
                .containsExactly(
                        "cpu:0",
                        "cuda:0",
                        "cuda:1",
                        "cuda:2",
                        "rocm:0",
                        "rocm:1",
                        "intel-npu:0",
                        "oneapi:0",
                        "oneapi:1");
    }

    @Test
    void theProcessorHasTheHostsMemoryButNotThatOfAGpu() {
        assertKnown("cpu:0", DeviceFact.DEVICE_NAME, "Example Processor 8000");
        assertKnown("cpu:0", DeviceFact.MEMORY, Bytes.ofGib(256));
        assertKnown("cpu:0", DeviceFact.COMPUTE_UNITS, 2L);
        assertKnown("cpu:0", DeviceFact.THREADS, 4L);
        assertKnown("cpu:0", DeviceFact.SOCKETS, 2L);
        assertKnown("cpu:0", DeviceFact.LAST_CACHE, Bytes.ofMib(64));
    }

    @Test
    void nvmlNumbersNvidiasGpusAndCudaKnowsTheirMemory() {
        assertKnown("cuda:1", DeviceFact.DEVICE_NAME, "Example A100-SXM4-40GB");
        assertKnown("cuda:1", DeviceFact.MEMORY, Bytes.ofGib(40));
        assertKnown("cuda:1", DeviceFact.COMPUTE_UNITS, 108L);
        assertKnown("cuda:1", DeviceFact.UUID, "GPU-00000000-1111-2222-3333-444444444444");
        assertKnown("cuda:1", DeviceFact.PCI_ID, "10de:20b0");
        assertKnown("cuda:1", DeviceFact.PCIE_BANDWIDTH, new Bandwidth(15.753846));
        assertKnown("cuda:1", DeviceFact.NUMA_NODE, 0L);
        assertThat(device("cuda:1").reading(DeviceFact.PCI_ADDRESS).find())
                .map(Object::toString)
                .hasValue("0000:19:00.0");
        assertThat(device("cuda:0").reading(DeviceFact.PCI_ADDRESS).find())
                .map(Object::toString)
                .hasValue("0000:3b:00.0");
    }

    @Test
    void whatTheFileDoesNotSayIsUnknownWithAReason() {
        assertUnknown("cuda:0", DeviceFact.MEMORY, "does not state the memory");
        assertUnknown("cuda:0", DeviceFact.DEVICE_NAME, "does not state the name");
        assertUnknown("cuda:0", DeviceFact.UUID, "does not state the UUID");
        assertUnknown("cuda:0", DeviceFact.DRIVER_VERSION, "does not state the driver");
        assertUnknown("rocm:1", DeviceFact.PCIE_BANDWIDTH, "at that moment: 31.507692 GB/s");
        assertUnknown("oneapi:1", DeviceFact.NUMA_NODE, "next to one NUMA node");
    }

    @Test
    void aGpuThatItsLibraryDoesNotListCannotBeUsed() {
        assertThat(device("cuda:2").available()).isFalse();
        assertKnown("cuda:2", DeviceFact.DEVICE_NAME, "Example Graphics");
        assertThat(device("cuda:2").reading(DeviceFact.HEALTH).isKnown()).isTrue();
        assertThat(device("cuda:0").available()).isTrue();
    }

    @Test
    void amdsFactsHaveTheFormThatDetectionGivesThem() {
        assertKnown("rocm:1", DeviceFact.DEVICE_NAME, "Example MI300X");
        assertKnown("rocm:1", DeviceFact.MEMORY, Bytes.ofKib(201_310_208));
        assertKnown("rocm:1", DeviceFact.UUID, "GPU-04a7c19da329a2b8");
        assertKnown("rocm:1", DeviceFact.FABRIC_DOMAIN, "255");
        assertKnown("rocm:1", DeviceFact.NUMA_NODE, 1L);
    }

    @Test
    void intelsPartsBelongToTheirDevice() {
        assertKnown("oneapi:0", DeviceFact.DEVICE_NAME, "Example GPU Max 1550");
        assertKnown("oneapi:0", DeviceFact.MEMORY, Bytes.ofGib(128));
        assertKnown("oneapi:0", DeviceFact.UUID, "8680d50b2f0000000000000000000000");
        assertKnown("intel-npu:0", DeviceFact.PCI_ID, "8086:7d1d");
    }

    @Test
    void matricesAreLinksWithTheirRate() {
        List<Link> fabric = registry.topology().links().stream()
                .filter(link -> link.kind().isDeviceFabric())
                .toList();

        assertThat(fabric)
                .containsExactly(
                        link("cuda:0", "cuda:1", LinkKind.NVLINK, 4, 100),
                        link("rocm:0", "rocm:1", LinkKind.XGMI, 1, 64));
        assertKnown("cuda:0", DeviceFact.FABRIC_LINKS, 4L);
        assertKnown("cuda:0", DeviceFact.FABRIC_BANDWIDTH, new Bandwidth(100));
        assertKnown("rocm:0", DeviceFact.FABRIC_BANDWIDTH, new Bandwidth(64));
        assertThat(device("cuda:2").reading(DeviceFact.FABRIC_LINKS).isKnown()).isFalse();
    }

    private static Link link(String one, String other, LinkKind kind, int lanes, double rate) {
        return new Link(
                new NodeId("device:" + one),
                new NodeId("device:" + other),
                kind,
                lanes,
                Reading.known(new Bandwidth(rate), HwlocFacts.SOURCE),
                Reading.notProbed());
    }

    @Test
    void theTopologyHasNodesBridgesAndCards() {
        assertThat(registry.topology().nodes())
                .contains(
                        new TopologyNode.NumaNode(
                                new NodeId("numa:0"), 0, Reading.known(Bytes.ofGib(128), HwlocFacts.SOURCE)),
                        new TopologyNode.NumaNode(
                                new NodeId("numa:2"), 2, Reading.known(Bytes.ofGib(1), HwlocFacts.SOURCE)),
                        new TopologyNode.Nic(new NodeId("nic:mlx5_0"), "mlx5_0"),
                        new TopologyNode.Nic(new NodeId("nic:eth0"), "eth0"))
                .noneMatch(node -> node.id().text().equals("nic:ib0"));
        assertThat(registry.topology().nodes().stream()
                        .filter(TopologyNode.PcieBridge.class::isInstance)
                        .map(node -> node.id().text()))
                .contains("pci:0000:16", "pci:0000:16:00.0", "pci:0000:17:00.0", "pci:0001:80");
        assertThat(word("device:cuda:1", "nic:mlx5_0")).isEqualTo("PIX");
        assertThat(word("device:cuda:0", "device:cuda:2")).isEqualTo("PHB");
        assertThat(word("device:cuda:2", "device:cuda:1")).isEqualTo("NODE");
        assertThat(word("device:cuda:0", "device:cuda:1")).isEqualTo("NV4");
        assertThat(word("device:cuda:0", "device:rocm:0")).isEqualTo("SYS");
    }

    @Test
    void portsAndFabricsAreInterconnects() {
        assertThat(registry.systemIo().interconnects())
                .extracting(
                        Interconnect::kind,
                        Interconnect::name,
                        port -> port.state().find().orElse("?"))
                .containsExactly(
                        tuple(Interconnect.InterconnectKind.NVLINK, "cuda:0", "4 links"),
                        tuple(Interconnect.InterconnectKind.NVLINK, "cuda:1", "4 links"),
                        tuple(Interconnect.InterconnectKind.XGMI, "XGMI (2 GPUs)", "2 GPUs"),
                        tuple(Interconnect.InterconnectKind.INFINIBAND, "mlx5_0:1", "4: ACTIVE"),
                        tuple(Interconnect.InterconnectKind.INFINIBAND, "mlx5_0:2", "1: DOWN"),
                        tuple(Interconnect.InterconnectKind.ROCE, "mlx5_1", "4: ACTIVE"));
    }

    @Test
    void drivesAreDrivesAndDiscsAreNot() {
        assertThat(registry.systemIo().storage())
                .extracting(StorageDevice::name, StorageDevice::kind)
                .containsExactly(
                        tuple("nvme0n1", StorageDevice.StorageKind.NVME),
                        tuple("sda", StorageDevice.StorageKind.UNKNOWN));
        StorageDevice drive = registry.systemIo().storage().getFirst();
        assertThat(drive.size().find()).hasValue(Bytes.of(30_000_832_000_000L));
        assertThat(drive.model().find()).hasValue("Example Drive 30T");
        assertThat(drive.bandwidth().isKnown()).isFalse();
        assertThat(registry.systemIo().storage().getLast().size().isKnown()).isFalse();
    }

    @Test
    void survivesBeingSaved() {
        String saved = RegistryDocument.write(registry);

        assertThat(RegistryDocument.write(RegistryDocument.read(saved.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(saved);
    }

    @Test
    void aByteOrderMarkAndBlanksMayComeFirst() throws IOException, HwlocFormatException {
        assertThat(read("\uFEFF \n" + Fixtures.own(FIXTURE))).isEqualTo(registry);
    }

    @Test
    void devicesOnNoBusAreDevices() throws HwlocFormatException {
        registry = read("""
                <topology version="3.0"><object type="Machine" cpuset="0x1">
                  <object type="NUMANode" os_index="0" cpuset="0x1"/>
                  <object type="OSDev" name="cuda0" osdev_type="12"><info name="GPUModel" value="Example SoC"/></object>
                  <object type="OSDev" name="nvml0" osdev_type="12"/>
                  <object type="OSDev" name="sda" subtype="Disk" osdev_type="1"/>
                </object></topology>
                """);

        assertThat(registry.profiles()).hasSize(2);
        assertKnown("cuda:0", DeviceFact.DEVICE_NAME, "Example SoC");
        assertUnknown("cuda:0", DeviceFact.PCI_ADDRESS, "does not state a PCI address");
        assertUnknown("cpu:0", DeviceFact.MEMORY, "does not state the memory");
        assertUnknown("cpu:0", DeviceFact.COMPUTE_UNITS, "does not state the cores");
        assertThat(registry.systemIo().storage()).hasSize(1);
        assertThat(registry.gaps()).isEmpty();
    }
}
