// SPDX-License-Identifier: Apache-2.0
package dev.muster.checks;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.Interconnect;
import dev.muster.core.Link;
import dev.muster.core.LinkKind;
import dev.muster.core.MemoryDevice;
import dev.muster.core.NeuronChip;
import dev.muster.core.NodeId;
import dev.muster.core.Partition;
import dev.muster.core.PciAddress;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.RuntimeEnvironment;
import dev.muster.core.RuntimeEnvironment.CloudInstance;
import dev.muster.core.RuntimeEnvironment.GpuGrant;
import dev.muster.core.StorageDevice;
import dev.muster.core.SystemIo;
import dev.muster.core.TopologyGraph;
import dev.muster.core.TopologyNode;
import dev.muster.core.TpuVersion;
import dev.muster.core.UnknownReason;
import dev.muster.core.unit.Bandwidth;
import dev.muster.core.unit.Bytes;
import dev.muster.core.unit.Celsius;
import dev.muster.core.unit.Joules;
import dev.muster.core.unit.Ratio;
import dev.muster.core.unit.Watts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A registry in which every fact, gap, node and link that there can be is there at least once.
final class FullRegistry {
    private static final Provenance SOURCE = Provenance.of(
                    "test", Provenance.Method.NATIVE, Provenance.Confidence.MEASURED)
            .withObservedAt(Instant.parse("2026-11-15T08:30:00Z"));

    private FullRegistry() {}

    static AcceleratorRegistry create() {
        List<AcceleratorProfile> devices = devices();
        return new AcceleratorRegistry(
                2, devices, gaps(), systemIo(), topology(devices), known(Instant.parse("2026-11-15T08:30:01.5Z")));
    }

    private static List<AcceleratorProfile> devices() {
        AcceleratorProfile whole = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .with(DeviceFact.MEMORY, known(Bytes.ofGib(80)))
                .with(DeviceFact.COMPUTE_CAPABILITY, known("9.0"))
                .with(DeviceFact.DRIVER_VERSION, known("570.86.15"))
                .with(DeviceFact.DEVICE_NAME, known("NVIDIA H100 80GB HBM3"))
                .with(DeviceFact.MEMORY_BANDWIDTH, known(new Bandwidth(3352.3)))
                .with(DeviceFact.MEMORY_USED, known(Bytes.ofGib(1)))
                .with(DeviceFact.MEMORY_FREE, known(Bytes.ofGib(79)))
                .with(DeviceFact.PCIE_BANDWIDTH, known(new Bandwidth(63.02)))
                .with(DeviceFact.NUMA_NODE, known(0L))
                .with(DeviceFact.TEMPERATURE, known(new Celsius(34)))
                .with(DeviceFact.POWER, known(new Watts(71.45)))
                .with(DeviceFact.UTILIZATION, known(new Ratio(0.25)))
                .with(DeviceFact.UUID, known("GPU-4a3e"))
                .with(DeviceFact.PCI_ADDRESS, known(new PciAddress(0, 0x3b, 0, 0)))
                .with(DeviceFact.COMPUTE_UNITS, known(132L))
                .with(DeviceFact.ENERGY, known(new Joules(8_123_456.789)))
                .with(DeviceFact.MEMORY_UTILIZATION, known(new Ratio(0.1)))
                .with(DeviceFact.ENCODER_UTILIZATION, known(new Ratio(0)))
                .with(DeviceFact.DECODER_UTILIZATION, known(new Ratio(0.5)))
                .with(DeviceFact.PCIE_SENT, known(new Bandwidth(0.004)))
                .with(DeviceFact.PCIE_RECEIVED, known(new Bandwidth(14.742333)))
                .with(DeviceFact.FABRIC_SENT, known(Bytes.ofKib(4_000_000_000L)))
                .with(DeviceFact.FABRIC_RECEIVED, known(Bytes.ofKib(3)))
                .with(DeviceFact.REMAPPED_ROWS, known(2L))
                .with(DeviceFact.ROW_REMAPPING, known("pending"))
                .build();
        AcceleratorProfile slice = AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, 0))
                .partition(new Partition(whole.id(), "MIG-1", "1g.10gb"))
                .with(DeviceFact.TEMPERATURE, Reading.unknown(UnknownReason.NOT_SUPPORTED, "not for partitions"))
                .build();
        List<AcceleratorProfile> devices = new ArrayList<>(List.of(
                whole,
                slice,
                AcceleratorProfile.tpu(0, 4, TpuVersion.V7),
                AcceleratorProfile.gaudi(0, GaudiGeneration.GAUDI1),
                AcceleratorProfile.neuron(0, NeuronChip.TRAINIUM3, 8)));
        for (AcceleratorKind kind : AcceleratorKind.values()) {
            if (!List.of(AcceleratorKind.TPU, AcceleratorKind.GAUDI, AcceleratorKind.AWS_NEURON, AcceleratorKind.OTHER)
                    .contains(kind)) {
                devices.add(AcceleratorProfile.builder(AcceleratorType.of(kind, 7))
                        .available(false)
                        .with(DeviceFact.MEMORY, Reading.unknown(UnknownReason.TIMED_OUT))
                        .build());
            }
        }
        devices.add(AcceleratorProfile.builder(new AcceleratorType.Other("acme", AcceleratorFamily.NPU, 0))
                .with(DeviceFact.MEMORY, known(Bytes.ofGib(8)))
                .build());
        return devices;
    }

    private static List<Gap> gaps() {
        return List.of(
                new Gap.ToolNotFound("nvidia-smi"),
                new Gap.ToolFailed("hl-smi", known(9), "failed"),
                new Gap.ToolFailed("xpu-smi", Reading.unknown(UnknownReason.NOT_SUPPORTED, "ended by a signal"), ""),
                new Gap.Timeout("vulkaninfo", 3),
                new Gap.Unparsable("cuda", "bad"),
                new Gap.FileUnreadable("/sys/x", "denied"),
                new Gap.ProbeFailed("cpu", "broken"),
                new Gap.Conflict("cuda:0", "memory is 1 according to a, but 2 according to b"),
                new Gap.Unexplained("rocm-smi"));
    }

    private static SystemIo systemIo() {
        List<Interconnect> interconnects = new ArrayList<>();
        for (Interconnect.InterconnectKind kind : Interconnect.InterconnectKind.values()) {
            interconnects.add(new Interconnect(kind, "port", known(new Bandwidth(50)), known("4: ACTIVE")));
        }
        List<StorageDevice> storage = new ArrayList<>();
        for (StorageDevice.StorageKind kind : StorageDevice.StorageKind.values()) {
            storage.add(new StorageDevice(
                    "drive",
                    kind,
                    known(new Bandwidth(3.5)),
                    known("Some SSD"),
                    known(Bytes.ofGib(512)),
                    known("active")));
        }
        List<MemoryDevice> memory = new ArrayList<>();
        for (MemoryDevice.MemoryKind kind : MemoryDevice.MemoryKind.values()) {
            memory.add(new MemoryDevice(kind, "memory", known(Bytes.ofGib(96)), known(1L), known("kmem")));
        }
        CloudInstance cloud =
                new CloudInstance("aws", known("p5.48xlarge"), known("i-1"), known("us-east-1"), known("us-east-1a"));
        GpuGrant grant = new GpuGrant(List.of("0", "1"), 2, "NVIDIA_VISIBLE_DEVICES");
        return new SystemIo(
                interconnects,
                storage,
                memory,
                known(new RuntimeEnvironment(
                        true,
                        true,
                        known("ml"),
                        known(cloud),
                        known(grant),
                        known("containerd"),
                        known(Bytes.ofGib(64)),
                        known(7.5),
                        known("4711"),
                        known("0,1"),
                        Map.of("CUDA_VISIBLE_DEVICES", "0,1"))));
    }

    private static TopologyGraph topology(List<AcceleratorProfile> devices) {
        NodeId host = new NodeId("host");
        NodeId numa = new NodeId("numa:0");
        NodeId bridge = new NodeId("bridge");
        NodeId fabric = new NodeId("nvswitch:0");
        NodeId nic = new NodeId("nic:mlx5_0");
        TopologyNode.DeviceNode device =
                TopologyNode.DeviceNode.of(devices.getFirst().id());
        List<Link> links = new ArrayList<>();
        for (LinkKind kind : LinkKind.values()) {
            links.add(new Link(host, device.id(), kind, 2, known(new Bandwidth(25)), known(Link.LinkState.UP)));
        }
        links.add(new Link(
                device.id(),
                fabric,
                LinkKind.NVLINK,
                18,
                Reading.unknown(UnknownReason.NOT_PERMITTED),
                known(Link.LinkState.DOWN)));
        return TopologyGraph.of(
                List.of(
                        new TopologyNode.HostNode(host, "box"),
                        new TopologyNode.NumaNode(numa, 0, known(Bytes.ofGib(256))),
                        new TopologyNode.PcieBridge(bridge, known(new PciAddress(0, 0x3a, 0, 0)), true),
                        new TopologyNode.FabricSwitch(fabric, "NVSwitch 0"),
                        new TopologyNode.Nic(nic, "mlx5_0"),
                        device),
                links);
    }

    private static <T> Reading<T> known(T value) {
        return Reading.known(value, SOURCE);
    }
}
