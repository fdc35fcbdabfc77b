// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.NeuronChip;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.Domain;
import dev.muster.fleet.Fixtures;
import dev.muster.fleet.FleetHost;
import dev.muster.fleet.HostState;
import dev.muster.fleet.Restriction;
import dev.muster.plan.catalogue.DeviceCatalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReaderTest {
    private final NodeReader reader =
            new NodeReader(Provenance.of("kubernetes", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED));

    private NodeRecord read(String yaml) throws YamlReader.YamlException {
        return reader.read(YamlReader.read(yaml)).orElseThrow();
    }

    /// The devices that work can be given to: slices if a GPU is divided.
    private static List<AcceleratorProfile> usable(List<AcceleratorProfile> devices) {
        return devices.stream().filter(device -> !device.isDivided()).toList();
    }

    private static Map<String, Long> shapes(List<AcceleratorProfile> devices) {
        Map<String, Long> shapes = new TreeMap<>();
        devices.forEach(device ->
                device.partition().map(Partition::shape).ifPresent(shape -> shapes.merge(shape, 1L, Long::sum)));
        return shapes;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node-a100-40gb-mig-mixed-3instances.yaml | {1g.5gb=2, 2g.10gb=1}",
                "node-a100-40gb-mig-mixed-4instances.yaml | {1g.5gb=3, 2g.10gb=1, 3g.20gb=1}",
                "node-a100-40gb-mig-7g40gb.yaml | {7g.40gb=1}"
            })
    void oneA100InSlicesCountsOnce(String file, String slices) throws Exception {
        NodeRecord node = read(Fixtures.shared("kubernetes/" + file));
        assertThat(node.name()).isEqualTo("qa-mig-worker-gpu-a100");
        assertThat(shapes(node.devices())).hasToString(slices);
        // The shape 3g.20gb of the second file is a left-over that no pod can get.
        assertThat(shapes(usable(node.devices()).stream()
                        .filter(AcceleratorProfile::available)
                        .toList()))
                .hasToString(slices.replace(", 3g.20gb=1", ""));
        List<AcceleratorProfile> boards = node.devices().stream()
                .filter(device -> device.partition().isEmpty())
                .toList();
        assertThat(boards).hasSize(1);
        AcceleratorProfile board = boards.getFirst();
        assertThat(board.isDivided()).isTrue();
        assertThat(board.memory().find()).contains(Bytes.ofMib(40960));
        assertThat(board.deviceName().find()).contains("NVIDIA A100-SXM4-40GB");
        assertThat(DeviceCatalogue.builtIn().match(board)).isPresent();
        assertThat(board.reading(DeviceFact.DRIVER_VERSION).find()).contains("520.56.06");
        assertThat(board.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("8.0");
        assertThat(node.state().kind()).isEqualTo(HostState.HostStateKind.READY);
    }

    @Test
    void slicesHaveTheirOwnMemory() throws Exception {
        NodeRecord node = read(Fixtures.shared("kubernetes/node-a100-40gb-mig-mixed-3instances.yaml"));
        assertThat(usable(node.devices()))
                .extracting(device -> device.memory().find().orElseThrow())
                .containsExactlyInAnyOrder(Bytes.ofMib(4864), Bytes.ofMib(4864), Bytes.ofMib(9856));
    }

    @Test
    void gpushareCountsGpusAndKeepsItsOtherMeasures() throws Exception {
        NodeRecord node = read(Fixtures.shared("kubernetes/node-gpushare-pai-node-00.yaml"));
        assertThat(node.devices()).hasSize(2).allSatisfy(device -> {
            assertThat(device.deviceName().find()).contains("V100");
            assertThat(device.memory().find()).contains(Bytes.ofMib(16280));
        });
        assertThat(node.labels()).containsEntry("alibabacloud.com/gpu-mem", "32560Mi");
    }

    @Test
    void alibabasNodesHaveTheirGpus() throws Exception {
        List<NodeRecord> nodes = new ArrayList<>();
        for (JsonValue node : YamlReader.readAll(Fixtures.shared("kubernetes/nodes-openb-alibaba-first300k.yaml"))) {
            nodes.add(reader.read(node).orElseThrow());
        }
        assertThat(nodes).hasSize(562);
        assertThat(nodes.stream().mapToInt(node -> node.devices().size()).sum()).isEqualTo(3070);
        assertThat(nodes.stream().filter(node -> "G2".equals(node.labels().get("alibabacloud.com/gpu-card-model"))))
                .hasSize(279);
        assertThat(nodes.stream().filter(node -> "T4".equals(node.labels().get("alibabacloud.com/gpu-card-model"))))
                .hasSize(145);
    }

    @Test
    void neuronDevicesAndCoresAreNotAddedUp() throws Exception {
        JsonValue capacity = JsonValue.parse(Fixtures.shared("kubernetes/node-capacity-inf2-neuron.json"));
        JsonValue status = JsonObject.builder()
                .put("capacity", capacity)
                .put("allocatable", capacity)
                .build();
        JsonValue labels = JsonObject.builder()
                .put("node.kubernetes.io/instance-type", "inf2.xlarge")
                .build();
        JsonValue metadata =
                JsonObject.builder().put("name", "inf").put("labels", labels).build();
        NodeRecord node = reader.read(JsonObject.builder()
                        .put("metadata", metadata)
                        .put("status", status)
                        .build())
                .orElseThrow();
        assertThat(node.devices())
                .extracting(AcceleratorProfile::accelerator)
                .containsExactly(new AcceleratorType.Neuron(0, NeuronChip.INFERENTIA2, 2));
        assertThat(node.coresOfDevice()).isEqualTo(2);
    }

    @Test
    void amdsLabelsHaveTheirValueInTheKey() throws Exception {
        NodeRecord node = read("""
                metadata:
                  name: cluster-node-23
                  labels:
                    beta.amd.com/gpu.cu-count.64: "1"
                    beta.amd.com/gpu.device-id.6860: "1"
                    beta.amd.com/gpu.family.AI: "1"
                    beta.amd.com/gpu.vram.16G: "1"
                """);
        assertThat(node.devices()).singleElement().satisfies(device -> {
            assertThat(device.accelerator().kind()).isEqualTo(AcceleratorKind.ROCM_GPU);
            assertThat(device.memory().find()).contains(Bytes.ofGib(16));
            assertThat(device.reading(DeviceFact.PCI_ID).find()).contains("1002:6860");
            assertThat(device.reading(DeviceFact.COMPUTE_UNITS).find()).contains(64L);
            // No resource: no pod can get it.
            assertThat(device.available()).isFalse();
        });
    }

    @Test
    void newerAmdLabelsHaveTheirValueWhereItBelongs() throws Exception {
        NodeRecord node = read("""
                metadata:
                  name: mi300x
                  labels:
                    amd.com/gpu.vram: 192G
                    amd.com/gpu.vram.192G: "8"
                    amd.com/gpu.product-name: AMD_Instinct_MI300X_OAM
                status:
                  capacity: {amd.com/gpu: "8"}
                  allocatable: {amd.com/gpu: "7"}
                """);
        assertThat(node.devices()).hasSize(8);
        assertThat(node.devices().stream().filter(AcceleratorProfile::available))
                .hasSize(7);
        assertThat(node.devices().getFirst().deviceName().find()).contains("AMD Instinct MI300X OAM");
        assertThat(DeviceCatalogue.builtIn().match(node.devices().getFirst())).isPresent();
    }

    @Test
    void sharedGpusCountAsGpus() throws Exception {
        NodeRecord node = read("""
                metadata:
                  name: shared
                  labels:
                    nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3-SHARED
                    nvidia.com/gpu.count: "8"
                    nvidia.com/gpu.replicas: "4"
                    nvidia.com/gpu.memory: "81559"
                    nvidia.com/gpu.clique: 5a1f.32766
                    topology.kubernetes.io/zone: eu-1a
                    network.topology.nvidia.com/leaf: leaf-7
                spec:
                  unschedulable: true
                  taints:
                  - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
                  - {key: dedicated, effect: NoExecute}
                status:
                  capacity: {nvidia.com/gpu: "32"}
                  allocatable: {nvidia.com/gpu: "32"}
                  conditions:
                  - {type: Ready, status: "True"}
                """);
        assertThat(node.devices()).hasSize(8).allMatch(AcceleratorProfile::available);
        AcceleratorProfile first = node.devices().getFirst();
        assertThat(first.deviceName().find()).contains("NVIDIA H100 80GB HBM3");
        assertThat(first.reading(DeviceFact.FABRIC_DOMAIN).find()).contains("5a1f.32766");
        assertThat(DeviceCatalogue.builtIn().match(first)).isPresent();
        assertThat(node.domains())
                .containsExactly(
                        new Domain(Domain.DomainKind.NVLINK, "5a1f.32766"),
                        new Domain(Domain.DomainKind.LEAF, "leaf-7"),
                        new Domain(Domain.DomainKind.ZONE, "eu-1a"));
        assertThat(node.restrictions())
                .containsExactly(
                        new Restriction(Restriction.RestrictionKind.TAINT, "nvidia.com/gpu", "present:NoSchedule"),
                        new Restriction(Restriction.RestrictionKind.TAINT, "dedicated", "NoExecute"));
        assertThat(node.state())
                .isEqualTo(new HostState(HostState.HostStateKind.DRAINING, "Ready,SchedulingDisabled", "cordoned"));
    }

    @Test
    void hamiSharesOutTwoGpusInTwentyParts() throws Exception {
        NodeRecord node = read("""
                metadata:
                  name: hami
                  annotations:
                    hami.io/node-nvidia-register: '[{"id":"GPU-1","count":10,"devmem":32768,"devcore":100,
                      "type":"NVIDIA-Tesla V100-PCIE-32GB","health":true},
                      {"id":"GPU-2","count":10,"devmem":32768,"type":"NVIDIA-Tesla V100-PCIE-32GB","health":false}]'
                status:
                  capacity: {nvidia.com/gpu: "20", nvidia.com/gpumem: 65536}
                  allocatable: {nvidia.com/gpu: "20"}
                """);
        assertThat(node.devices()).extracting(AcceleratorProfile::available).containsExactly(true, false);
        assertThat(node.devices().getFirst().reading(DeviceFact.UUID).find()).contains("GPU-1");
        assertThat(node.devices().getFirst().memory().find()).contains(Bytes.ofGib(32));
        assertThat(node.devices().getFirst().deviceName().find()).contains("NVIDIA Tesla V100-PCIE-32GB");
        assertThat(node.labels()).containsEntry("nvidia.com/gpumem", "65536");
    }

    @Test
    void aSingleMigShapeIsToldByTheProduct() throws Exception {
        NodeRecord node = read("""
                metadata:
                  name: single
                  labels:
                    nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB-MIG-1g.5gb
                    nvidia.com/gpu.count: "14"
                    nvidia.com/gpu.memory: "4864"
                    nvidia.com/mig.strategy: single
                status:
                  capacity: {nvidia.com/gpu: "14"}
                  allocatable: {nvidia.com/gpu: "14"}
                  conditions:
                  - {type: Ready, status: Unknown, message: Kubelet stopped posting node status.}
                """);
        assertThat(shapes(node.devices())).hasToString("{1g.5gb=14}");
        assertThat(node.devices()).hasSize(16);
        assertThat(usable(node.devices()))
                .allSatisfy(slice -> assertThat(slice.memory().find()).contains(Bytes.ofMib(4864)));
        assertThat(node.state())
                .isEqualTo(new HostState(
                        HostState.HostStateKind.DOWN, "NotReady", "Kubelet stopped posting node status."));
    }

    @Test
    void nodesWithEqualDevicesShareThem() throws Exception {
        String yaml = """
                metadata: {name: NAME, labels: {nvidia.com/gpu.product: NVIDIA-L4, nvidia.com/gpu.count: "2"}}
                status: {capacity: {nvidia.com/gpu: "2"}, allocatable: {nvidia.com/gpu: "2"}}
                """;
        assertThat(read(yaml.replace("NAME", "a")).devices())
                .isSameAs(read(yaml.replace("NAME", "b")).devices());
    }

    @Test
    void countsBeyondReasonMakeNoDevicesWithoutEnd() throws Exception {
        NodeRecord node = read("""
                metadata: {name: silly}
                status:
                  capacity: {nvidia.com/gpu: 9e17, google.com/tpu: 8E, nvidia.com/mig-1g.5gb: "900000000"}
                """);
        assertThat(node.devices().size()).isLessThanOrEqualTo(NodeDevices.MAX_DEVICES * 4);
        assertThat(new FleetHost(
                                "silly",
                                dev.muster.core.AcceleratorRegistry.of(node.devices()),
                                node.state(),
                                List.of(),
                                List.of(),
                                List.of(),
                                Map.of(),
                                List.of(),
                                List.of())
                        .free())
                .isNotNull();
    }
}
