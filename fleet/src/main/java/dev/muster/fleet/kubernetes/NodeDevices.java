// SPDX-License-Identifier: Apache-2.0
package dev.muster.fleet.kubernetes;

import dev.muster.core.AcceleratorFamily;
import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.core.unit.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/// The devices of a node as its resources and labels tell of them. Nodes with equal offers get the same list.
/// Safe to share between threads.
final class NodeDevices {
    /// More than any host has; a count beyond it is a mistake or sharing that nothing tells of.
    static final int MAX_DEVICES = 1024;

    private static final int MAX_KEPT = 20_000;
    private static final String INSTANCE_TYPE = "node.kubernetes.io/instance-type";

    private final Provenance provenance;
    private final Map<NodeOffer, List<AcceleratorProfile>> known = new ConcurrentHashMap<>();

    NodeDevices(Provenance provenance) {
        this.provenance = provenance;
    }

    List<AcceleratorProfile> list(NodeOffer offer) {
        List<AcceleratorProfile> devices = known.get(offer);
        if (devices == null) {
            devices = List.copyOf(read(offer));
            if (known.size() < MAX_KEPT) {
                known.put(offer, devices);
            }
        }
        return devices;
    }

    /// The number of cores of a Neuron device of the node; 1 if unknown.
    static long coresOfDevice(NodeOffer offer) {
        long devices = offer.capacity(DeviceResource.NEURON);
        long cores = offer.capacity(DeviceResource.NEURON_CORE);
        if (devices > 0 && cores >= devices) {
            return cores / devices;
        }
        return chip(offer).map(NodeDevices::cores).orElse(1L);
    }

    private List<AcceleratorProfile> read(NodeOffer offer) {
        List<AcceleratorProfile> devices = new ArrayList<>(new NvidiaNode(offer, provenance).devices());
        addGpuShare(offer, devices);
        devices.addAll(new AmdNode(offer, provenance).devices());
        addTpu(offer, devices);
        addNeuron(offer, devices);
        addGaudi(offer, devices);
        addIntel(offer, devices);
        return devices;
    }

    /// The label names the model, a second resource the memory of all of them together.
    private void addGpuShare(NodeOffer offer, List<AcceleratorProfile> devices) {
        long count = offer.capacity(DeviceResource.GPU_SHARE);
        if (!devices.isEmpty() || count == 0) {
            return;
        }
        String model = offer.label("alibabacloud.com/gpu-card-model");
        OptionalLong memory = Quantity.find(offer.label("alibabacloud.com/gpu-mem"));
        long free = offer.allocatable(DeviceResource.GPU_SHARE);
        for (int i = 0; i < Math.min(count, MAX_DEVICES); i++) {
            devices.add(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.CUDA_GPU, i))
                    .available(i < free)
                    .with(DeviceFact.DEVICE_NAME, stated(text(model), "no label names the model"))
                    .with(
                            DeviceFact.MEMORY,
                            stated(
                                    bytes(memory).map(all -> Bytes.of(all.unsigned() / count)),
                                    "no resource reports it"))
                    .build());
        }
    }

    private static Optional<Bytes> bytes(OptionalLong count) {
        return count.isPresent() ? Optional.of(Bytes.of(count.getAsLong())) : Optional.empty();
    }

    private void addTpu(NodeOffer offer, List<AcceleratorProfile> devices) {
        long count = Math.min(offer.capacity(DeviceResource.TPU), MAX_DEVICES);
        long free = offer.allocatable(DeviceResource.TPU);
        Optional<TpuVersion> version = tpuVersion(offer.label("cloud.google.com/gke-tpu-accelerator"));
        for (int i = 0; i < count; i++) {
            AcceleratorProfile.ProfileBuilder chip = version.isPresent()
                    ? AcceleratorProfile.tpu(i, 1, version.get()).toBuilder()
                    : AcceleratorProfile.builder(new AcceleratorType.Other("google-tpu", AcceleratorFamily.TPU, i));
            devices.add(chip.available(i < free).build());
        }
    }

    /// As GKE names them in `cloud.google.com/gke-tpu-accelerator` (its documentation, 2026-11).
    private static Optional<TpuVersion> tpuVersion(String label) {
        return switch (label) {
            case "tpu-v3-device", "tpu-v3-slice" -> Optional.of(TpuVersion.V3);
            case "tpu-v4-podslice", "tpu-v4-lite-device" -> Optional.of(TpuVersion.V4);
            case "tpu-v5-lite-podslice", "tpu-v5-lite-device" -> Optional.of(TpuVersion.V5E);
            case "tpu-v5p-slice" -> Optional.of(TpuVersion.V5P);
            case "tpu-v6e-slice", "tpu-v6e-device" -> Optional.of(TpuVersion.V6E);
            case "tpu7x", "tpu7x-slice" -> Optional.of(TpuVersion.V7);
            default -> Optional.empty();
        };
    }

    private void addNeuron(NodeOffer offer, List<AcceleratorProfile> devices) {
        long cores = coresOfDevice(offer);
        long count = offer.capacity(DeviceResource.NEURON);
        long free = offer.allocatable(DeviceResource.NEURON);
        if (count == 0) {
            count = Math.ceilDiv(offer.capacity(DeviceResource.NEURON_CORE), cores);
            free = offer.allocatable(DeviceResource.NEURON_CORE) / cores;
        }
        Optional<NeuronChip> chip = chip(offer);
        for (int i = 0; i < Math.min(count, MAX_DEVICES); i++) {
            AcceleratorProfile.ProfileBuilder device = chip.isPresent()
                    ? AcceleratorProfile.neuron(i, chip.get(), cores).toBuilder()
                    : AcceleratorProfile.builder(new AcceleratorType.Other("aws-neuron", AcceleratorFamily.AI_ASIC, i))
                            .with(DeviceFact.COMPUTE_UNITS, Reading.known(cores, provenance));
            devices.add(device.available(i < free).build());
        }
    }

    private static Optional<NeuronChip> chip(NodeOffer offer) {
        String family = offer.label(INSTANCE_TYPE);
        int dot = family.indexOf('.');
        return switch (dot < 0 ? "" : family.substring(0, dot)) {
            case "inf1" -> Optional.of(NeuronChip.INFERENTIA);
            case "inf2" -> Optional.of(NeuronChip.INFERENTIA2);
            case "trn1", "trn1n" -> Optional.of(NeuronChip.TRAINIUM);
            case "trn2", "trn2u" -> Optional.of(NeuronChip.TRAINIUM2);
            case "trn3" -> Optional.of(NeuronChip.TRAINIUM3);
            default -> Optional.empty();
        };
    }

    /// As AWS describes the chips (its Neuron documentation, 2026-11).
    private static long cores(NeuronChip chip) {
        return switch (chip) {
            case INFERENTIA -> 4;
            case INFERENTIA2, TRAINIUM -> 2;
            case TRAINIUM2, TRAINIUM3 -> 8;
        };
    }

    private void addGaudi(NodeOffer offer, List<AcceleratorProfile> devices) {
        long count = Math.min(offer.capacity(DeviceResource.GAUDI), MAX_DEVICES);
        long free = offer.allocatable(DeviceResource.GAUDI);
        Optional<GaudiGeneration> generation = gaudi(offer);
        for (int i = 0; i < count; i++) {
            AcceleratorProfile.ProfileBuilder device = generation.isPresent()
                    ? AcceleratorProfile.gaudi(i, generation.get()).toBuilder()
                    : AcceleratorProfile.builder(
                            new AcceleratorType.Other("habana-gaudi", AcceleratorFamily.AI_ASIC, i));
            devices.add(device.available(i < free).build());
        }
    }

    /// No label of the vendor's tells it; instance types do, and so do labels that people set under the
    /// vendor's name.
    private static Optional<GaudiGeneration> gaudi(NodeOffer offer) {
        String words = (offer.label("habana.ai/product") + " " + offer.label("habana.ai/gaudi") + " "
                        + offer.label(INSTANCE_TYPE))
                .toLowerCase(Locale.ROOT);
        if (words.contains("gaudi3")) {
            return Optional.of(GaudiGeneration.GAUDI3);
        }
        if (words.contains("gaudi2") || words.contains("dl2q")) {
            return Optional.of(GaudiGeneration.GAUDI2);
        }
        return words.contains("dl1.") ? Optional.of(GaudiGeneration.GAUDI1) : Optional.empty();
    }

    private void addIntel(NodeOffer offer, List<AcceleratorProfile> devices) {
        long count = offer.capacity(DeviceResource.INTEL_GPU);
        long free = offer.allocatable(DeviceResource.INTEL_GPU);
        // The plugin can offer one GPU several times over; the label counts cards.
        long cards = Math.min(count, offer.number("gpu.intel.com/device.count").orElse(count));
        for (int i = 0; i < Math.min(cards, MAX_DEVICES); i++) {
            devices.add(AcceleratorProfile.builder(AcceleratorType.of(AcceleratorKind.INTEL_ONE_API, i))
                    .available(i < free)
                    .with(
                            DeviceFact.DEVICE_NAME,
                            stated(
                                    text(offer.label("gpu.intel.com/product").replace('_', ' ')),
                                    "no label names the model"))
                    .with(DeviceFact.MEMORY, Reading.notSupported("the labels do not tell it"))
                    .build());
        }
    }

    private <T> Reading<T> stated(Optional<T> value, String otherwise) {
        return Reading.of(value, provenance, otherwise);
    }

    private static Optional<String> text(String label) {
        return label.isBlank() ? Optional.empty() : Optional.of(label);
    }
}
