// SPDX-License-Identifier: Apache-2.0
package dev.muster.detect.amd;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.Gap;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.unit.Bytes;
import dev.muster.detect.file.AttributeFolder;
import dev.muster.detect.normalise.ProfileMerge;
import dev.muster.detect.probe.ProbeContext;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes profiles of whole GPUs from what the files say. Confined to one thread.
record GpuProfiles(ProbeContext context, KfdTopology topology, Catalogue catalogue, Consumer<Gap> gaps) {
    static final String ROCM_VERSION = "/opt/rocm/.info/version";

    private static final String DEBUG = "/sys/kernel/debug/dri/";
    private static final int MAX_LIST = 64 << 10;
    private static final String DEVICES = "/dev";
    private static final String COMPUTE_NODE = "/dev/kfd";

    AcceleratorProfile of(GpuPackage gpu, int number) {
        AcceleratorProfile.ProfileBuilder builder =
                AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.ROCM_GPU, number));
        boolean shared = gpu.card().isPresent() && readCard(gpu.card(), builder);
        builder.with(
                        DeviceFact.DRIVER_VERSION,
                        context.folder("/sys/module/amdgpu", gaps).text("version"))
                .with(
                        DeviceFact.RUNTIME_VERSION,
                        context.folder("/opt/rocm/.info", gaps).text("version"));
        AcceleratorProfile profile = builder.build();
        if (!gpu.nodes().isEmpty()) {
            profile = ProfileMerge.merge(profile, new NodeFacts(topology, gpu).read(profile), gaps);
        }
        profile = catalogue.complete(profile, revision(gpu.card()));
        shared |= catalogue.isInProcessor(profile) || gpu.nodes().stream().anyMatch(KfdNode::hasProcessor);
        if (!shared && gpu.nodes().size() == 1 && !profile.memoryBandwidth().isKnown()) {
            profile = profile.toBuilder()
                    .fill(
                            DeviceFact.MEMORY_BANDWIDTH,
                            topology.memoryBandwidth(gpu.nodes().getFirst()))
                    .build();
        }
        return judged(gpu, withMemory(gpu, profile, shared));
    }

    /// Reads a card's files; says whether the GPU is part of a processor.
    private boolean readCard(AmdCard card, AcceleratorProfile.ProfileBuilder builder) {
        builder.with(DeviceFact.PCI_ADDRESS, card.address())
                .with(DeviceFact.PCI_ID, card.pciId())
                .with(DeviceFact.KERNEL_DRIVER, card.driver());
        if (!card.isDriven()) {
            return false;
        }
        AttributeFolder folder = context.folder(card.folder(), gaps);
        new CardFacts(folder, builder).read();
        builder.with(DeviceFact.DEVICE_NAME, folder.text("product_name").map(AmdText::wholeName));
        if (!folder.has("vbios_version")) {
            builder.with(DeviceFact.FIRMWARE_VERSION, firmware(card));
        }
        Optional<Sensors> sensors = Sensors.find(context.files(), folder);
        sensors.ifPresent(found -> found.read(builder));
        return sensors.filter(Sensors::isInProcessor).isPresent();
    }

    /// Newer kernels have a line `VBIOS version: 113-…`. Only the system's administrator can read this list.
    private Reading<String> firmware(AmdCard card) {
        String path = DEBUG + card.address().find().map(Object::toString).orElse("0") + "/amdgpu_firmware_info";
        return context.files()
                .findText(path, MAX_LIST)
                .flatMap(text -> AmdText.line(text, "VBIOS version:"))
                .map(version -> Reading.known(version, context.fromFile(path)))
                .orElse(Reading.notProbed());
    }

    private int revision(AmdCard card) {
        return card.isPresent()
                ? context.folder(card.folder(), gaps)
                        .reading("revision", AmdText::hex16)
                        .find()
                        .orElse(AmdModel.ANY)
                : AmdModel.ANY;
    }

    /// Memory of an APU is what the firmware set aside; beyond it, the GPU reaches the host's memory. The topology
    /// tells one number, which for an APU is that of the host's.
    private AcceleratorProfile withMemory(GpuPackage gpu, AcceleratorProfile profile, boolean shared) {
        AcceleratorProfile.ProfileBuilder builder = profile.toBuilder();
        boolean hasNode = gpu.nodes().size() == 1;
        if (shared) {
            AttributeFolder folder = context.folder(gpu.card().folder(), gaps);
            builder.with(
                            DeviceFact.MEMORY_SHARED,
                            hasNode && !folder.has("mem_info_gtt_total")
                                    ? topology.memory(gpu.nodes().getFirst())
                                    : folder.reading("mem_info_gtt_total", AmdText::memory))
                    .with(DeviceFact.MEMORY_SHARED_FREE, sharedFree(folder));
        } else if (hasNode && !profile.memory().isKnown()) {
            builder.with(DeviceFact.MEMORY, topology.memory(gpu.nodes().getFirst()));
        } else if (gpu.isPartitioned() && !profile.memory().isKnown()) {
            builder.with(DeviceFact.MEMORY, topology.memory(gpu.nodes()));
        }
        return builder.build();
    }

    /// The memory that the driver may still map; the host may have less.
    private static Reading<Bytes> sharedFree(AttributeFolder folder) {
        Reading<Bytes> used = folder.reading("mem_info_gtt_used", AmdText::used);
        return folder.reading("mem_info_gtt_total", AmdText::memory)
                                instanceof Reading.Known<Bytes>(Bytes all, var source)
                        && used instanceof Reading.Known<Bytes>(Bytes taken, var _)
                        && all.compareTo(taken) >= 0
                ? Reading.known(all.minus(taken), AmdText.derived(source))
                : Reading.notProbed();
    }

    /// Reports whether programs can compute on the GPU. Trees without any compute driver are from kernels or recordings
    /// that do not show one; there, computing is assumed to work.
    private AcceleratorProfile judged(GpuPackage gpu, AcceleratorProfile profile) {
        if (!gpu.card().isDriven() && gpu.nodes().isEmpty()) {
            return unusable(
                    profile,
                    gpu.card()
                            .driver()
                            .find()
                            .map(name -> "held by the driver " + name)
                            .orElse("no driver is bound"),
                    context.fromFile(gpu.card().folder()));
        }
        if (gpu.nodes().isEmpty() && topology.isPresent()) {
            return unusable(profile, "the compute driver does not list it", context.fromFile(KfdTopology.NODES));
        }
        if (topology.isPresent()
                && context.files().exists(DEVICES)
                && !context.files().exists(COMPUTE_NODE)) {
            return unusable(profile, COMPUTE_NODE + " does not exist", context.fromFile(COMPUTE_NODE));
        }
        return profile;
    }

    private static AcceleratorProfile unusable(AcceleratorProfile profile, String why, Provenance source) {
        return profile.toBuilder()
                .available(false)
                .with(DeviceFact.HEALTH, Reading.known(why, source))
                .build();
    }
}
