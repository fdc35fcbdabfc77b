// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Partition;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.probe.PciDevice;
import dev.muster.detect.text.Amount;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The facts of one GPU and of its partitions in the compute driver's topology.
record NodeFacts(KfdTopology topology, GpuPackage gpu) {
    private static final int DPX = 2;
    private static final int TPX = 3;
    private static final int QPX = 4;

    /// The whole GPU.
    ///
    /// @param card the facts of the card's files, which win where the two may differ
    AcceleratorProfile read(AcceleratorProfile card) {
        KfdNode node = gpu.nodes().getFirst();
        Provenance source = topology.source(node);
        AcceleratorProfile.ProfileBuilder builder = ofNode(node, card.accelerator())
                .with(DeviceFact.PCI_ADDRESS, reading(node.findAddress(), source, "domain"))
                .with(DeviceFact.KERNEL_DRIVER, Reading.known(AmdCard.DRIVER, source))
                .with(DeviceFact.UUID, reading(node.findUniqueId().flatMap(AmdText::uuid), source, "unique_id"));
        if (!card.reading(DeviceFact.FABRIC_DOMAIN).isKnown()) {
            builder.with(
                    DeviceFact.FABRIC_DOMAIN, reading(node.findHive().map(Long::toUnsignedString), source, "hive_id"));
        }
        if (!card.reading(DeviceFact.CLOCK_MAX).isKnown()) {
            String key = "max_engine_clk_fcompute";
            builder.with(
                    DeviceFact.CLOCK_MAX,
                    reading(
                            node.find(key).flatMap(value -> Amount.megahertz(Long.toUnsignedString(value))),
                            source,
                            key));
        }
        if (!card.reading(DeviceFact.MEMORY_CLOCK_MAX).isKnown()) {
            builder.with(DeviceFact.MEMORY_CLOCK_MAX, topology.memoryClock(node));
        }
        if (gpu.isPartitioned()) {
            builder.with(DeviceFact.COMPUTE_UNITS, Reading.notSupported("the driver reports them for each partition"));
            if (!card.reading(DeviceFact.PARTITIONING).isKnown()) {
                builder.with(DeviceFact.PARTITIONING, reading(findMode(), AmdText.derived(source), "mode"));
            }
        }
        return builder.build();
    }

    /// The partitions of a divided GPU, in the order of the topology, each with its share of the memory. An APU's
    /// partitions share the host's.
    List<AcceleratorProfile> partitions(AcceleratorProfile whole) {
        String shape = whole.reading(DeviceFact.PARTITIONING).find().orElse("");
        List<AcceleratorProfile> partitions = new ArrayList<>();
        for (KfdNode node : gpu.isPartitioned() ? gpu.nodes() : List.<KfdNode>of()) {
            Reading<String> render = reading(
                    node.find("drm_render_minor").filter(minor -> minor > 0).map(minor -> "renderD" + minor),
                    topology.source(node),
                    "drm_render_minor");
            String id = render.find().orElse("node" + node.number());
            Reading<Bytes> memory = whole.reading(DeviceFact.MEMORY_SHARED).isKnown()
                    ? Reading.notSupported("it shares the host's memory")
                    : topology.memory(node);
            partitions.add(ofNode(node, whole.accelerator())
                    .with(DeviceFact.MEMORY, memory)
                    .partition(new Partition(whole.id(), id, shape))
                    .available(whole.available())
                    .with(DeviceFact.DEVICE_NAME, whole.deviceName())
                    .with(DeviceFact.FABRIC_DOMAIN, whole.reading(DeviceFact.FABRIC_DOMAIN))
                    .build());
        }
        return partitions;
    }

    private AcceleratorProfile.ProfileBuilder ofNode(KfdNode node, AcceleratorType type) {
        Provenance source = topology.source(node);
        Reading<String> target = reading(node.findTarget(), source, "gfx_target_version");
        return AcceleratorProfile.builder(type)
                .with(DeviceFact.COMPUTE_CAPABILITY, target)
                .with(DeviceFact.COMPUTE_UNITS, reading(node.findComputeUnits(), source, "simd_count"))
                .with(
                        DeviceFact.PCI_ID,
                        reading(
                                node.findPciDevice().map(device -> PciDevice.id(AmdCard.VENDOR, device)),
                                source,
                                "device_id"));
    }

    /// The driver's word for how the GPU is divided: by cores where each partition has one, else by their number.
    private Optional<String> findMode() {
        if (gpu.nodes().getFirst().find("num_xcc").filter(dies -> dies == 1).isPresent()) {
            return Optional.of("CPX");
        }
        return switch (gpu.nodes().size()) {
            case DPX -> Optional.of("DPX");
            case TPX -> Optional.of("TPX");
            case QPX -> Optional.of("QPX");
            default -> Optional.empty();
        };
    }

    private static <T> Reading<T> reading(Optional<T> value, Provenance source, String property) {
        return Reading.of(value, source, source.source() + " does not report " + property);
    }
}
