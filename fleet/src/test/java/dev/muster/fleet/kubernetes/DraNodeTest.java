// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.json.JsonValue;
import dev.muster.core.unit.Bytes;
import dev.muster.fleet.Fixtures;
import dev.muster.fleet.HostReport;
import dev.muster.fleet.json.JsonFields;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Devices that drivers offer one by one, by ResourceSlices.
class DraNodeTest {
    private static final Provenance SOURCE =
            Provenance.of("kubernetes", Provenance.Method.DOCUMENT, Provenance.Confidence.STATED);

    private final ClusterState state = new ClusterState("kubernetes", SOURCE);

    private void add(String yaml) throws YamlReader.YamlException {
        for (JsonValue document : YamlReader.readAll(yaml)) {
            List<JsonValue> items = JsonFields.items(document, "items");
            for (JsonValue item : items.isEmpty() ? List.of(document) : items) {
                DraSlice slice = DraSlice.read(item);
                state.changingSlices().put(slice.name(), slice);
            }
        }
    }

    private void addNode(String name) throws YamlReader.YamlException {
        state.nodes()
                .put(
                        name,
                        new NodeReader(SOURCE)
                                .read(YamlReader.read("metadata: {name: " + name + "}"))
                                .orElseThrow());
    }

    private List<AcceleratorProfile> devices(String node) {
        return state.hosts().stream()
                .filter(host -> host.name().equals(node))
                .map(HostReport::registry)
                .findFirst()
                .orElseThrow()
                .profiles();
    }

    @Test
    void twoNodesOfEightH100() throws Exception {
        add(Fixtures.shared("kubernetes/resourceslices-h100-x16-k8s1.35-aicr.yaml"));
        addNode("gpu-node-1");
        addNode("gpu-node-2");
        assertThat(state.gaps()).isEmpty();
        for (String node : List.of("gpu-node-1", "gpu-node-2")) {
            assertThat(devices(node)).hasSize(8).allSatisfy(device -> {
                assertThat(device.deviceName().find()).contains("NVIDIA H100 80GB HBM3");
                assertThat(device.memory().find()).contains(Bytes.ofMib(81559));
                assertThat(device.reading(DeviceFact.UUID).find().orElseThrow()).startsWith("GPU-");
                assertThat(device.reading(DeviceFact.PCI_ADDRESS).isKnown()).isTrue();
                assertThat(device.reading(DeviceFact.COMPUTE_CAPABILITY).find()).contains("9.0");
                assertThat(device.reading(DeviceFact.RUNTIME_VERSION).find()).contains("13.0");
            });
        }
    }

    @Test
    void theExampleDriversInventedGpus() throws Exception {
        add(Fixtures.shared("kubernetes/resourceslice-dra-example-driver.yaml"));
        addNode("dra-example-driver-cluster-worker");
        assertThat(devices("dra-example-driver-cluster-worker")).hasSize(8).allSatisfy(device -> {
            assertThat(device.deviceName().find()).contains("LATEST-GPU-MODEL");
            assertThat(device.memory().find()).contains(Bytes.ofGib(80));
        });
    }

    @Test
    void anExcerptOfAmdsDriverDescribesAnMi300x() throws Exception {
        DraSlice slice = DraSlice.read(YamlReader.read(Fixtures.shared("kubernetes/resourceslice-amd-dra-demo.yaml")));
        assertThat(slice.node()).isEmpty();
        DraNode.Devices read = DraNode.read(
                slice.devices().stream()
                        .map(device -> new DraNode.Offered(new DraSlice.Pool("gpu.amd.com", "node"), device))
                        .toList(),
                SOURCE);
        assertThat(read.profiles()).singleElement().satisfies(device -> {
            assertThat(device.id()).hasToString("rocm:0");
            assertThat(device.deviceName().find()).contains("AMD Instinct MI300X OAM");
            assertThat(device.memory().find()).contains(Bytes.ofMib(196592));
            assertThat(device.reading(DeviceFact.COMPUTE_UNITS).find()).contains(304L);
            assertThat(device.reading(DeviceFact.PARTITIONING).find()).contains("SPX/NPS1");
            assertThat(device.reading(DeviceFact.PCI_ADDRESS).find()).isEqualTo(PciAddress.find("0003:00:02.0"));
        });
    }

    @Test
    void anOlderApiWrapsDevices() throws Exception {
        add(Fixtures.own("kubernetes/resourceslices-v1beta1-mig.synthetic.yaml"));
        addNode("node-1");
        assertThat(devices("node-1"))
                .extracting(device -> device.id().text())
                .containsExactly("cuda:0", "cuda:1", "cuda:1/MIG-aaaa", "cuda:1/MIG-bbbb", "cuda:2", "cuda:2/MIG-cccc");
        // cuda:0 could be divided and is not; cuda:1 is offered beside its slices; of cuda:2 the slices alone.
        assertThat(devices("node-1"))
                .extracting(AcceleratorProfile::isDivided)
                .containsExactly(false, true, false, false, true, false);
    }

    @Test
    void onlyTheNewestGenerationOfAPoolCounts() throws Exception {
        add(Fixtures.own("kubernetes/resourceslices-generations.synthetic.yaml"));
        addNode("node-1");
        assertThat(devices("node-1"))
                .extracting(device -> device.reading(DeviceFact.UUID).find().orElse(""))
                .containsExactly("GPU-new");
        assertThat(state.gaps())
                .singleElement()
                .extracting(Gap::display)
                .asString()
                .contains("gpu.nvidia.com/node-1 has 1 of its 2 ResourceSlices");
    }

    @Test
    void devicesOfNoNodeAreAGap() throws Exception {
        add("""
                metadata: {name: cloud}
                spec:
                  driver: gpu.nvidia.com
                  allNodes: true
                  pool: {name: all, generation: 1, resourceSliceCount: 1}
                  devices: [{name: gpu-0, attributes: {type: {string: gpu}}}]
                """);
        assertThat(state.gaps())
                .singleElement()
                .extracting(Gap::display)
                .asString()
                .contains("cloud has 1 devices that belong to no single node");
    }

    @Test
    void claimsNameTheirDevices() throws Exception {
        add(Fixtures.own("kubernetes/resourceslices-v1beta1-mig.synthetic.yaml"));
        addNode("node-1");
        JsonValue claim = YamlReader.read("""
                metadata: {name: c, namespace: team}
                status:
                  allocation:
                    devices:
                      results:
                      - {driver: gpu.nvidia.com, pool: node-1, device: gpu-1-mig-0}
                      - {driver: gpu.nvidia.com, pool: node-1, device: gpu-0, adminAccess: true}
                  reservedFor:
                  - {resource: pods, name: train-0}
                """);
        state.grants().put("team/c", DraGrant.find(claim).orElseThrow());
        assertThat(state.hosts().getFirst().claims()).singleElement().satisfies(held -> {
            assertThat(held.holder()).isEqualTo("pod team/train-0");
            assertThat(held.devices()).extracting(Object::toString).containsExactly("cuda:1/MIG-aaaa");
        });
    }
}
