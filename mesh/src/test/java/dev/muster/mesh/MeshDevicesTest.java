// SPDX-License-Identifier: Apache-2.0
package dev.muster.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.NodeId;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.QuantizationLevel;
import dev.muster.core.Reading;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeshDevicesTest {
    private static final MeshDevice CPU =
            MeshDevice.of(0, "CPU", DeviceBackend.CPU).with(DeviceFact.MEMORY, Bytes.ofGib(512));
    private static final MeshDevice SMALL =
            MeshDevice.of(0, "NVIDIA RTX 3060", DeviceBackend.CUDA).with(DeviceFact.MEMORY, Bytes.ofGib(12));
    private static final MeshDevice LARGE =
            MeshDevice.of(1, "NVIDIA A100", DeviceBackend.CUDA).with(DeviceFact.MEMORY, Bytes.ofGib(80));
    private static final MeshDevice APPLE = MeshDevice.of(0, "Apple M3", DeviceBackend.METAL);

    private static MeshDevices devices(MeshDevice... devices) {
        return new MeshDevices(List.of(devices));
    }

    // As in kapsl-hal's tests (2 and 3).
    @Test
    void theBestGpuHasMostMemoryAndIsNeverTheProcessor() {
        assertThat(devices(CPU, LARGE, SMALL).findBestGpu()).contains(LARGE);
        assertThat(devices(CPU).findBestGpu()).isEmpty();
    }

    @Test
    void ofGpusWithTheSameMemoryTheMoreCapableWinsThenTheLast() {
        MeshDevice older = SMALL.with(DeviceFact.COMPUTE_CAPABILITY, "8.9");
        MeshDevice newer = SMALL.with(DeviceFact.COMPUTE_CAPABILITY, "10.0");
        assertThat(devices(newer, older, SMALL).findBestGpu()).contains(newer);
        MeshDevice last = MeshDevice.of(7, "twin", DeviceBackend.CUDA).with(DeviceFact.MEMORY, Bytes.ofGib(12));
        assertThat(devices(SMALL, last).findBestGpu()).contains(last);
    }

    // As in kapsl-hal's tests (4).
    @Test
    void devicesOfABackendAreThoseAlone() {
        assertThat(devices(CPU, SMALL, APPLE, LARGE)
                        .byBackend(DeviceBackend.CUDA)
                        .all())
                .containsExactly(SMALL, LARGE);
    }

    // As in kapsl-hal's tests (5). Deviation: what is there follows from the devices; no flags could say otherwise.
    @Test
    void theBestProviderIsTheFirstThatIsThere() {
        MeshDevices mixed = devices(CPU, APPLE, SMALL);
        assertThat(mixed.bestProvider()).isEqualTo(DeviceBackend.CUDA);
        assertThat(List.of("cuda", "metal", "CoreML", " cpu ")).allMatch(mixed::hasProvider);
        assertThat(mixed.hasProvider("rocm")).isFalse();
        assertThat(devices(CPU).bestProvider()).isEqualTo(DeviceBackend.CPU);
        assertThat(devices().hasProvider("cpu")).isTrue();
    }

    // As in kapsl-hal's tests (16).
    @Test
    void aPreferenceFindsItsPartitionOrNothing() {
        MeshDevice slice = LARGE.with(DeviceFact.UUID, "MIG-GPU-abc/1/0");
        MeshDevices all = devices(CPU, SMALL, slice);
        assertThat(all.findGpu("mig:mig-gpu-abc/1/0")).contains(slice);
        assertThat(all.findGpu("mig:MIG-GPU-none")).isEmpty();
    }

    @Test
    void devicesOfARegistryKeepWhatIsKnownOfThem() {
        AcceleratorProfile profile = AcceleratorProfile.cuda(3, Bytes.ofGib(80)).toBuilder()
                .with(DeviceFact.DEVICE_NAME, Reading.known("NVIDIA H100", Provenance.GIVEN))
                .with(DeviceFact.UUID, Reading.known("GPU-1234", Provenance.GIVEN))
                .with(DeviceFact.DRIVER_VERSION, Reading.known("550.54", Provenance.GIVEN))
                .with(DeviceFact.PCI_ADDRESS, Reading.known(new PciAddress(0, 0x3b, 0, 0), Provenance.GIVEN))
                .build();
        AcceleratorProfile gone = AcceleratorProfile.cuda(4, Bytes.ofGib(80)).toBuilder()
                .available(false)
                .build();
        MeshDevices devices =
                MeshDevices.of(AcceleratorRegistry.of(List.of(AcceleratorProfile.cpu(Bytes.ofGib(64)), profile, gone)));
        assertThat(devices.all()).hasSize(2);
        MeshDevice device = devices.all().getLast();
        assertThat(device.label()).isEqualTo("cuda:3");
        assertThat(device.name()).isEqualTo("NVIDIA H100");
        assertThat(device.memory().find()).contains(Bytes.ofGib(80));
        assertThat(device.partitionId().find()).contains("GPU-1234");
        assertThat(device.pciBusId().find()).contains("0000:3b:00.0");
        assertThat(device.computeUnits().isKnown()).isFalse();
        assertThat(device.profile().reading(DeviceFact.DRIVER_VERSION).find()).contains("550.54");
        assertThat(device.profile().accelerator().supportedQuantizations())
                .contains(QuantizationLevel.FLOAT16, QuantizationLevel.INT8);
    }

    @Test
    void devicesOfSeveralHostsAreNumberedOnEachAndKnowTheirFabric() {
        List<AcceleratorProfile> profiles = new ArrayList<>();
        List<TopologyNode> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (int host = 0; host < 2; host++) {
            NodeId id = new NodeId("host:" + host);
            NodeId fabric = new NodeId("switch:" + host);
            nodes.add(new TopologyNode.Host(id, "node" + host));
            nodes.add(new TopologyNode.FabricSwitch(fabric, "NVSwitch"));
            for (int i = 0; i < 2; i++) {
                AcceleratorProfile profile = AcceleratorProfile.cuda(host * 2L + i, Bytes.ofGib(80));
                TopologyNode.Device node = TopologyNode.Device.of(profile.id());
                profiles.add(profile);
                nodes.add(node);
                links.add(Link.of(id, node.id(), LinkKind.PCIE));
                links.add(Link.of(fabric, node.id(), LinkKind.NVLINK));
            }
        }
        AcceleratorRegistry plain = AcceleratorRegistry.of(profiles);
        List<MeshDevice> devices = MeshDevices.of(new AcceleratorRegistry(
                        plain.referenceSchema(),
                        profiles,
                        List.of(),
                        plain.systemIo(),
                        TopologyGraph.of(nodes, links),
                        Reading.notProbed()))
                .all();
        assertThat(devices)
                .extracting(MeshDevice::label)
                .containsExactly("node0/cuda:0", "node0/cuda:1", "node1/cuda:0", "node1/cuda:1");
        assertThat(devices)
                .extracting(device -> device.fabricDomain().find().orElse(""))
                .containsExactly("fabric0", "fabric0", "fabric1", "fabric1");
    }
}
