// SPDX-License-Identifier: Apache-2.0
package dev.muster.plan.catalogue;

import dev.muster.core.AcceleratorKind;
import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorType;
import dev.muster.core.DeviceFact;
import dev.muster.core.GaudiGeneration;
import dev.muster.core.NeuronChip;
import dev.muster.core.Provenance;
import dev.muster.core.Reading;
import dev.muster.core.TpuVersion;
import dev.muster.model.CatalogueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The kinds of registry devices of catalogue rows, and their profiles.
final class DeviceKinds {
    /// Kinds of vendors whose kind of device has another name than the vendor.
    private static final Map<String, AcceleratorKind> BY_VENDOR = Map.ofEntries(
            Map.entry("nvidia", AcceleratorKind.CUDA_GPU),
            Map.entry("amd", AcceleratorKind.ROCM_GPU),
            Map.entry("intel", AcceleratorKind.INTEL_ONE_API),
            Map.entry("apple", AcceleratorKind.METAL_GPU),
            Map.entry("google", AcceleratorKind.TPU),
            Map.entry("aws", AcceleratorKind.AWS_NEURON),
            Map.entry("graphcore", AcceleratorKind.GRAPHCORE_IPU),
            Map.entry("qualcomm", AcceleratorKind.QUALCOMM_AI100),
            Map.entry("huawei", AcceleratorKind.HUAWEI_ASCEND),
            Map.entry("cambricon", AcceleratorKind.CAMBRICON_MLU),
            Map.entry("moore-threads", AcceleratorKind.MOORE_THREADS_GPU),
            Map.entry("baidu", AcceleratorKind.KUNLUN_XPU));

    private static final String GAUDI = "gaudi";
    private static final String TPU = "tpu-";

    private DeviceKinds() {}

    static Optional<AcceleratorKind> find(DeviceEntry entry) {
        AcceleratorKind kind = entry.id().startsWith(GAUDI) ? AcceleratorKind.GAUDI : BY_VENDOR.get(entry.vendor());
        return kind == null
                ? AcceleratorKind.find(entry.vendor()).filter(named -> named != AcceleratorKind.OTHER)
                : Optional.of(kind);
    }

    /// Returns one such device, numbered; empty if the kind, or its generation, is not known.
    static Optional<AcceleratorType> findType(DeviceEntry entry, long deviceId) {
        return find(entry).flatMap(kind -> findType(entry, kind, deviceId));
    }

    /// Returns the type of a kind. Not a switch: a kind without generations needs no code here.
    private static Optional<AcceleratorType> findType(DeviceEntry entry, AcceleratorKind kind, long deviceId) {
        if (kind == AcceleratorKind.TPU) {
            return findTpu(entry).map(version -> new AcceleratorType.Tpu(deviceId, 1, version));
        }
        if (kind == AcceleratorKind.GAUDI) {
            return findGaudi(entry).map(generation -> new AcceleratorType.Gaudi(deviceId, generation));
        }
        return kind == AcceleratorKind.AWS_NEURON
                ? findNeuron(entry, deviceId)
                : Optional.of(AcceleratorType.of(kind, deviceId));
    }

    static Optional<TpuVersion> findTpu(DeviceEntry entry) {
        return Arrays.stream(TpuVersion.values())
                .filter(version -> entry.id().equals(TPU + version.display()))
                .findFirst();
    }

    static Optional<GaudiGeneration> findGaudi(DeviceEntry entry) {
        return Arrays.stream(GaudiGeneration.values())
                .filter(generation -> entry.id().equals(generation.name().toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /// Returns the chip, which is the first word of the name, such as `Trainium2 (chip, 8 cores)`.
    static Optional<NeuronChip> findChip(DeviceEntry entry) {
        String word = entry.name().split(" ", 2)[0];
        return Arrays.stream(NeuronChip.values())
                .filter(chip -> chip.display().equals(word))
                .findFirst();
    }

    private static Optional<AcceleratorType> findNeuron(DeviceEntry entry, long deviceId) {
        long cores = entry.signature().computeUnits().find().orElse(1L);
        return findChip(entry).map(chip -> new AcceleratorType.Neuron(deviceId, chip, cores));
    }

    /// Returns a profile of which the catalogue is the only source.
    static AcceleratorProfile profile(DeviceEntry entry, long deviceId) {
        AcceleratorType type = findType(entry, deviceId)
                .orElseThrow(() -> CatalogueException.of("nothing can be planned for '" + entry.id()
                        + "', since no host has such a device by itself; choose another device"));
        Provenance source = entry.provenance();
        AcceleratorProfile.ProfileBuilder profile = AcceleratorProfile.builder(type)
                .with(DeviceFact.MEMORY, Reading.known(entry.memory().usable(), source))
                .with(DeviceFact.DEVICE_NAME, Reading.known(entry.name(), source));
        if (!entry.signature().pciIds().isEmpty()) {
            profile.with(
                    DeviceFact.PCI_ID, Reading.known(entry.signature().pciIds().getFirst(), source));
        }
        return enriched(profile.build(), entry);
    }

    /// Returns the profile with missing facts from the catalogue.
    static AcceleratorProfile enriched(AcceleratorProfile profile, DeviceEntry entry) {
        Provenance source = entry.provenance();
        AcceleratorProfile.ProfileBuilder builder = profile.toBuilder()
                .fill(DeviceFact.MEMORY_BANDWIDTH, Reading.known(entry.memory().bandwidth(), source))
                .fill(DeviceFact.MEMORY_TYPE, Reading.known(entry.memory().type(), source));
        if (entry.tdp().isKnown()) {
            builder.fill(DeviceFact.POWER_LIMIT, entry.tdp());
        }
        if (entry.link().isFabric() && entry.link().oneWay().isKnown()) {
            builder.fill(DeviceFact.FABRIC_BANDWIDTH, entry.link().oneWay());
        }
        return builder.build();
    }
}
